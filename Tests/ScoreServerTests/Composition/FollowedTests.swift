// Follows over the public API with the real store: settings, ends, dismissals, reconciliation, erasure.

import FollowService
import MatchEngine
import MatchJournal
import MatchSamples
import Postgres
import Providers
import ScoreTypes
import Testing

@testable import ScoreServer

@Suite struct FollowedTests {
    private static let follow = "/v1/devices/me/follows/ipl-final"
    private static let token = String(repeating: "ab", count: 80)

    private static func activity(_ seq: Int64, route: String = #""token":"\#(token)""#) -> String {
        """
        {"matchId":"ipl-final",\(route),"apnsEnvironment":"sandbox","startedAtMs":\(ServiceClock().wall.milliseconds),\
        "clientSeq":\(seq)}
        """
    }

    @Test func alertSettingsAndQuietHoursAreReturnedAsSent() async throws {
        try await withStore { stores in
            let phone = try await stores.register()
            let night = #"{"quietHours":{"from":"22:30","until":"07:00"},"timeZone":"Asia/Kolkata"}"#
            let patched = try await stores.client.send("PATCH", "/v1/devices/me", phone, json: night)
            #expect(patched.status == 200)
            #expect(patched.json["quietHours"]?["from"]?.string == "22:30")
            #expect(patched.json["quietHours"]?["until"]?.string == "07:00")
            for wrong in [
                #"{"from":"22:30"}"#, #"{"from":"24:00","until":"07:00"}"#, #"{"from":"7:00","until":"07:00"}"#,
            ] {
                let answer = try await stores.client.send(
                    "PATCH",
                    "/v1/devices/me",
                    phone,
                    json: #"{"quietHours":\#(wrong)}"#
                )
                #expect(answer.status == 422, "\(wrong)")
            }
            let wish = """
                {"teamIntent":"csk","surfaces":{"liveActivity":true,"alerts":["wicket"],"widget":false,"standby":true},\
                "clientSeq":1}
                """
            #expect(try await stores.client.send("PUT", Self.follow, phone, json: wish).status == 201)
            let list = try await stores.client.send("GET", "/v1/devices/me/follows", phone)
            let surfaces = try #require(list.json["items"]?.list.first?["surfaces"])
            #expect(surfaces["widget"] == .bool(false) && surfaces["standby"] == .bool(true))
            #expect(surfaces["alerts"]?.list == [.text("wicket")])
            let none = try await stores.client.send("PATCH", "/v1/devices/me", phone, json: #"{"quietHours":{}}"#)
            #expect(none.status == 200 && none.json["quietHours"] == nil)
        }
    }

    @Test func aConditionalProfileChangeRequiresTheCurrentTag() async throws {
        try await withStore { stores in
            let phone = try await stores.register()
            func patch(_ json: String, ifMatch: String? = nil) async throws -> WireAnswer {
                let headers = ifMatch.map { phone.merging(["If-Match": $0]) { $1 } } ?? phone
                return try await stores.client.send("PATCH", "/v1/devices/me", headers, json: json)
            }
            let read = try await stores.client.get("/v1/devices/me", phone)
            let tag = try #require(read["ETag"])
            #expect(try await stores.client.send("PUT", Self.follow, phone, json: #"{"clientSeq":1}"#).status == 201)
            let first = try await patch(#"{"appBuild":"43"}"#, ifMatch: "\"other\", \(tag)")
            #expect(first.status == 200 && first.json["appBuild"]?.string == "43", "a follow changes no profile")
            let changed = try #require(first["ETag"])
            #expect(changed != tag)
            let second = try await patch(#"{"appBuild":"44"}"#, ifMatch: tag)
            #expect(second.status == 412 && second.problem == "precondition-failed")
            #expect(second.json["currentEtag"]?.string == changed)
            let weak = try await patch(#"{"appBuild":"44"}"#, ifMatch: "W/\(changed)")
            #expect(weak.status == 412, "weak tags never match")
            let kept = try await stores.client.get("/v1/devices/me", phone)
            #expect(kept.json["appBuild"]?.string == "43" && kept["ETag"] == changed)
            #expect(try await patch(#"{"appBuild":"45"}"#, ifMatch: "*").status == 200)
            #expect(try await patch(#"{"appBuild":"46"}"#).status == 200, "the tag is optional")
        }
    }

    @Test func twoConcurrentProfileChangesBothApply() async throws {
        try await withStore { stores in
            let phone = try await stores.register()
            for round in 1...10 {
                let (alerts, build) = (round.isMultiple(of: 2), "\(100 + round)")
                async let first = stores.client.send(
                    "PATCH",
                    "/v1/devices/me",
                    phone,
                    json: #"{"alertsEnabled":\#(alerts)}"#
                )
                async let second = stores.client.send(
                    "PATCH",
                    "/v1/devices/me",
                    phone,
                    json: #"{"appBuild":"\#(build)"}"#
                )
                #expect(try await [first.status, second.status] == [200, 200])
                let read = try await stores.client.get("/v1/devices/me", phone)
                #expect(read.json["alertsEnabled"] == .bool(alerts) && read.json["appBuild"]?.string == build)
            }
        }
    }

    @Test func unfollowingEndsTheActivityUnlessItIsLate() async throws {
        try await withStore { stores in
            let phone = try await stores.register()
            #expect(try await stores.client.send("PUT", Self.follow, phone, json: #"{"clientSeq":5}"#).status == 201)
            let path = "/v1/devices/me/activities/A-1"
            #expect(try await stores.client.send("PUT", path, phone, json: Self.activity(6)).status == 201)
            let late = try await stores.client.send("DELETE", Self.follow + "?clientSeq=4", phone)
            #expect(late.status == 409 && stores.ended.all.isEmpty)
            #expect(try await stores.client.send("DELETE", Self.follow + "?clientSeq=7", phone).status == 204)
            #expect(stores.ended.all.map(\.reason) == [.unfollowed])

            let report =
                #"{"activities":[{"activityId":"A-1","matchId":"ipl-final","lastAppliedRev":7}],"clientSeq":8}"#
            let answer = try await stores.client.send("POST", "/v1/devices/me/reconcile", phone, json: report)
            #expect(answer.json["end"]?.list == [.text("A-1")], "a phone that missed the push receives the end again")
        }
    }

    /// Only the rows of matches that have ended are deleted, so that a row of an invented match would stay.
    @Test func anUnfollowOfAnUnknownMatchLeavesNoRow() async throws {
        try await withStore { stores in
            let phone = try await stores.register()
            let follows = "/v1/devices/me/follows"
            let rows = Statement("select match_id from follow")
            #expect(try await stores.client.send("DELETE", "\(follows)/nowhere?clientSeq=1", phone).status == 204)
            #expect(try await stores.pool.query(rows) { try $0.text(0) } == [])
            #expect(try await stores.client.send("DELETE", Self.follow + "?clientSeq=2", phone).status == 204)
            #expect(try await stores.pool.query(rows) { try $0.text(0) } == ["ipl-final"])
        }
    }

    @Test func reconcilingListsActivitiesToEndToRegisterAndToUpdate() async throws {
        try await withStore { stores in
            let phone = try await stores.register()
            _ = try await stores.client.send("PUT", Self.follow, phone, json: #"{"clientSeq":1}"#)
            _ = try await stores.client.send("PUT", "/v1/devices/me/activities/A-1", phone, json: Self.activity(2))
            func reconcile(_ activities: String, seq: Int64) async throws -> WireAnswer {
                let body = #"{"activities":[\#(activities)],"clientSeq":\#(seq)}"#
                return try await stores.client.send("POST", "/v1/devices/me/reconcile", phone, json: body)
            }
            let bytes = try #require(PushToken(hex: Self.token)).bytes
            let print = try #require(Fingerprint(sha256: SecretDigest(of: bytes).bytes)).text
            let one = #"{"activityId":"A-1","matchId":"ipl-final","lastAppliedRev":3,"tokenFingerprint":"\#(print)"}"#
            let behind = try await reconcile(one, seq: 3)
            #expect(behind.json["end"]?.list == [] && behind.json["unknownTokens"]?.list == [])
            #expect(behind.json["updates"]?.list.first?["currentRev"]?.int == 7, "it receives the newest state")
            let other = one.replacing(print, with: "000000000000").replacing(
                #""lastAppliedRev":3"#,
                with: #""lastAppliedRev":7"#
            )
            let rotated = try await reconcile(other, seq: 4)
            #expect(rotated.json["unknownTokens"]?.list == [.text("A-1")] && rotated.json["updates"]?.list == [])
            let gone = try await reconcile("", seq: 5)
            #expect(gone.json["missing"]?.list == [.text("A-1")], "an activity missing on the phone is closed")
            let active = Statement("select count(*) from activity where state = 1")
            #expect(try await stores.pool.query(active) { try $0.int(0) } == [0])
        }
    }

    @Test func aDismissedActivityIsStartedAgainOnlyAfterANewFollow() async throws {
        try await withStore { stores in
            let phone = try await stores.register()
            let token = #"{"token":"\#(Self.token)","apnsEnvironment":"sandbox","clientSeq":1}"#
            let path = "/v1/devices/me/push-tokens/pushToStart"
            #expect(try await stores.client.send("PUT", path, phone, json: token).status == 201)
            _ = try await stores.client.send("PUT", Self.follow, phone, json: #"{"clientSeq":1}"#)
            _ = try await stores.client.send("PUT", "/v1/devices/me/activities/A-1", phone, json: Self.activity(2))
            let end = "/v1/devices/me/activities/A-1?reason=dismissed&clientSeq=3"
            #expect(try await stores.client.send("DELETE", end, phone).status == 204)
            #expect(try await stores.startCount() == 0)
            _ = try await stores.client.send("PUT", Self.follow, phone, json: #"{"clientSeq":4}"#)
            #expect(try await stores.startCount() == 0, "a repeated follow is not a new follow")
            #expect(try await stores.client.send("DELETE", Self.follow + "?clientSeq=5", phone).status == 204)
            _ = try await stores.client.send("PUT", Self.follow, phone, json: #"{"clientSeq":6}"#)
            #expect(try await stores.startCount() == 1)
        }
    }

    @Test func erasingEndsAllActivitiesAtOnce() async throws {
        try await withStore { stores in
            let phone = try await stores.register()
            _ = try await stores.client.send("PUT", Self.follow, phone, json: #"{"clientSeq":1}"#)
            _ = try await stores.client.send("PUT", "/v1/devices/me/activities/A-1", phone, json: Self.activity(2))
            #expect(try await stores.client.send("DELETE", "/v1/devices/me", phone).status == 204)
            #expect(stores.ended.all.map(\.reason) == [.erased], "the phone is instructed to end its activity")
            #expect(try await stores.client.send("GET", "/v1/devices/me", phone).status == 401)
            let left = Statement(
                """
                select (select count(*) from device where erased_at is null) + (select count(*) from follow)
                    + (select count(*) from activity where token <> '')
                """
            )
            #expect(try await stores.pool.query(left) { try $0.int(0) } == [0])
        }
    }

    @Test("P1, P5: without a database every call returns a 503 with a time to retry")
    func callsWithoutADatabaseReturn503() async throws {
        try await withStore(on: ConnectionInfo("host=/tmp/nobody-listens-here")) { stores in
            let key = ["Idempotency-Key": "0123456789abcdef"]
            let answer = try await stores.client.send("POST", "/v1/devices", key, json: Samples.registration)
            #expect(answer.status == 503 && answer["Retry-After"] != nil && answer.json["cause"]?.string == "db")
            let match = try await stores.client.get("/v1/matches/ipl-final")
            #expect(match.status == 200, "cached data is still served")
        }
    }
}
