// Each declared admin route against a real server: roles, dry run, reason and audit entry.

import HTTPTypes
import LiveActivities
import MatchJournal
import MatchSamples
import Providers
import ScoreTypes
import TestSupport
import Testing

@testable import PushDispatcher
@testable import ScoreIngest
@testable import ScoreServer

@Suite struct AdminRouteTests {
    private static let sweep = AdminRoute.slotSweep.action

    /// The members of a body beside reason and confirm, by action.
    private static let bodies: [String: String] = [
        "match.override": #""field":"startsAt","startsAt":1800000000,"ttlSeconds":600"#,
        "match.override.lift": #""field":"startsAt""#,
        "aliases.put": #""aliases":[{"kind":"team","provider":"roanuz","providerId":"a","ourId":"b"}]"#,
        "aliases.remove": #""kind":"team","provider":"roanuz","providerId":"a""#,
        "admin-token.create": #""name":"ana","role":"viewer""#,
        "preview.draw": #""state":{}"#,
        "sweep.slot": #""slot":"s""#,
        "log-level.put": #""component":"score.push","level":"debug","ttlSeconds":60"#,
        "flag.put": #""value":false,"ttlSeconds":600"#,
        "device.tester": #""tester":true"#,
        "device.end-activity": #""match":"ipl-final""#,
        "streams.disconnect": #""filter":{"match":"ipl-final"}"#,
        "dead-letters.discard": #""apnsReason":"Unregistered""#,
    ]

    private static func stubs() throws -> TestDependencies {
        var stubs = TestDependencies()
        stubs.limits = RateLimits([.adminLogin: Quota(count: 10_000, per: .seconds(1))])
        stubs.matches.put(try Samples.view(7))
        stubs.feeds.list = [StubFeeds.main()]
        stubs.feeds.onPause = { _, _ in true }
        stubs.feeds.onResume = { _ in true }
        stubs.feeds.onPoll = { _ in true }
        stubs.feeds.onReset = { _ in true }
        stubs.control.onHold = { _, _ in true }
        stubs.control.onRelease = { _ in true }
        stubs.control.onEnd = { _, _ in true }
        stubs.control.onResync = { _ in true }
        stubs.control.onRepublish = { _ in true }
        stubs.control.onOverride = { _, _ in true }
        stubs.control.onLift = { _, _ in true }
        let start = OverrideValue.startsAt(1_800_000_000)
        let end = Instant(milliseconds: 4_000_000_000_000)
        stubs.control.standing = [MatchOverride(value: start, expiresAt: end, actor: "a", reason: "b")]
        stubs.people.known = [StubPeople.id: .sample(activities: [.sample()])]
        stubs.people.onOrder = { _ in }
        stubs.streams.onOrder = { _, _, _ in StreamOrderAnswers(expecting: []) }
        stubs.captures.list = [
            StoredCapture(id: "1-1", kind: "reply", match: nil, at: end, reason: nil, bodies: [])
        ]
        stubs.aliases.list = [Alias(.team, .roanuz, "a", means: "b")]
        stubs.aliases.onPut = { _ in }
        stubs.aliases.onRemove = { _, _, _ in true }
        stubs.push.history.attempted(try .sample(.accepted, .none, status: 200))
        stubs.sweeps.onSweep = { SweepSummary(kind: $0.kind, slot: $0.slot, isDryRun: $0.isDryRun) }
        stubs.nodes.audit = stubs.store
        stubs.logLevels.audit = stubs.store
        stubs.nodes.list = [Samples.node("one")]
        return stubs
    }

    /// The path with the id of a known target; the tests revoke a new token each time.
    private static func path(_ route: AdminRoute, _ server: TestServer) throws -> (path: String, target: String) {
        var target = route.path.contains("/feeds/") ? "main" : "ipl-final"
        if route.path.contains("/flags/") { target = "streams" }
        if route.path.contains("/devices/") { target = StubPeople.id.description }
        if route.path.contains("/apns/{id}") { target = "production" }
        if route.path.contains("/pushes/{id}") {
            target = try PushAttempt.sample(.accepted, .none, status: 200).requestID
        }
        if route.path.contains("/sweeps/") { target = "retention" }
        if route.path.contains("/nodes/") { target = "one" }
        if route.path.contains("/admin-tokens/") {
            let (token, _) = AdminToken.make(
                name: "old",
                role: .viewer,
                by: "test",
                at: server.stubs.clock.wall,
                lasting: .seconds(60)
            )
            server.stubs.store.put(token)
            target = token.id
        }
        let path = route.path.replacing("{id}", with: target).replacing("{rev}", with: "7")
            .replacing("{cid}", with: "1-1").replacing("{name}", with: "postgres")
        let query = route.action == AdminRoute.findDevices.action ? "?fingerprint=\(StubPeople.print)" : ""
        return (path + query, path.contains(target) ? target : "")
    }

    private static func body(_ route: AdminRoute, _ target: String, reason: Bool = true) -> String? {
        guard route.method != .get else { return nil }
        var members = [bodies[route.action]].compactMap(\.self)
        if reason, route.action != sweep, !route.isComputation { members.append(#""reason":"because it must""#) }
        if route.isDestructive { members.append("\"confirm\":\"\(target)\"") }
        return "{" + members.joined(separator: ",") + "}"
    }

    private static func send(
        _ route: AdminRoute,
        _ headers: [String: String],
        to server: TestServer,
        query: String = "",
        reason: Bool = true
    ) async throws -> WireAnswer {
        let (path, target) = try path(route, server)
        let body = body(route, target, reason: reason)
        return try await server.internalClient.send(route.method.rawValue, path + query, headers, json: body)
    }

    /// Closing needs a session, and the stream of events has no end; other tests have both.
    private static let routes = AdminRoute.all.filter { !["session.close", "console.events"].contains($0.action) }

    @Test("S13: every route needs its role") func everyRouteRequiresItsRole() async throws {
        try await withServer(try Self.stubs()) { server in
            let expired = try await server.token(.admin, lasting: .zero)
            let device = Samples.device().headers
            for route in AdminRoute.all {
                for headers in [[:], expired, device, ["Authorization": "Bearer x"]] {
                    let answer = try await Self.send(route, headers, to: server)
                    #expect(answer.status == 401, "\(route.action)")
                }
            }
            for route in Self.routes {
                for role in AdminRole.allCases {
                    let answer = try await Self.send(route, try await server.token(role), to: server)
                    let isPermitted = route.permission.roles.contains(role)
                    #expect(answer.status == (isPermitted ? 200 : 403), "\(route.action) as \(role): \(answer.text)")
                    if !isPermitted {
                        let needed = answer.json["requiredRole"]?.string
                        #expect(needed == route.permission.roles.first?.rawValue, "\(route.action)")
                    }
                }
            }
        }
    }

    @Test("S24: every write has a reason, a dry run and an entry")
    func everyWriteHasAReasonADryRunAndAnEntry() async throws {
        try await withServer(try Self.stubs()) { server in
            let (store, admin) = (server.stubs.store, try await server.token(.admin))
            for route in Self.routes where !route.isRead {
                let count = store.lines.count
                if route.needsReason {
                    let silent = try await Self.send(route, admin, to: server, reason: false)
                    #expect(silent.status == 422 && silent.text.contains("/reason"), "\(route.action)")
                    #expect(store.lines.count == count, "\(route.action)")
                }
                let tokens = try await store.tokens().count { $0.revokedAt == nil }
                let dry = try await Self.send(route, admin, to: server, query: "?dryRun=true")
                #expect(dry.status == 200, "\(route.action): \(dry.text)")
                #expect(dry.json["result"]?["wouldAffect"]?.int != nil, "\(route.action): \(dry.text)")
                let added = route.path.contains("{id}") && route.path.contains("admin-tokens") ? 1 : 0
                #expect(try await store.tokens().count { $0.revokedAt == nil } == tokens + added, "\(route.action)")
                let done = try await Self.send(route, admin, to: server)
                #expect(done.status == 200, "\(route.action): \(done.text)")
                #expect(done.json["auditId"]?.int == Int64(store.lines.count), "\(route.action)")
                let entry = try #require(store.lines.last)
                #expect(entry.action == route.action && entry.outcome == .done && entry.actor == "token:admin")
                #expect(entry.reason == (route.action == Self.sweep ? "" : "because it must"))
                #expect(entry.address == "loopback" && !entry.actorID.isEmpty && entry.via == .api)
            }
            #expect(try await store.verifyAudit(after: nil).isIntact)
        }
    }

    @Test func everyRouteThatNeedsARoleIsDeclaredOnce() async throws {
        let keys = AdminRoute.all.map { "\($0.method) \($0.path)" }
        #expect(Set(keys).count == keys.count && Set(AdminRoute.all.map(\.action)).count == keys.count)
        let open: Set = [
            "/healthz", "/readyz", "/startupz", "/version", "/metrics", "/docs", "/admin/sign-in", "/admin/sign-out",
        ]
        try await withServer { server in
            let routed = server.routes.filter { !$0.path.hasPrefix("/v1/") && !open.contains($0.path) }
            #expect(Set(routed.map { "\($0.method) \($0.path)" }) == Set(keys))
        }
    }

    /// The summary of each write names the role that it needs.
    @Test func theDescriptionNamesTheRoleOfEachRoute() throws {
        let document = try APIDescription.embedded.get().document
        for route in AdminRoute.all where route.permission.roles.count < AdminRole.allCases.count {
            let operation = document["paths"]?[route.path]?[route.method.rawValue.lowercased()]
            let summary = try #require(operation?["summary"]?.string, "\(route.action)")
            let role = try #require(route.permission.roles.first).rawValue
            #expect(summary.lowercased().contains("role \(role)"), "\(route.action): \(summary)")
        }
    }

    @Test func aRepeatedWriteWithItsKeyIsDoneOnce() async throws {
        try await withServer(try Self.stubs()) { server in
            let key = ["Idempotency-Key": "0123456789abcdef"]
            let admin = try await server.token(.admin).merging(key) { $1 }
            let first = try await Self.send(.createToken, admin, to: server)
            let again = try await Self.send(.createToken, admin, to: server)
            #expect(first.status == 200 && again.body == first.body)
            #expect(again["Idempotency-Replayed"] == "true" && first["Idempotency-Replayed"] == nil)
            #expect(server.stubs.store.lines.count == 1)
            let other = try await Self.send(.holdMatch, admin, to: server)
            #expect(other.status == 200, "another action may use the key")
        }
    }

    /// Refusals of one address are bounded, and the next entry counts those that were dropped.
    @Test func refusalsAreBoundedForEachAddressAndMinute() async throws {
        let clock = ManualClock()
        var stubs = try Self.stubs()
        stubs.clock = clock.clock()
        try await withServer(stubs) { server in
            let viewer = try await server.token(.viewer)
            for _ in 0..<ServerLimits.deniedPerMinute + 5 {
                #expect(try await Self.send(.holdMatch, viewer, to: server).status == 403)
            }
            #expect(server.stubs.store.lines.count == ServerLimits.deniedPerMinute)
            clock.advance(by: .seconds(60))
            #expect(try await Self.send(.holdMatch, viewer, to: server).status == 403)
            let last = try #require(server.stubs.store.lines.last)
            #expect(last.outcome == .denied && last.detail["droppedBefore"]?.int == 5)
        }
    }
}
