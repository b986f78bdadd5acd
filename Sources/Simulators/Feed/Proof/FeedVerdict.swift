// A proof that failed has to say what failed and how to see it again.

internal import MatchEngine
internal import ScoreIngest

/// What came of one proof, or of many together.
public struct FeedVerdict: Sendable {
    /// Which proof it was.
    public let proof: FeedProof
    /// Lines of the card that differ, alerts that were told twice or never, readings that failed.
    public internal(set) var failures: [String] = []
    /// Alerts that were told.
    public private(set) var told = 0
    /// Alerts that were told and that a correction made untrue later.
    public private(set) var revoked: [String] = []
    /// How often a lower score was shown that no correction explains.
    public private(set) var falls = 0
    /// What became of the polls, by word.
    public private(set) var polls: [String: Int] = [:]

    init(proof: FeedProof) { self.proof = proof }

    mutating func take(_ run: FeedFollowing) {
        told = run.rehearsal.alerts.count
        revoked = run.rehearsal.revoked.map { "\($0.key) \($0.title): \($0.body)" }
        polls = run.counts
        falls = run.falls
        failures += run.rehearsal.repeated.map { "told twice: \($0.key)" }
        if run.misread > 0 { failures.append("read otherwise without a memory: \(run.misread) pictures") }
        failures += run.rehearsal.untold.map { "never told: \($0.key)" }
    }

    /// Provider, match and seed, as options of the command that plays it again.
    public var place: String {
        "--provider \(proof.provider.rawValue) --only \(proof.id) --seed \(proof.seed)"
            + (proof.pace == .live ? " --live" : "")
    }
}

/// Sums over many proofs.
public struct FeedVerdictSum: Sendable {
    /// One alert in so many may be confirmed and revoked later.
    public static let revokedOneIn = 1_000

    /// Proofs that were played.
    public private(set) var matches = 0
    /// Proofs that failed.
    public private(set) var failed = 0
    /// Alerts that were told.
    public private(set) var told = 0
    /// Alerts that were told and revoked.
    public private(set) var revoked = 0
    /// Lower scores that were shown and that no correction explains.
    public private(set) var falls = 0
    /// What became of the polls, by word.
    public private(set) var polls: [String: Int] = [:]

    /// Nothing yet.
    public init() {}

    /// Adds a verdict.
    public mutating func add(_ verdict: FeedVerdict) {
        matches += 1
        if !verdict.failures.isEmpty { failed += 1 }
        told += verdict.told
        revoked += verdict.revoked.count
        falls += verdict.falls
        polls.merge(verdict.polls) { $0 + $1 }
    }

    /// Adds what came of other proofs.
    public mutating func add(_ other: FeedVerdictSum) {
        matches += other.matches
        failed += other.failed
        told += other.told
        revoked += other.revoked
        falls += other.falls
        polls.merge(other.polls) { $0 + $1 }
    }

    /// Whether every card was right, no score ever fell for nothing, and as good as no alert was untrue.
    ///
    /// - few: Revoked alerts that say nothing of a rate yet: a sample has fewer alerts than a thousand.
    public func isGood(few: Int = 1) -> Bool {
        failed == 0 && falls == 0 && revoked <= max(told / Self.revokedOneIn, few)
    }

    /// One line.
    public var text: String {
        let counts = polls.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }.joined(separator: ", ")
        return "\(matches) matches, \(failed) failed; \(told) alerts told, \(revoked) revoked later; "
            + "\(falls) falls without a correction; polls: \(counts)"
    }
}
