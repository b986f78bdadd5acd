// The health checks of a node read the database, the term, the publisher and the state of the shutdown.

import MatchJournal
import Postgres
import ScoreTypes
import Synchronization

/// The health of a node.
final class NodeHealth: HealthChecking {
    private let pool: Pool
    private let membership: Membership
    private let publications: PublicationCache
    private let feedURL: String?
    private let recovered = Atomic<Bool>(false)
    private let draining = Atomic<Bool>(false)

    init(pool: Pool, membership: Membership, publications: PublicationCache, feedURL: String?) {
        self.pool = pool
        self.membership = membership
        self.publications = publications
        self.feedURL = feedURL
    }

    var hasStarted: Bool { recovered.load(ordering: .relaxed) }

    /// Takes the node out of traffic at once.
    func drain() { draining.store(true, ordering: .relaxed) }

    func checks() async -> [HealthCheck] {
        let isReachable = await databaseAnswers()
        let isRecovered = publications.isRecovered
        if isRecovered { recovered.store(true, ordering: .relaxed) }
        let isDraining = draining.load(ordering: .relaxed)
        return [
            HealthCheck("db", isHealthy: isReachable, detail: isReachable ? nil : "no answer within a second"),
            HealthCheck("term", isHealthy: membership.isTrusted, isHard: false),
            HealthCheck("recovery", isHealthy: isRecovered, isHard: true),
            HealthCheck("feed", isHealthy: feedURL != nil, isHard: false, detail: feedURL == nil ? "none set" : nil),
            HealthCheck("drain", isHealthy: !isDraining),
        ]
    }

    private func databaseAnswers() async -> Bool {
        let answer = try? await Deadline.run(.seconds(1), .unavailable("db")) { [pool] in
            try await pool.query(SQL.one) { try $0.int(0) }
        }
        return answer == [1]
    }

    private enum SQL {
        static let one = Statement("select 1::bigint")
    }
}
