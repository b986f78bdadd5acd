// A person's side is named as the API shows it, whatever the provider calls it, with the real store.

import MatchEngine
import MatchJournal
import MatchSamples
import Providers
import ScoreTypes
import Testing

@testable import ScoreServer

@Suite struct FollowTeamTests {
    private static let path = "/v1/devices/me/follows"

    private static func withForeignAbbreviation(
        _ abbreviation: String?,
        _ body: @Sendable (StoredDependencies, _ phone: [String: String], _ shown: String) async throws -> Void
    ) async throws {
        try await withStore { stores in
            var info = Samples.info("Australia")
            info.teams[0] = TeamInfo(id: "mi", name: "Australia", abbreviation: abbreviation)
            stores.matches.put(try Samples.view(8, info: info))
            let match = try await stores.client.get("/v1/matches/ipl-final")
            let shown = try #require(match.json["teams"]?.list.first?["abbr"]?.string)
            try await body(stores, try await stores.register(), shown)
        }
    }

    @Test(arguments: [nil, "Aus-Men"])
    func aTeamIsFollowedByTheAbbreviationOfAnAnswer(abbreviation: String?) async throws {
        try await Self.withForeignAbbreviation(abbreviation) { stores, phone, shown in
            #expect(shown != abbreviation)
            var sequence = 0
            for team in [shown, "mi", abbreviation].compactMap({ $0 }) {
                sequence += 1
                let body = #"{"teamIntent":"\#(team)","clientSeq":\#(sequence)}"#
                let put = try await stores.client.send("PUT", Self.path + "/ipl-final", phone, json: body)
                #expect(put.status < 300 && put.json["teamIntent"]?.string == "mi", "\(team)")
                let list = try await stores.client.get("/v1/matches?team=\(team)")
                #expect(list.json["items"]?.list.map { $0["id"]?.string } == ["ipl-final"], "\(team)")
            }
            let none = try await stores.client.get("/v1/matches?team=NOBODY")
            #expect(none.status == 200 && none.json["items"]?.list == [])
        }
    }

    @Test func aRefusedListNamesTheFollowWithTheMistake() async throws {
        try await Self.withForeignAbbreviation(nil) { stores, phone, shown in
            let list = """
                {"follows":[{"matchId":"ipl-final","teamIntent":"\(shown)"},\
                {"matchId":"old-final","teamIntent":"RCB"}],"clientSeq":1}
                """
            let refused = try await stores.client.send("PUT", Self.path, phone, json: list)
            #expect(refused.status == 422)
            let errors = refused.json["errors"]?.list ?? []
            #expect(errors.map { $0["pointer"]?.string } == ["/follows/1/teamIntent"])
            #expect(errors.first?["detail"]?.string == "expected mi, csk or the abbreviation of one")
            let right = list.replacing("RCB", with: "CSK")
            #expect(try await stores.client.send("PUT", Self.path, phone, json: right).status == 200)
        }
    }
}
