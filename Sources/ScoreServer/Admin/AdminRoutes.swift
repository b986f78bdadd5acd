// The admin API: operators follow a ball through all stages, and hold or end what goes wrong.

import HTTPTypes
import Hummingbird
import MatchEngine
import ScoreIngest
import ScoreTypes

/// `/admin/api/v1…`.
struct AdminRoutes: Sendable {
    let dependencies: InternalDependencies

    /// Adds the routes.
    func add(to router: InternalRouter) {
        addReads(to: router)
        addFeedWrites(to: router)
        addMatchWrites(to: router)
    }

    private func addReads(to router: InternalRouter) {
        router.read("/admin/api/v1/overview") { _ in Answer.json(await overview().bytes) }
        router.read("/admin/api/v1/feeds") { _ in
            Answer.json(Self.items(await dependencies.feeds.feeds().map(\.json)))
        }
        router.read("/admin/api/v1/matches") { _ in
            let counts = dependencies.hub.watcherCounts
            let views = dependencies.matches.views().sorted { $0.match < $1.match }
            return Answer.json(Self.items(views.map { $0.adminJSON(streams: counts[$0.match] ?? 0) }))
        }
        router.read("/admin/api/v1/matches/{id}") { call in
            let match = try call.parameter("id", as: MatchID.self)
            guard let view = try await dependencies.matches.view(of: match) else { throw ServiceProblem(.notFound) }
            let summary = view.adminJSON(streams: dependencies.hub.watcherCounts[match] ?? 0)
            let detail = try await dependencies.control.detail(of: match) ?? .object([])
            return Answer.json(JSONValue.record(["match": summary, "detail": detail]).bytes)
        }
        router.read("/admin/api/v1/pipeline") { _ in Answer.json(await dependencies.pipeline().bytes) }
        router.read("/admin/api/v1/audit", query: ["limit", "before"]) { call in
            let limit = try call.query.integer("limit", 1...ServerLimits.auditEntriesPerPage) ?? 50
            let before = try call.query.integer("before", 1...Int64.max)
            let rows = try await dependencies.store.audit(before: before, limit: Int(limit))
            return Answer.json(Self.items(rows.map(\.json)))
        }
    }

    private func addFeedWrites(to router: InternalRouter) {
        add("pause", to: router) { try await dependencies.feeds.pause($0, reason: $1) }
        add("resume", to: router) { feed, _ in try await dependencies.feeds.resume(feed) }
        add("poll-now", to: router, causesPoll: true) { feed, _ in try await dependencies.feeds.send(.poll, to: feed) }
        add("reset-breaker", to: router) { feed, _ in try await dependencies.feeds.send(.reset, to: feed) }
    }

    /// Adds a command for one feed; one that causes a request to the feed is refused while the feed is paused.
    private func add(
        _ name: String,
        to router: InternalRouter,
        causesPoll: Bool = false,
        _ order: @escaping @Sendable (FeedID, String) async throws -> Bool
    ) {
        let count: AdminWrite.Count = { write in
            let feed = try write.id(FeedID.self)
            let view = await dependencies.feeds.feeds().first { $0.status.feed == feed }
            if causesPoll, let reason = view?.pausedReason {
                throw ServiceProblem(.feedPaused, extras: ["pausedReason": .text(reason)])
            }
            return view == nil ? nil : 1
        }
        let action = AdminAction(name: "feed.\(name)", permission: .operate)
        router.write("/admin/api/v1/feeds/{id}/\(name)", action, wouldAffect: count) { write in
            if causesPoll { _ = try await count(write) }
            return try await Self.done(order(write.id(FeedID.self), write.reason))
        }
    }

    private func addMatchWrites(to router: InternalRouter) {
        let (matches, control) = (dependencies.matches, dependencies.control)
        let match = "/admin/api/v1/matches/{id}"
        let isKnown: AdminWrite.Count = { try await matches.view(of: $0.id(MatchID.self)) == nil ? nil : 1 }
        let hold = AdminAction(name: "match.hold", permission: .operate)
        router.write("\(match)/hold", hold, wouldAffect: isKnown) { write in
            try await Self.done(control.hold(write.id(MatchID.self), reason: write.reason))
        }
        let release = AdminAction(name: "match.release", permission: .operate)
        router.write("\(match)/release", release, wouldAffect: isKnown) { write in
            try await Self.done(control.release(write.id(MatchID.self)))
        }
        let ending = AdminAction(name: "match.end-activities", permission: .administer, needsConfirmation: true)
        let count: AdminWrite.Count = { try await control.activityCount(of: $0.id(MatchID.self)) }
        router.write("\(match)/end-activities", ending, wouldAffect: count) { write in
            try await Self.done(control.endActivities(of: write.id(MatchID.self), reason: write.reason))
        }
    }

    /// A summary of the node's health.
    func overview() async -> JSONValue {
        let views = dependencies.matches.views()
        let phases = Dictionary(grouping: views) { $0.phase.rawValue }.mapValues { Int64($0.count) }
        let checks = await dependencies.health.checks().map { check in
            JSONValue.record(["name": .text(check.name), "healthy": .bool(check.isHealthy)])
        }
        return .record([
            "version": .text(ScoreServerCommand.version),
            "started": .bool(dependencies.health.hasStarted),
            "checks": .array(checks),
            "matches": .object(
                phases.sorted { $0.key < $1.key }.map { .init(name: $0.key, value: .integer($0.value)) }
            ),
            "held": .whole(views.count { $0.news.isHeld }),
            "streams": .whole(dependencies.hub.connectionCount),
            "feeds": .array(await dependencies.feeds.feeds().map(\.json)),
            "pipeline": await dependencies.pipeline(),
        ])
    }

    static func done(_ wasKnown: Bool) throws(ServiceProblem) -> JSONValue {
        guard wasKnown else { throw ServiceProblem(.notFound) }
        return .record(["done": .bool(true)])
    }

    static func items(_ items: [JSONValue]) -> [UInt8] { JSONValue.record(["items": .array(items)]).bytes }
}
