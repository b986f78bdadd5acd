// ActivityKit names no channel: an app learns its channel from every answer about a follow.

import FollowService
import MatchEngine
import MatchJournal
import MatchSamples
import Postgres
import ScoreTypes
import Testing

@testable import ScoreServer

@Suite struct FollowChannelTests {
    private static let follow = "/v1/devices/me/follows/ipl-final"
    private static let token = String(repeating: "ab", count: 80)

    private func keep(
        _ stores: StoredDependencies,
        _ name: String,
        _ profile: ChannelProfile = .loud,
        match: MatchID = Samples.match,
        type: String = "LiveActivityAttributes"
    ) async throws {
        _ = try await stores.channels.save(
            ChannelRecord(
                match: match,
                environment: .sandbox,
                attributesType: type,
                profile: profile,
                generation: 1,
                channel: try #require(ChannelID(name)),
                createdAt: ServiceClock().wall
            )
        )
    }

    private func requests(_ stores: StoredDependencies) async throws -> [String] {
        let rows = Statement(
            "select match_id || ' ' || attributes_type || ' ' || profile from channel_request order by 1"
        )
        return try await stores.pool.query(rows) { try $0.text(0) }
    }

    @Test("the channel is in the answer to one follow, the list, its replacement, a conflict and a reconcile")
    func everyAnswerAboutAFollowNamesTheChannel() async throws {
        try await withStore { stores in
            let phone = try await stores.register()
            func put(_ path: String, _ json: String) async throws -> WireAnswer {
                try await stores.client.send("PUT", path, phone, json: json)
            }
            #expect(try await put(Self.follow, #"{"clientSeq":1}"#).json["channelId"] == nil)
            #expect(try await requests(stores) == ["ipl-final LiveActivityAttributes loud"])
            let before = try await stores.client.get("/v1/devices/me/follows", phone)
            try await keep(stores, "bG91ZA==")
            #expect(try await put(Self.follow, #"{"clientSeq":2}"#).json["channelId"]?.string == "bG91ZA==")
            let list = try await stores.client.get("/v1/devices/me/follows", phone)
            #expect(list.json["items"]?.list.first?["channelId"]?.string == "bG91ZA==")
            #expect(list["ETag"] != before["ETag"], "an app with the old list reads the channel")
            let all = #"{"follows":[{"matchId":"ipl-final"}],"clientSeq":3}"#
            let replaced = try await put("/v1/devices/me/follows", all)
            #expect(replaced.json["items"]?.list.first?["channelId"]?.string == "bG91ZA==")
            let late = try await put(Self.follow, #"{"clientSeq":2,"surfaces":{"alerts":["result"]}}"#)
            #expect(late.status == 409 && late.json["current"]?["channelId"]?.string == "bG91ZA==")
            let report = #"{"activities":[],"clientSeq":4}"#
            let answer = try await stores.client.send("POST", "/v1/devices/me/reconcile", phone, json: report)
            #expect(answer.json["follows"]?.list.first?["channelId"]?.string == "bG91ZA==")
            #expect(answer.json["follows"]?.list.first?["matchId"]?.string == "ipl-final")
        }
    }

    @Test(
        "a device without channels, or without frequent pushes, gets and requests none",
        arguments: ["channelsSupported", "frequentPushesEnabled"]
    )
    func aDeviceOnTokensGetsAndRequestsNone(missing: String) async throws {
        try await withStore { stores in
            try await keep(stores, "bG91ZA==")
            let body = Samples.registration.replacing("\"\(missing)\":true", with: "\"\(missing)\":false")
            let phone = try await stores.register(body)
            let answer = try await stores.client.send("PUT", Self.follow, phone, json: #"{"clientSeq":1}"#)
            #expect(answer.status == 201 && answer.json["channelId"] == nil)
            #expect(try await requests(stores).isEmpty)
        }
    }

    @Test func aChannelIsNamedWhileTheDeviceAllowsFrequentPushes() async throws {
        try await withStore { stores in
            try await keep(stores, "bG91ZA==")
            let phone = try await stores.register()
            _ = try await stores.client.send("PUT", Self.follow, phone, json: #"{"clientSeq":1}"#)
            for (isAllowed, channel) in [(false, nil), (true, "bG91ZA==")] as [(Bool, String?)] {
                let change = #"{"frequentPushesEnabled":\#(isAllowed)}"#
                #expect(try await stores.client.send("PATCH", "/v1/devices/me", phone, json: change).status == 200)
                let list = try await stores.client.get("/v1/devices/me/follows", phone)
                #expect(list.json["items"]?.list.first?["channelId"]?.string == channel)
            }
        }
    }

    @Test("an activity without a token is reported by its channel; an unknown or foreign channel is refused")
    func anActivityIsReportedByItsChannel() async throws {
        try await withStore { stores in
            let phone = try await stores.register()
            try await keep(stores, "bG91ZA==")
            try await keep(stores, "b3RoZXI=", match: Samples.finished)
            func report(_ channel: String, _ sequence: Int) async throws -> WireAnswer {
                let now = ServiceClock().wall.milliseconds
                let json = """
                    {"matchId":"ipl-final","channelId":"\(channel)","apnsEnvironment":"sandbox","startedAtMs":\(now),
                    "clientSeq":\(sequence)}
                    """
                return try await stores.client.send("PUT", "/v1/devices/me/activities/A-1", phone, json: json)
            }
            for channel in ["b3RoZXI=", "dW5rbm93bg=="] {
                let answer = try await report(channel, 1)
                #expect(answer.status == 422)
                #expect(answer.json["errors"]?.list.first?["pointer"]?.string == "/channelId")
            }
            #expect(try await report("bG91ZA==", 2).status == 201)
            let loud = try #require(ChannelID("bG91ZA=="))
            let record = try await stores.channels.find(loud, in: .sandbox)
            #expect(record?.openedAt != nil, "the age of the generation counts from here")
            let shown = #"{"activityId":"A-1","matchId":"ipl-final","channelId":"bG91ZA=="}"#
            let list = #"{"activities":[\#(shown)],"clientSeq":3}"#
            let answer = try await stores.client.send("POST", "/v1/devices/me/reconcile", phone, json: list)
            #expect(answer.json["unknownTokens"]?.list == [] && answer.json["end"]?.list == [])
        }
    }

    @Test func theChannelOfAFollowerDependsOnTheirAlertSettings() async throws {
        try await withStore { stores in
            try await keep(stores, "bG91ZA==")
            try await keep(stores, "cXVpZXQ=", .quiet)
            let phone = try await stores.register()
            let usual = try await stores.client.send("PUT", Self.follow, phone, json: #"{"clientSeq":1}"#)
            #expect(usual.json["channelId"]?.string == "bG91ZA==")
            let own = #"{"surfaces":{"alerts":["result"]},"clientSeq":2}"#
            let chosen = try await stores.client.send("PUT", Self.follow, phone, json: own)
            #expect(chosen.json["channelId"]?.string == "cXVpZXQ=")
            let team = #"{"teamIntent":"csk","clientSeq":3}"#
            let side = try await stores.client.send("PUT", Self.follow, phone, json: team)
            #expect(side.json["channelId"]?.string == "cXVpZXQ=")
            let alone = #"{"surfaces":{"liveActivity":false},"clientSeq":4}"#
            let without = try await stores.client.send("PUT", Self.follow, phone, json: alone)
            #expect(without.status < 300 && without.json["channelId"] == nil)
        }
    }

    @Test func anAppWithThePortableStateGetsItsChannelOnly() async throws {
        try await withStore { stores in
            let portable = SurfaceRenderer.attributesType
            try await keep(stores, "b3du")
            let phone = try await stores.register()
            let token =
                #"{"token":"\#(Self.token)","apnsEnvironment":"sandbox","attributesType":"\#(portable)","clientSeq":1}"#
            let path = "/v1/devices/me/push-tokens/pushToStart"
            #expect(try await stores.client.send("PUT", path, phone, json: token).status < 300)
            let before = try await stores.client.send("PUT", Self.follow, phone, json: #"{"clientSeq":1}"#)
            #expect(before.status == 201 && before.json["channelId"] == nil, "no channel has a variant that it decodes")
            #expect(try await requests(stores) == ["ipl-final \(portable) loud"])
            try await keep(stores, "cG9ydGFibGU=", type: portable)
            let after = try await stores.client.send("PUT", Self.follow, phone, json: #"{"clientSeq":2}"#)
            #expect(after.json["channelId"]?.string == "cG9ydGFibGU=")
        }
    }
}
