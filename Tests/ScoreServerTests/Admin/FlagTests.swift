// Switches: two nodes, a restart, the end of a change, and the settings of the app.

import LiveActivities
import Postgres
import PushDispatcher
import ScoreTypes
import TestSupport
import Testing

@testable import ScoreServer

@Suite struct FlagTests {
    private static let path = "/admin/api/v1/flags/"

    private static func put(
        _ flag: String,
        _ members: String,
        _ headers: [String: String],
        at node: WholeNode
    ) async throws -> WireAnswer {
        let body = #"{"reason":"an incident","# + members + "}"
        return try await node.internalClient.send("PUT", path + flag, headers, json: body)
    }

    private static func settings(_ node: WholeNode) async throws -> JSONValue {
        try await node.publicClient.get("/v1/client-config").json
    }

    private static func pausedCount(_ node: WholeNode) async -> Int {
        await node.node.services.push?.dispatcher.status().environments.count { $0.isPaused } ?? 0
    }

    @Test("S48: a switch holds on two nodes within a second and after a restart")
    func aSwitchHoldsOnTwoNodesWithinASecondAndAfterARestart() async throws {
        let setup = try await NodeSetup()
        let admin = try await PostgresAdminStore(pool: setup.pool).headers(.admin)
        try await setup.withWholeNode(name: "one") { one in
            try await setup.withWholeNode(name: "two") { two in
                let started = ContinuousClock.now
                for flag in ["apns.sandbox", "push-to-start", "streams"] {
                    #expect(try await Self.put(flag, #""value":false"#, admin, at: one).status == 200)
                }
                #expect(try await Self.put("minimum-build", #""value":71"#, admin, at: one).status == 200)
                #expect(try await Self.put("banner", #""value":"Scores are late.""#, admin, at: two).status == 200)
                for node in [one, two] {
                    let dispatcher = try #require(node.node.services.push?.dispatcher)
                    try await eventually("applied") {
                        let settings = try await Self.settings(node)
                        let (paused, starts) = (await Self.pausedCount(node), await dispatcher.startsAreAllowed)
                        return paused == 1 && !starts && settings["sseEnabled"] == .bool(false)
                            && settings["minBuild"]?.int == 71
                            && settings["pushToStartEnabled"] == .bool(false)
                            && settings["banner"]?.string == "Scores are late."
                    }
                    let hub = node.node.services.hub
                    #expect(throws: ServiceProblem.self) { try hub.enter([], party: .node) }
                }
                #expect(ContinuousClock.now - started < .seconds(10), "a second each, on a machine under load")
            }
        }
        try await setup.withWholeNode(name: "one") { node in
            #expect(await Self.pausedCount(node) == 1)
            #expect(try await Self.put("apns.sandbox", #""value":true"#, admin, at: node).status == 200)
            try await eventually("resumed") { await Self.pausedCount(node) == 0 }
            #expect(try await Self.settings(node)["pushToStartEnabled"] == .bool(false))
        }
        await setup.stop()
    }

    @Test("O1: the second of two concurrent changes of a switch is refused, and each accepted one has its entry")
    func aChangeIsStoredWithItsEntryAndItsRevision() async throws {
        let pool = Pool(try await ScratchDatabase.make(), size: 1, name: "flags")
        let (store, audit) = (FlagRecords(pool: pool), PostgresAdminStore(pool: pool))
        let now = Instant(milliseconds: 1_900_000_000_000)
        let change = FlagChange(
            name: .streams,
            value: .bool(false),
            expiresAt: now + .seconds(60),
            at: now,
            by: "token:ana",
            reason: "an incident"
        )
        let entry = AuditEntry.command("flag.put", target: "streams", reason: "an incident", user: "test")
        #expect(try await store.put(change, ifRevision: 0, entry) == 1)
        await #expect(throws: ServiceProblem.self) { try await store.put(change, ifRevision: 0, entry) }
        #expect(try await store.put(change, ifRevision: 1, entry) == 2)
        let flags = try await store.all()
        #expect(flags.flags[.streams]?.revision == 2)
        #expect(!flags.isOn(.streams, at: now) && flags.isOn(.streams, at: now + .seconds(60)), "it expires")
        let rows = try await audit.audit(AuditFilter()).rows
        #expect(rows.count == 2 && rows.last?.texts.before == #"{"value":true}"#)
        #expect(rows.last?.texts.after?.hasPrefix(#"{"value":false,"expiresAt":"#) == true)
        await pool.close()
    }

    @Test func oneOfTwoConcurrentFirstChangesIsRefused() async throws {
        let info = try await ScratchDatabase.make()
        let bounds = Pool.Bounds(waitMax: .seconds(60), statementTimeout: .seconds(60))
        let pool = Pool(info, size: 3, name: "flags", bounds: bounds)
        let store = FlagRecords(pool: pool)
        let holder = try await Connection.open(info, name: "holder", idleTimeout: .seconds(60))
        // A change writes its switch, and then waits for the head of the audit log.
        try await holder.script("begin; select head_number from audit_chain for update")
        let changes = [false, true].map { value -> Task<Int64, any Error> in
            Task {
                let change = FlagChange(
                    name: .streams,
                    value: .bool(value),
                    expiresAt: nil,
                    at: Instant(milliseconds: 1_900_000_000_000),
                    by: "token:ana",
                    reason: "an incident"
                )
                let entry = AuditEntry.command("flag.put", target: "streams", reason: "an incident", user: "test")
                return try await store.put(change, ifRevision: 0, entry)
            }
        }
        let waiting = Statement(
            "select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'"
        )
        try await eventually("both changes wait") { try await pool.query(waiting) { try $0.int(0) } == [2] }
        try await holder.script("commit")
        var refusals: [ServiceProblem] = []
        for change in changes {
            do { _ = try await change.value } catch let refusal as ServiceProblem { refusals.append(refusal) }
        }
        let expected = ServiceProblem(.preconditionFailed, extras: ["currentEtag": .text(#""1""#)])
        #expect(refusals == [expected])
        #expect(try await store.all().flags[.streams]?.revision == 1)
        await holder.close()
        await pool.close()
    }

    @Test func aValueHasTheTypeOfItsSwitch() async throws {
        try await withServer { server in
            let admin = try await server.token(.admin)
            let bodies = [
                ("streams", #""value":0"#, 422), ("streams", #""value":"off""#, 422),
                ("streams", #""ttlSeconds":60"#, 422),
                ("minimum-build", #""value":true"#, 422), ("minimum-build", #""value":-1"#, 422),
                ("banner", #""value":false"#, 422), ("streams", #""value":false,"ttlSeconds":59"#, 422),
                ("unknown", #""value":false"#, 404), ("streams", #""value":false"#, 200),
            ]
            for (flag, members, status) in bodies {
                let answer = try await server.internalClient.send(
                    "PUT",
                    Self.path + flag,
                    admin,
                    json: #"{"reason":"an incident","# + members + "}"
                )
                #expect(answer.status == status, "\(flag) \(members): \(answer.text)")
            }
            let late = admin.merging(["If-Match": "\"7\""]) { $1 }
            let body = #"{"reason":"an incident","value":true}"#
            let answer = try await server.internalClient.send("PUT", Self.path + "streams", late, json: body)
            #expect(answer.status == 412 && answer.json["currentEtag"]?.string == #""1""#, "\(answer.text)")
        }
    }
}
