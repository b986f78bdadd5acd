// A blocked device is refused at every node and receives nothing, until it is unblocked; a restart changes nothing.

import FollowService
import MatchSamples
import Postgres
import ScoreTypes
import Simulators
import Synchronization
import TestSupport
import Testing

@testable import ScoreServer

/// A phone of a test: its credential, its id, and the pushes that APNs has delivered to it.
struct PushedPhone: Sendable {
    static let activity = "/v1/devices/me/activities/A-1"

    /// The pushes that were delivered, by their events.
    final class Inbox: Sendable {
        private let list = Mutex<[DeliveredPush]>([])
        var all: [DeliveredPush] { list.withLock { $0 } }
        func add(_ push: DeliveredPush) { list.withLock { $0.append(push) } }
    }

    let headers: [String: String]
    let id: DeviceID
    let inbox = Inbox()
    private let tokens: (alert: PushToken, activity: PushToken)

    /// Registers a phone with a token for notifications, and with an activity of the sample match.
    init(at node: WholeNode, on setup: NodeSetup) async throws {
        headers = try await node.register(key: "phone-\(UInt64.random(in: .min ... .max))-phone")
        let me = try await node.publicClient.get("/v1/devices/me", headers)
        id = try #require(me.json["deviceId"]?.string.flatMap { DeviceID($0) })
        var generator = SystemRandomNumberGenerator()
        func token() throws -> PushToken {
            try #require(PushToken(bytes: (0..<32).map { _ in UInt8.random(in: 0...255, using: &generator) }))
        }
        tokens = (try token(), try token())
        setup.apple.register(token: tokens.alert, kind: .alert) { [inbox] in inbox.add($0) }
        setup.apple.register(token: tokens.activity, kind: .activity) { [inbox] in inbox.add($0) }
        #expect(try await registerToken(at: node, seq: 1).status == 201)
        let follow = try await node.publicClient.send(
            "PUT",
            "/v1/devices/me/follows/ipl-final",
            headers,
            json: #"{"clientSeq":2}"#
        )
        #expect(follow.status == 201)
        #expect(try await registerActivity(at: node, seq: 3).status == 201)
    }

    func registerToken(at node: WholeNode, seq: Int64) async throws -> WireAnswer {
        let body = """
            {"token":"\(tokens.alert.hexForPath)","apnsEnvironment":"sandbox","bundleId":"\(APNsTestAccount.bundleID)",\
            "clientSeq":\(seq)}
            """
        return try await node.publicClient.send("PUT", "/v1/devices/me/push-tokens/alert", headers, json: body)
    }

    func registerActivity(at node: WholeNode, seq: Int64, id: String = "A-1") async throws -> WireAnswer {
        let body = """
            {"matchId":"ipl-final","token":"\(tokens.activity.hexForPath)","apnsEnvironment":"sandbox",\
            "startedAtMs":\(ServiceClock().wall.milliseconds),"clientSeq":\(seq)}
            """
        return try await node.publicClient.send("PUT", "/v1/devices/me/activities/\(id)", headers, json: body)
    }
}

extension WholeNode {
    /// Sends an operator's order about a device.
    func order(
        _ name: String,
        _ device: DeviceID,
        _ members: String = "",
        by method: String = "POST",
        as operators: [String: String]
    ) async throws -> WireAnswer {
        let path = "/admin/api/v1/devices/\(device)" + (name.isEmpty ? "" : "/\(name)")
        let body = #"{"reason":"a call from the person""# + members + "}"
        return try await internalClient.send(method, path, operators, json: body)
    }

    /// The device as operators read it.
    func device(_ device: DeviceID, as operators: [String: String]) async throws -> JSONValue {
        try await internalClient.get("/admin/api/v1/devices/\(device)", operators).json
    }
}

@Suite(.timeLimit(.minutes(3))) struct BlockedDeviceTests {
    @Test func aBlockHoldsAtEveryNodeAndAfterARestart() async throws {
        let setup = try await NodeSetup()
        let admin = try await PostgresAdminStore(pool: setup.pool).headers(.admin)
        try await FeedNode.report(Samples.deliveries(3), on: setup)
        let kept = Mutex<PushedPhone?>(nil)
        try await setup.withWholeNode(["NODE_ID": "one"]) { one in
            try await setup.withWholeNode(["NODE_ID": "two"]) { two in
                let phone = try await PushedPhone(at: one, on: setup)
                kept.withLock { $0 = phone }
                let path = "/v1/matches/ipl-final/stream"
                let request = Array(WireClient.head("GET", path, phone.headers, bodyBytes: 0, close: false).utf8)
                try await two.publicClient.withStream(request) { stream in
                    #expect(try await stream.head().status == 200)
                    _ = try await stream.event("state")
                    #expect(try await one.order("block", phone.id, as: admin).status == 200)
                    #expect(try await stream.event("bye").data["reason"]?.string == "revoked")
                }
                for node in [one, two] {
                    try await eventually("refused") {
                        let answer = try await node.publicClient.get("/v1/devices/me", phone.headers)
                        return answer.status == 403 && answer.problem == "device-blocked"
                    }
                    #expect(try await node.publicClient.get(path, phone.headers).status == 403)
                    #expect(try await phone.registerActivity(at: node, seq: 4).status == 403)
                }
                try await eventually("the activity ends") { phone.inbox.all.contains { $0.event == .end } }
                let count = phone.inbox.all.count
                try await FeedNode.report(Samples.deliveries(4), on: setup)
                try await eventually("the ball is read") {
                    try await two.publicClient.get("/v1/matches/ipl-final").text.contains(#""rev":"#)
                }
                let view = try await two.device(phone.id, as: admin)
                #expect(view["blockedAt"]?.string != nil && view["streams"]?.int == 0)
                #expect(view["activities"]?.list.map { $0["state"]?.string } == ["ended"])
                #expect(view["tokens"]?.list.map { $0["state"]?.string } == ["lost", "none", "none"])
                #expect(phone.inbox.all.count == count)
            }
        }
        let phone = try #require(kept.withLock { $0 })
        try await setup.withWholeNode(["NODE_ID": "one"]) { node in
            let refused = try await node.publicClient.get("/v1/devices/me", phone.headers)
            #expect(refused.status == 403 && refused.problem == "device-blocked", "\(refused.text)")
            #expect(try await node.order("unblock", phone.id, as: admin).status == 200)
            #expect(try await node.publicClient.get("/v1/devices/me", phone.headers).status == 200)
            let report = #"{"activities":[],"clientSeq":5}"#
            let (path, client) = ("/v1/devices/me/reconcile", node.publicClient)
            let reconciled = try await client.send("POST", path, phone.headers, json: report)
            #expect(reconciled.json["movedTokens"]?.list == [.text("alert")], "the app registers its token again")
            #expect(try await phone.registerToken(at: node, seq: 6).status == 200)
            let again = try await phone.registerActivity(at: node, seq: 7, id: "A-2")
            #expect(again.status < 300, "\(again.text)")
            let view = try await node.device(phone.id, as: admin)
            #expect(view["blockedAt"] == .null && view["lastReconcileAt"]?.string != nil)
            #expect(view["tokens"]?.list.first?["state"]?.string == "active")
        }
        await setup.stop()
    }

    @Test func aRevokedDeviceHasToRegisterAgainAndAnErasedOneIsGone() async throws {
        let setup = try await NodeSetup()
        let admin = try await PostgresAdminStore(pool: setup.pool).headers(.admin)
        try await FeedNode.report(Samples.deliveries(3), on: setup)
        try await setup.withWholeNode(["NODE_ID": "one"]) { one in
            try await setup.withWholeNode(["NODE_ID": "two"]) { two in
                let phone = try await PushedPhone(at: one, on: setup)
                #expect(try await two.publicClient.get("/v1/devices/me", phone.headers).status == 200)
                #expect(try await one.order("revoke", phone.id, as: admin).status == 200)
                for node in [one, two] {
                    try await eventually("refused") {
                        let answer = try await node.publicClient.get("/v1/devices/me", phone.headers)
                        return answer.status == 401 && answer.problem == "invalid-credential"
                    }
                }
                #expect(try await two.device(phone.id, as: admin)["revoked"] == .bool(true))
                let members = ",\"confirm\":\"\(phone.id)\""
                #expect(try await two.order("", phone.id, by: "DELETE", as: admin).status == 422, "it needs confirm")
                #expect(try await two.order("", phone.id, members, by: "DELETE", as: admin).status == 200)
                let gone = try await one.internalClient.get("/admin/api/v1/devices/\(phone.id)", admin)
                #expect(gone.status == 404)
                try await eventually("the activity ends") { phone.inbox.all.contains { $0.event == .end } }
                #expect(try await one.order("block", phone.id, as: admin).status == 404)
            }
        }
        await setup.stop()
    }

    @Test func anOperatorEndsOneActivity() async throws {
        let setup = try await NodeSetup()
        let admin = try await PostgresAdminStore(pool: setup.pool).headers(.admin)
        try await FeedNode.report(Samples.deliveries(3), on: setup)
        try await setup.withWholeNode { node in
            let (phone, other) = (
                try await PushedPhone(at: node, on: setup), try await PushedPhone(at: node, on: setup)
            )
            let members = ",\"match\":\"ipl-final\",\"confirm\":\"\(phone.id)\""
            let dry = try await node.internalClient.send(
                "POST",
                "/admin/api/v1/devices/\(phone.id)/end-activity?dryRun=true",
                admin,
                json: #"{"reason":"a call""# + members + "}"
            )
            #expect(dry.json["result"]?["wouldAffect"]?.int == 1, "\(dry.text)")
            let list = "/admin/api/v1/activities?match=ipl-final&state=active"
            #expect(try await node.internalClient.get(list, admin).json["items"]?.list.count == 2)
            #expect(try await node.order("end-activity", phone.id, members, as: admin).status == 200)
            try await eventually("it ends on the phone") { phone.inbox.all.contains { $0.event == .end } }
            let left = try await node.internalClient.get(list, admin)
            #expect(left.json["items"]?.list.map { $0["device"]?.string } == [other.id.description])
            #expect(!other.inbox.all.contains { $0.event == .end })
            try await eventually("the answer of APNs is recorded") {
                let view = try await node.device(phone.id, as: admin)
                return view["activities"]?.list.first?["state"]?.string == "ended"
            }
            let again = try await node.order("end-activity", phone.id, members, as: admin)
            #expect(again.status == 404, "it has ended")
            let late = try await phone.registerActivity(at: node, seq: 9)
            #expect(late.status == 409, "the same activity does not return: \(late.text)")
        }
        await setup.stop()
    }

    @Test("S45: a test goes to testers only and has the answer of APNs")
    func aTestGoesToTestersAndHasTheAnswerOfAPNs() async throws {
        let setup = try await NodeSetup()
        let store = PostgresAdminStore(pool: setup.pool)
        let (admin, helper) = (try await store.headers(.admin), try await store.headers(.operator))
        try await FeedNode.report(Samples.deliveries(3), on: setup)
        try await setup.withWholeNode { node in
            let phone = try await PushedPhone(at: node, on: setup)
            let refused = try await node.order("test-push", phone.id, as: helper)
            #expect(refused.status == 409 && refused.text.contains("not a tester"), "\(refused.text)")
            #expect(try await node.order("tester", phone.id, #","tester":true"#, as: helper).status == 403)
            #expect(try await node.order("tester", phone.id, #","tester":true"#, as: admin).status == 200)
            let sent = try await node.order("test-push", phone.id, as: helper)
            let result = try #require(sent.json["result"])
            #expect(result["outcome"]?.string == "accepted" && result["status"]?.int == 200, "\(sent.text)")
            let push = try #require(phone.inbox.all.first { $0.event == .alert })
            #expect(push.hasAlert && String(decoding: push.body, as: UTF8.self).contains("Test notification"))
            let journal = setup.apple.journal(last: 20)
            #expect(journal.contains { $0.id == result["apnsId"]?.string && $0.hasAlert })

            await setup.apple.interfere { _ in .answer(status: 410, reason: "Unregistered") }
            let dead = try await node.order("test-push", phone.id, as: helper)
            let answer = try #require(dead.json["result"])
            #expect(answer["outcome"]?.string == "rejected" && answer["status"]?.int == 410, "\(dead.text)")
            #expect(answer["reason"]?.string == "Unregistered" && answer["done"] == .bool(false))
            await setup.apple.interfere(nil)
            try await eventually("the dead token is removed") {
                let view = try await node.device(phone.id, as: admin)
                return view["tokens"]?.list.first?["state"]?.string == "lost"
            }
            let none = try await node.order("test-push", phone.id, as: helper)
            #expect(none.status == 409 && none.text.contains("no token"), "\(none.text)")
        }
        await setup.stop()
    }
}
