// The health checks of a node read the database, the term, the publisher and the state of the shutdown.

import FollowService
import MatchJournal
import Postgres
import ScoreTypes
import Synchronization

/// The health of a node.
final class NodeHealth: HealthChecking {
    private let pool: Pool
    private let membership: Membership
    private let publications: PublicationCache
    private let arenas: ArenaIndex
    private let hasFeeds: Bool
    /// Why channels cannot be managed, in one sentence; nil if they can.
    private let channelProblem: @Sendable () -> String?
    private let draining = Atomic<Bool>(false)
    private let drained = Atomic<Bool>(false)

    init(
        _ pool: Pool,
        _ membership: Membership,
        _ publications: PublicationCache,
        _ arenas: ArenaIndex,
        hasFeeds: Bool,
        channelProblem: @escaping @Sendable () -> String?
    ) {
        self.channelProblem = channelProblem
        (self.pool, self.membership, self.publications, self.arenas) = (pool, membership, publications, arenas)
        self.hasFeeds = hasFeeds
    }

    var hasStarted: Bool { publications.isRecovered }

    /// Fails the readiness check from now on.
    func drain() { draining.store(true, ordering: .relaxed) }

    /// Fails the readiness check while an operator has drained the node.
    func setDrained(_ isDrained: Bool) { drained.store(isDrained, ordering: .relaxed) }

    func checks() async -> [HealthCheck] {
        async let tokens = tokenChanges()
        let isReachable = await databaseAnswers()
        let (isDraining, isDrained) = (draining.load(ordering: .relaxed), drained.load(ordering: .relaxed))
        let drainDetail = isDraining ? "shutdown" : isDrained ? "an operator drained the node" : nil
        let channelProblem = channelProblem()
        return [
            HealthCheck(name: "db", isHealthy: isReachable, detail: isReachable ? nil : "no answer within a second"),
            await tokens,
            HealthCheck(name: "term", isHealthy: membership.isTrusted, isHard: false),
            HealthCheck(name: "recovery", isHealthy: publications.isRecovered),
            HealthCheck(name: "feed", isHealthy: hasFeeds, isHard: false, detail: hasFeeds ? nil : "none set"),
            HealthCheck(name: "channels", isHealthy: channelProblem == nil, isHard: false, detail: channelProblem),
            HealthCheck(name: "drain", isHealthy: drainDetail == nil, detail: drainDetail),
        ]
    }

    private func databaseAnswers() async -> Bool {
        let answer = try? await Deadline.run(.seconds(1), .unavailable("db")) { [pool] in
            try await pool.query(SQL.one) { try $0.int(0) }
        }
        return answer == [1]
    }

    /// Whether registrations are accepted, and seen by this node.
    ///
    /// A late reader loses nothing and sees them later.
    private func tokenChanges() async -> HealthCheck {
        let trouble: ArenaIndex.Trouble?
        do {
            trouble = try await Deadline.run(.seconds(1), .unavailable("db")) { [arenas] in await arenas.trouble() }
        } catch {
            return HealthCheck(name: "tokens", isHealthy: false, detail: "no answer within a second")
        }
        guard let trouble else { return HealthCheck(name: "tokens", isHealthy: true) }
        if case .late = trouble {
            return HealthCheck(name: "tokens", isHealthy: false, isHard: false, detail: "\(trouble)")
        }
        return HealthCheck(name: "tokens", isHealthy: false, detail: "\(trouble)")
    }

    private enum SQL {
        static let one = Statement("select 1::bigint")
    }
}
