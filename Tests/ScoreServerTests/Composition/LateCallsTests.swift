// Late and repeated calls of an app, and calls after the erasure of its device, with the public API and the real store.

import FollowService
import MatchJournal
import Postgres
import Providers
import ScoreTypes
import Testing

@testable import ScoreServer

@Suite struct LateCallsTests {
    private static let follow = "/v1/devices/me/follows/ipl-final"
    private static let list = "/v1/devices/me/follows"
    private static let activity = "/v1/devices/me/activities/A-1"
    private static let token = String(repeating: "ab", count: 80)

    private static func report(_ seq: Int64) -> String {
        """
        {"matchId":"ipl-final","token":"\(token)","apnsEnvironment":"sandbox",\
        "startedAtMs":\(ServiceClock().wall.milliseconds),"clientSeq":\(seq)}
        """
    }

    private static func tokenBody(_ seq: Int64, _ hex: String = token) -> String {
        #"{"token":"\#(hex)","apnsEnvironment":"sandbox","clientSeq":\#(seq)}"#
    }

    /// A phone that can be started by push, follows the match (1) and shows it (2).
    private static func viewer(_ stores: StoredDependencies) async throws -> [String: String] {
        let phone = try await stores.register()
        let start = "/v1/devices/me/push-tokens/pushToStart"
        #expect(try await stores.client.send("PUT", start, phone, json: tokenBody(1)).status == 201)
        #expect(try await stores.client.send("PUT", follow, phone, json: #"{"clientSeq":1}"#).status == 201)
        #expect(try await stores.client.send("PUT", activity, phone, json: report(2)).status == 201)
        return phone
    }

    private static func states(_ stores: StoredDependencies) async throws -> [String] {
        let statement = Statement("select state || ' ' || coalesce(end_reason, '-') from activity order by match_id")
        return try await stores.pool.query(statement) { try $0.text(0) }
    }

    @Test func aDismissalAppliesAfterTheServerEndedTheActivity() async throws {
        try await withStore { stores in
            let phone = try await Self.viewer(stores)
            try await stores.pool.withConnection {
                try $0.script("update activity set state = 3, token = '', end_reason = 'rejected'")
            }
            #expect(try await stores.startCount() == 1, "a dead token does not prevent a start")
            let end = Self.activity + "?reason=dismissed&clientSeq=4"
            #expect(try await stores.client.send("DELETE", end, phone).status == 204)
            #expect(try await stores.startCount() == 0, "a dismissal prevents a start")
            let late = try await stores.client.send("PUT", Self.activity, phone, json: Self.report(3))
            #expect(late.status == 409, "an earlier registration does not revive the activity")
            #expect(try await Self.states(stores) == ["3 dismissed"])
        }
    }

    @Test func anErasedDeviceCannotRegisterAgain() async throws {
        try await withStore { stores in
            let phone = try await stores.register()
            #expect(try await stores.client.send("GET", "/v1/devices/me", phone).status == 200)
            let ids = try await stores.pool.query(Statement("select device_id from device")) { try $0.uuid(0) }
            // Erased by another node: this one still accepts the credential.
            let other = Devices(pool: stores.pool, clock: ServiceClock())
            #expect(try await other.erase(try #require(ids.first)) != nil)
            let calls: [(method: String, path: String, json: String?)] = [
                ("PUT", Self.follow, #"{"clientSeq":1}"#),
                ("PUT", Self.list, #"{"follows":[{"matchId":"ipl-final"}],"clientSeq":2}"#),
                ("DELETE", Self.follow + "?clientSeq=3", nil), ("PUT", Self.activity, Self.report(4)),
                ("PUT", "/v1/devices/me/push-tokens/alert", Self.tokenBody(5)),
                ("PATCH", "/v1/devices/me", #"{"timeZone":"Asia/Kolkata"}"#), ("GET", "/v1/devices/me", nil),
            ]
            for call in calls {
                let answer =
                    if let json = call.json {
                        try await stores.client.send(call.method, call.path, phone, json: json)
                    } else {
                        try await stores.client.send(call.method, call.path, phone)
                    }
                #expect(answer.status == 401 && answer.problem == "invalid-credential", "\(call)")
            }
            let left = Statement("select (select count(*) from follow) + (select count(*) from activity)")
            #expect(try await stores.pool.query(left) { try $0.int(0) } == [0])
        }
    }

    @Test func aLateUnfollowDoesNotEndANewerActivity() async throws {
        try await withStore { stores in
            let phone = try await stores.register()
            _ = try await stores.client.send("PUT", Self.follow, phone, json: #"{"clientSeq":1}"#)
            #expect(try await stores.client.send("PUT", Self.activity, phone, json: Self.report(9)).status == 201)
            #expect(try await stores.client.send("DELETE", Self.follow + "?clientSeq=5", phone).status == 204)
            #expect(stores.ended.all.isEmpty)
            _ = try await stores.client.send("PUT", Self.follow, phone, json: #"{"clientSeq":6}"#)
            let none = #"{"follows":[],"clientSeq":7}"#
            let list = try await stores.client.send("PUT", Self.list, phone, json: none)
            #expect(list.json["removed"]?.list == [.text("ipl-final")])
            #expect(stores.ended.all.isEmpty)
            #expect(try await Self.states(stores) == ["1 -"])
            _ = try await stores.client.send("PUT", Self.follow, phone, json: #"{"clientSeq":10}"#)
            #expect(try await stores.client.send("DELETE", Self.follow + "?clientSeq=11", phone).status == 204)
            #expect(stores.ended.all.map(\.reason) == [.unfollowed])
        }
    }

    @Test func aLateEndReturnsTheStoredSequence() async throws {
        try await withStore { stores in
            let phone = try await stores.register()
            #expect(try await stores.client.send("PUT", Self.activity, phone, json: Self.report(9)).status == 201)
            let late = try await stores.client.send("DELETE", Self.activity + "?clientSeq=4", phone)
            #expect(late.status == 409 && late.json["clientSeq"]?.int == 9)
        }
    }

    @Test func onlyACreationReturns201() async throws {
        try await withStore { stores in
            let phone = try await stores.register()
            func follow(_ seq: Int64) async throws -> Int {
                try await stores.client.send("PUT", Self.follow, phone, json: #"{"clientSeq":\#(seq)}"#).status
            }
            #expect(try await [follow(1), follow(2), follow(2)] == [201, 200, 200])
            #expect(try await stores.client.send("DELETE", Self.follow + "?clientSeq=3", phone).status == 204)
            #expect(try await follow(4) == 201)
            let path = "/v1/devices/me/push-tokens/alert"
            func store(_ wish: String) async throws -> Int {
                try await stores.client.send("PUT", path, phone, json: wish).status
            }
            let rotated = String(repeating: "cd", count: 80)
            let statuses = try await [store(Self.tokenBody(1)), store(Self.tokenBody(2, rotated))]
            #expect(statuses == [201, 200])
        }
    }

    @Test(arguments: ["ended", "dismissed"])
    func anActivityThatTheAppReportsAsOverIsEnded(state: String) async throws {
        try await withStore { stores in
            let phone = try await Self.viewer(stores)
            let report = """
                {"activities":[{"activityId":"A-1","matchId":"ipl-final","state":"\(state)","lastAppliedRev":3}],\
                "clientSeq":5}
                """
            let answer = try await stores.client.send("POST", "/v1/devices/me/reconcile", phone, json: report)
            #expect(answer.status == 200)
            #expect(answer.json["updates"]?.list == [] && answer.json["unknownTokens"]?.list == [])
            #expect(try await Self.states(stores) == ["3 \(state)"])
            #expect(try await stores.startCount() == (state == "dismissed" ? 0 : 1))
        }
    }
}
