// Replacement of the whole list of follows, as after days without a network, with the real store.

import FollowService
import MatchJournal
import MatchSamples
import Postgres
import Providers
import ScoreTypes
import Testing

@testable import ScoreServer

@Suite struct FollowListTests {
    private static let path = "/v1/devices/me/follows"

    @Test func finishedMatchesDoNotCountForTheLimit() async throws {
        try await withStore { stores in
            let phone = try await stores.register()
            try await stores.pool.withConnection {
                try $0.script(
                    """
                    insert into match (match_id, feed_id, epoch, phase)
                    select 'm' || n, 'f', 'e', 3 from generate_series(1, 50) n;
                    insert into follow (match_id, bucket, device_id)
                    select 'm' || n, d.bucket, d.device_id from device d, generate_series(1, 50) n
                    """
                )
            }
            let one = Self.path + "/ipl-final"
            #expect(try await stores.client.send("PUT", one, phone, json: #"{"clientSeq":1}"#).status == 201)
            #expect(try await stores.client.send("DELETE", one + "?clientSeq=2", phone).status == 204)
            try await stores.pool.withConnection { try $0.script("update match set phase = 1") }
            let refused = try await stores.client.send("PUT", one, phone, json: #"{"clientSeq":3}"#)
            #expect(refused.status == 422 && refused.problem == "too-many-follows" && refused.json["limit"]?.int == 50)
        }
    }

    @Test func aListWithAFinishedAndAnUnknownMatchIsAccepted() async throws {
        try await withStore { stores in
            let phone = try await stores.register()
            let list = """
                {"follows":[{"matchId":"ipl-final"},{"matchId":"old-final","teamIntent":"csk"},\
                {"matchId":"nowhere","teamIntent":"x"}],"clientSeq":3}
                """
            let answer = try await stores.client.send("PUT", Self.path, phone, json: list)
            #expect(answer.status == 200)
            let teams = answer.json["items"]?.list.map { "\($0["matchId"]?.string ?? "") \($0["team"]?.int ?? -1)" }
            #expect(teams == ["ipl-final 0", "old-final 2"])
            #expect(answer.json["ignored"]?.list == [.text("nowhere")])
            let wrong = #"{"follows":[{"matchId":"old-final","teamIntent":"rcb"}],"clientSeq":4}"#
            #expect(try await stores.client.send("PUT", Self.path, phone, json: wrong).status == 422)
        }
    }

    @Test func aRemovedMatchStaysFollowed() async throws {
        try await withStore { stores in
            let phone = try await stores.register()
            let list = #"{"follows":[{"matchId":"ipl-final"},{"matchId":"old-final"}],"clientSeq":SEQ}"#
            func replace(_ seq: String) async throws -> WireAnswer {
                try await stores.client.send("PUT", Self.path, phone, json: list.replacing("SEQ", with: seq))
            }
            #expect(try await replace("1").status == 200)
            stores.matches.mark(Samples.match, removedAt: Instant(milliseconds: 1_772_380_000_000))
            let without = try await replace("2")
            #expect(without.status == 200 && without.json["ignored"]?.list == [.text("ipl-final")])
            #expect(without.json["removed"]?.list == [])
            #expect(without.json["items"]?.list.count == 2, "it may return")
        }
    }

    @Test func aStaleListIsRefusedAndAPartlyStaleOneNamesNewerFollows() async throws {
        try await withStore { stores in
            let phone = try await stores.register()
            _ = try await stores.client.send("PUT", Self.path + "/ipl-final", phone, json: #"{"clientSeq":9}"#)
            func replace(_ items: String, _ seq: Int) async throws -> WireAnswer {
                let list = #"{"follows":[\#(items)],"clientSeq":\#(seq)}"#
                return try await stores.client.send("PUT", Self.path, phone, json: list)
            }
            for (items, seq) in [("", 5), (#"{"matchId":"ipl-final"}"#, 6)] {
                let stale = try await replace(items, seq)
                #expect(stale.status == 409 && stale.problem == "stale-client-sequence", "\(items)")
                #expect(stale.json["clientSeq"]?.int == 9)
            }
            let both = #"{"matchId":"ipl-final"},{"matchId":"old-final"}"#
            #expect(try await replace(both, 6).status == 409, "another list has this number")
            let partly = try await replace(both, 7)
            #expect(partly.status == 200)
            #expect(partly.json["added"]?.list == [.text("old-final")])
            #expect(partly.json["outdated"]?.list == [.text("ipl-final")])
        }
    }
}
