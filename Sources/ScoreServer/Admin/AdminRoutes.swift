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
        router.read(.overview) { _ in Answer.json(await overview().bytes) }
        router.read(.feeds) { _ in
            Answer.json(Self.items(await dependencies.feeds.feeds().map(\.json)))
        }
        router.read(.matches) { _ in
            let counts = dependencies.hub.watcherCounts
            let views = dependencies.matches.views().sorted { $0.match < $1.match }
            return Answer.json(Self.items(views.map { $0.adminJSON(streams: counts[$0.match] ?? 0) }))
        }
        router.read(.match) { call in
            let match = try call.parameter("id", as: MatchID.self)
            guard let view = try await dependencies.matches.view(of: match) else { throw ServiceProblem(.notFound) }
            let detail = AdminMatchDetail(
                view: view,
                streams: dependencies.hub.watcherCounts[match] ?? 0,
                detail: try await dependencies.control.detail(of: match, countsWithin: ServerLimits.countedWait),
                pipeline: await dependencies.pipeline()
            )
            return Answer.json(detail.json.bytes)
        }
        router.read(.pipeline) { _ in Answer.json(await dependencies.pipeline().bytes) }
    }

    private func addFeedWrites(to router: InternalRouter) {
        add(.pauseFeed, to: router) { try await dependencies.feeds.pause($0, reason: $1) }
        add(.resumeFeed, to: router) { feed, _ in try await dependencies.feeds.resume(feed) }
        add(.pollFeed, to: router, causesPoll: true) { feed, _ in try await dependencies.feeds.send(.poll, to: feed) }
        add(.resetFeed, to: router) { feed, _ in try await dependencies.feeds.send(.reset, to: feed) }
    }

    /// Adds a command for one feed; one that causes a request to the feed is refused while the feed is paused.
    private func add(
        _ route: AdminRoute,
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
        router.write(route, wouldAffect: count) { write in
            if causesPoll { _ = try await count(write) }
            return try await Self.done(order(write.id(FeedID.self), write.reason))
        }
    }

    private func addMatchWrites(to router: InternalRouter) {
        let (matches, control) = (dependencies.matches, dependencies.control)
        let isKnown: AdminWrite.Count = { try await matches.view(of: $0.id(MatchID.self)) == nil ? nil : 1 }
        router.write(.holdMatch, wouldAffect: isKnown) { write in
            try await Self.done(control.hold(write.id(MatchID.self), reason: write.reason))
        }
        router.write(.releaseMatch, wouldAffect: isKnown) { write in
            try await Self.done(control.release(write.id(MatchID.self)))
        }
        let count: AdminWrite.Count = { try await control.endCount(of: $0.id(MatchID.self)) }
        router.write(.endActivities, wouldAffect: count) { write in
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
