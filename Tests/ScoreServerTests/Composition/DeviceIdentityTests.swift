// One phone is one device, and a device that no push can reach is refused, over the public API with the real store.

import FollowService
import MatchSamples
import Postgres
import ScoreTypes
import TestSupport
import Testing

@testable import ScoreServer

@Suite struct DeviceIdentityTests {
    private static let hex = String(repeating: "ab", count: 40)
    private static let tokens = "/v1/devices/me/push-tokens/"

    private static func body(_ sequence: Int, _ more: String = "") -> String {
        #"{"token":"\#(hex)","apnsEnvironment":"sandbox","clientSeq":\#(sequence)\#(more)}"#
    }

    private static func activity(_ sequence: Int, _ token: String, at start: Int64 = ServiceClock().wall.milliseconds)
        -> String
    {
        """
        {"matchId":"ipl-final","token":"\(token)","apnsEnvironment":"sandbox","startedAtMs":\(start),\
        "clientSeq":\(sequence)}
        """
    }

    @Test("C13: an app that lost its credential takes its tokens along, and its older device learns it")
    func aNewDeviceTakesTheTokensOfItsPhone() async throws {
        let database = try await ScratchDatabase.make()
        try await withStore(on: database) { first in
            try await withStore(on: database) { second in
                let old = try await first.register()
                let new = try await second.register(key: "after-the-keychain-was-lost")
                for kind in ["alert", "pushToStart"] {
                    let put = try await first.client.send("PUT", Self.tokens + kind, old, json: Self.body(1))
                    #expect(put.status == 201)
                }
                let path = "/v1/devices/me/activities/A-1"
                let shown = Self.activity(1, Self.hex)
                #expect(try await first.client.send("PUT", path, old, json: shown).status == 201)
                let moved = try await second.client.send("PUT", Self.tokens + "alert", new, json: Self.body(1))
                #expect(moved.status == 201)
                #expect(try await second.client.send("PUT", path, new, json: shown).status == 201)

                let left = try await first.client.get("/v1/devices/me", old)
                #expect(left.json["movedTokens"]?.list == [.text("alert")])
                #expect(left.json["pushTokens"]?["alert"] == nil && left.json["pushTokens"]?["pushToStart"] != nil)
                let report = #"{"activities":[],"clientSeq":2}"#
                let answer = try await first.client.send("POST", "/v1/devices/me/reconcile", old, json: report)
                #expect(answer.status == 200 && answer.json["movedTokens"]?.list == [.text("alert")])
                let active = Statement("select count(*) from activity where state = 1")
                #expect(try await first.pool.query(active) { try $0.int(0) } == [1], "one alert for one phone")
                let mine = try await second.client.get("/v1/devices/me", new)
                #expect(mine.json["movedTokens"]?.list == [])

                let back = try await first.client.send("PUT", Self.tokens + "alert", old, json: Self.body(3))
                #expect(back.status == 200 && back.json["generation"]?.int == 2)
                #expect(try await first.client.get("/v1/devices/me", old).json["movedTokens"]?.list == [])
            }
        }
    }

    @Test func anAppOrEnvironmentWithoutPushesIsRefused() async throws {
        let served = ServedApp(environments: [.production], bundleID: "com.example.scores")
        try await withStore(served: served) { stores in
            let right = Samples.registration.replacing("sandbox", with: "production")
            let foreign = right.replacing("com.example.scores", with: "com.example.scores.push-type.liveactivity")
            for (number, body) in [Samples.registration, foreign].enumerated() {
                let headers = ["Idempotency-Key": "key-of-a-foreign-app-\(number)"]
                let refused = try await stores.client.send("POST", "/v1/devices", headers, json: body)
                #expect(refused.status == 422 && refused.problem == "app-not-served")
                #expect(refused.json["servedEnvironments"]?.list == [.text("production")])
                #expect(refused.json["servedBundleId"]?.string == "com.example.scores")
            }
            let phone = try await stores.register(right)
            let path = Self.tokens + "alert"
            let other = Self.body(1, #","bundleId":"com.example.other""#).replacing("sandbox", with: "production")
            for body in [Self.body(1), other] {
                let refused = try await stores.client.send("PUT", path, phone, json: body)
                #expect(refused.status == 422 && refused.problem == "app-not-served")
            }
            let accepted = other.replacing("com.example.other", with: "com.example.scores")
            #expect(try await stores.client.send("PUT", path, phone, json: accepted).status == 201)
            let activity = "/v1/devices/me/activities/A-1"
            let refused = try await stores.client.send("PUT", activity, phone, json: Self.activity(2, Self.hex))
            #expect(refused.status == 422 && refused.problem == "app-not-served")
        }
    }

    @Test("C17: members of the contract are accepted, others are named")
    func membersOfTheContractAreAccepted() async throws {
        try await withStore { stores in
            let key = ["Idempotency-Key": "key-of-a-contract-app"]
            let attestation = #","locale":"en_IN","attestation":{"keyId":"k","object":"o","challenge":"c"}}"#
            let full = Samples.registration.dropLast() + attestation
            let registered = try await stores.client.send("POST", "/v1/devices", key, json: String(full))
            #expect(registered.status == 201 && registered.json["trust"]?.string == "none")
            let more = String(full.dropLast()) + #","surprise":1}"#
            let other = ["Idempotency-Key": "key-of-another-version"]
            let refused = try await stores.client.send("POST", "/v1/devices", other, json: more)
            #expect(refused.status == 422)
            #expect(refused.json["errors"]?.list.map { $0["pointer"]?.string } == ["/surprise"])
        }
    }

    @Test("C13: one device reports a bounded number of tokens for activities an hour")
    func reportsOfActivitiesAreLimited() async throws {
        try await withStore(limits: RateLimits([.activities: Quota(count: 3, per: .seconds(3600))])) { stores in
            let phone = try await stores.register()
            var codes: [Int] = []
            for number in 1...4 {
                let token = String(repeating: "0\(number)", count: 40)
                let body = Self.activity(number, token)
                let path = "/v1/devices/me/activities/ACT-1"
                codes.append(try await stores.client.send("PUT", path, phone, json: body).status)
            }
            #expect(codes == [201, 200, 200, 429])
            let ended = "/v1/devices/me/activities/ACT-1?clientSeq=9"
            #expect(try await stores.client.send("DELETE", ended, phone).status == 204, "an end has another quota")
        }
    }

    @Test func anActivityNamesTheOneThatItReplaces() async throws {
        try await withStore { stores in
            let phone = try await stores.register()
            func put(_ id: String, _ sequence: Int, _ token: String) async throws -> WireAnswer {
                let path = "/v1/devices/me/activities/\(id)"
                return try await stores.client.send("PUT", path, phone, json: Self.activity(sequence, token))
            }
            let second = String(repeating: "cd", count: 40)
            let new = try await put("ACT-1", 1, Self.hex)
            #expect(new.status == 201 && new.json["replacedActivityId"] == nil)
            let replacing = try await put("ACT-2", 2, second)
            #expect(replacing.status == 201 && replacing.json["replacedActivityId"]?.string == "ACT-1")
            let rotated = try await put("ACT-2", 3, Self.hex)
            #expect(rotated.status == 200 && rotated.json["replacedActivityId"] == nil)
            let report = """
                {"activities":[{"activityId":"ACT-1","matchId":"ipl-final"},\
                {"activityId":"ACT-2","matchId":"ipl-final",\
                "tokenFingerprint":"\(try #require(PushToken(hex: Self.hex)?.fingerprint).text)"}],"clientSeq":4}
                """
            let answer = try await stores.client.send("POST", "/v1/devices/me/reconcile", phone, json: report)
            #expect(answer.json["end"]?.list == [.text("ACT-1")] && answer.json["unknownTokens"]?.list == [])
        }
    }
}
