// One accident: a wicket is on its way to everybody, a node is gone, the other one has to finish.

import FollowService
import Foundation
import MatchJournal
import Postgres
import ScoreTypes
import Simulators

/// The result of one seed.
struct CrashOutcome: Sendable {
    /// How a node is lost: by SIGKILL, by SIGSTOP, in order by SIGTERM.
    enum Manner: String, Sendable, CaseIterable { case killed, stopped, ended }

    let seed: UInt64
    let manner: Manner
    let victim: NodeID
    /// Phones that showed the ball when the node was lost.
    let sentBefore: Int
    /// Phones that never showed the ball, with a client and without.
    var lost = 0
    /// Deliveries of the ball beyond the first.
    var sentTwice = 0
    /// Deliveries of the next ball beyond the first, with the stopped node back.
    var sentTwiceAfter = 0
    /// Older states shown after newer ones.
    var wentBack = 0
    /// Alerts of the wicket beyond the first that APNs accepted for a phone without a client.
    var alertsTwice = 0
    /// Phones without a client for which APNs accepted no alert of the wicket.
    var withoutAlert = 0
    /// Alerts that sounded again on a phone that had them, with a client and without.
    var soundedTwice = 0
    /// Phones with a client that showed two cards of the match.
    var cardsTwice = 0
    /// From the loss until the other node owned everything and went on from where the lost one was.
    var takeover = Duration.zero
    /// From the loss until the last phone had the ball.
    var complete = Duration.zero
    /// Whether progress and fenced writes under the lost node's term were refused.
    var isZombieRefused = false
}

/// Runs one seed.
struct CrashRun: Sendable {
    /// Changes younger than this when a bucket was sent are sent again by its next owner, so they have to be older.
    static let settleTime = Duration.seconds(12)
    private static let look = Duration.milliseconds(2)

    let crash: CrashTestbed
    let phones: Int
    let seed: UInt64

    private var counts: ScreenTally.Counts { crash.phones.tally.counts }
    /// Alerts of the whole run that sounded again.
    private var soundedTwice: Int { crash.phones.alertsTwice + crash.clients.report(newest: 0).alertsTwice }
    /// How the node is lost: each manner has a third of the seeds.
    private var manner: CrashOutcome.Manner {
        CrashOutcome.Manner.allCases[Int(seed % UInt64(CrashOutcome.Manner.allCases.count))]
    }

    /// Loses a node in the middle of a wicket and sees the wicket through.
    func run(_ match: inout CrashMatch) async throws -> CrashOutcome {
        var generator = SplitMix64(seed: seed)
        try await untilShared()
        let opening = try await match.ball()
        crash.phones.tally.watch(opening)
        try await untilShown(opening)
        let victim = crash.nodes[Int.random(in: crash.nodes.indices, using: &generator)]
        let share = Double.random(in: 0.05...0.85, using: &generator)
        let term = try await self.term(of: victim)
        let owned = try await buckets(of: term)
        let sounded = soundedTwice
        crash.bed.apns.countAlerts()

        let revision = try await match.wicket()
        crash.phones.tally.watch(revision)
        try await until("the wicket is being sent") { counts.reached > Int(Double(phones) * share) }
        let before = counts.reached
        let start = ContinuousClock.now
        victim.signal(signal)
        var outcome = CrashOutcome(seed: seed, manner: manner, victim: victim.name, sentBefore: before)
        try await until("the other node owns all buckets") { try await buckets(of: term).isEmpty }
        // Until then a progress record of the lost node counts, and saves repetitions.
        try await until("the other node continues") { try await isTakenOver(from: term) }
        outcome.takeover = ContinuousClock.now - start
        try? await until("every phone has the wicket") { counts.reached == phones }
        outcome.complete = ContinuousClock.now - start
        try? await until("every client has the wicket") { clientsBehind(revision) == 0 }
        outcome.isZombieRefused = try await isRefused(victim.name, term, owned, revision: revision + 1)
        outcome.lost = phones - counts.reached + clientsBehind(revision)
        // A node that ends in order starts again only when it has ended.
        if manner == .ended { try await until("\(victim.name) has ended") { !victim.isRunning } }
        try await comeBack(victim, &match, &generator, &outcome)
        outcome.soundedTwice = soundedTwice - sounded
        let alerts = crash.bed.apns.alertsAccepted(for: crash.tokens)
        outcome.withoutAlert = alerts.count { $0 == 0 }
        outcome.alertsTwice = alerts.reduce(0) { $0 + max(0, $1 - 1) }
        return outcome
    }

    private var signal: Int32 {
        switch manner {
        case .killed: SIGKILL
        case .stopped: SIGSTOP
        case .ended: SIGTERM
        }
    }

    /// Lets the lost node come back in the middle of the next ball: from the dead, or from a long sleep.
    private func comeBack(
        _ victim: ServeProcess,
        _ match: inout CrashMatch,
        _ generator: inout SplitMix64,
        _ outcome: inout CrashOutcome
    ) async throws {
        victim.signal(SIGCONT)
        try await Task.sleep(for: .milliseconds(.random(in: 0...800, using: &generator)))
        outcome.sentTwice = counts.repeats
        let next = try await match.ball()
        crash.phones.tally.watch(next)
        try victim.start()
        try await untilShown(next)
        try await untilShared()
        let clients = crash.clients.report(newest: next)
        outcome.sentTwiceAfter = counts.repeats
        outcome.wentBack = counts.wentBack + clients.wentBack
        outcome.cardsTwice = clients.cardsTwice
    }

    /// Phones with a client that do not show a revision.
    private func clientsBehind(_ revision: Int64) -> Int {
        let clients = crash.clients.report(newest: revision)
        return clients.phones - clients.atNewest
    }

    /// Waits until both nodes are well and own half of the buckets each.
    private func untilShared() async throws {
        for node in crash.nodes { try node.start() }
        for node in crash.nodes {
            try await until("\(node.name) is ready") { await crash.bed.isReady(node) }
        }
        try await until("the buckets are shared") {
            let counts = try await crash.pool.query(SQL.shares) { try $0.int(0) }
            return counts == Array(repeating: Int64(Bucket.count / crash.nodes.count), count: crash.nodes.count)
        }
    }

    private func untilShown(_ revision: Int64) async throws {
        try await until("every phone has ball \(revision)") { counts.reached == phones }
        try await until("every client has ball \(revision)") { clientsBehind(revision) == 0 }
    }

    private func term(of node: ServeProcess) async throws -> Term {
        let terms = try await crash.pool.query(SQL.term, [.text(node.name.text)]) { Term(try $0.int(0)) }
        guard let term = terms.first else { throw MeasurementFailure("\(node.name) has no term") }
        return term
    }

    private func buckets(of term: Term) async throws -> [Bucket] {
        try await crash.pool.query(SQL.buckets, [.int(term.number)]) { Bucket(Int(try $0.int(0))) }.compactMap { $0 }
    }

    /// Whether no progress lies under a lost term any more.
    private func isTakenOver(from term: Term) async throws -> Bool {
        try await crash.pool.query(SQL.left, [.text(CrashMatch.match.text), .int(term.number)]) { try $0.int(0) } == [0]
    }

    /// Writes as the lost node would, had it not noticed.
    private func isRefused(_ node: NodeID, _ term: Term, _ owned: [Bucket], revision: Int64) async throws -> Bool {
        let progress = ProgressRecords(pool: crash.pool, clock: ServiceClock()) { term }
        let isRecorded = try await progress.record(
            match: CrashMatch.match,
            buckets: owned,
            revision: revision,
            at: ServiceClock().wall
        )
        do {
            let fence = Fence(node: node, term: term)
            try await crash.pool.transaction { try fence.check(on: $0) }
            return false
        } catch let error as PostgresError where error.kind == .fenced {
            return !isRecorded
        }
    }

    private func until(_ what: String, _ condition: () async throws -> Bool) async throws {
        let deadline = ContinuousClock.now + LabLimits.crashWait
        while try await !condition() {
            guard ContinuousClock.now < deadline else {
                throw MeasurementFailure(
                    "seed \(seed): not within \(LabLimits.crashWait): \(what); \(counts)"
                )
            }
            try await Task.sleep(for: Self.look)
        }
    }

    private enum SQL {
        static let term = Statement("select term from node where node_id = $1")
        static let buckets = Statement("select bucket from bucket_owner where term = $1 order by bucket")
        static let left = Statement("select count(*) from fanout where match_id = $1 and term = $2")
        static let shares = Statement(
            """
            select count(*) from bucket_owner o join node n on n.term = o.term and n.expires_at > clock_timestamp()
            group by n.node_id order by n.node_id
            """
        )
    }
}
