// A proof that failed has to say what failed and how to see it again.

internal import MatchEngine
internal import MatchJournal
internal import ScoreTypes

/// The result of one proof, or of many together.
public struct FeedVerdict: Sendable {
    /// Which proof it was.
    public let proof: FeedProof
    /// Lines of the card that differ, alerts that were sent twice or never, replies that could not be read.
    public internal(set) var failures: [String] = []
    /// Alerts that were sent.
    public private(set) var told = 0
    /// Wickets of the match, and those of them with an alert.
    public private(set) var wickets = (due: 0, told: 0)
    /// Alerts that were not sent, by the reason.
    public internal(set) var passedOver: [PassedOver: Int] = [:]
    /// Alerts that were sent and that a correction made untrue later.
    public private(set) var revoked: [String] = []
    /// Alerts of what did happen, but not as they said, nor as the feed had it.
    public private(set) var untrue: [String] = []
    /// Alerts that said what the feed itself had then, and has put right since.
    public private(set) var putRight: [String] = []
    /// Alerts that would be worded otherwise now, by kind.
    public private(set) var reworded: [String: Int] = [:]
    /// How often a lower score was shown that no correction explains.
    public private(set) var falls = 0
    /// The outcomes of the polls, by name.
    public private(set) var polls: [String: Int] = [:]

    /// Nothing yet.
    ///
    /// - Parameter proof: Which proof it is about.
    public init(proof: FeedProof) { self.proof = proof }

    mutating func take(_ run: FeedFollowing) {
        polls = run.counts
        falls = run.falls
        passedOver = run.passedOver
        judge(run.rehearsal.audit) { run.hadItSo($0) }
        failures += run.lost.map { "passed over for no reason: \($0.key) \($0.title): \($0.body)" }
        if run.misread > 0 { failures.append("read otherwise without a memory: \(run.misread) pictures") }
    }

    /// Adds the alerts that were sent.
    ///
    /// - Parameters:
    ///   - audit: The alerts, held against the match.
    ///   - hadItSo: Whether the feed had the statement of an alert when it was sent.
    public mutating func judge(
        _ audit: AlertAudit,
        hadItSo: (AlertAudit.Misstatement) -> Bool = { _ in false }
    ) {
        told = audit.told.count
        wickets = (
            audit.standing.count { $0.moment.kind == .wicket }, audit.told.count { $0.moment.kind == .wicket }
        )
        revoked = audit.revoked.map { "\($0.key) \($0.title): \($0.body)" }
        for alert in audit.untrue {
            let (told, now) = (alert.told, alert.now)
            let isScorers = hadItSo(alert)
            let words = "\(told.key) \(told.title): \(told.body); now \(now.title): \(now.body)"
            if isScorers { putRight.append(words) } else { untrue.append(words) }
            reworded["\(told.kind) \(isScorers ? "put right" : "untrue")", default: 0] += 1
        }
        for statement in audit.inOtherWords { reworded["\(statement.told.kind)", default: 0] += 1 }
        failures += audit.repeated.map { "told twice: \($0.key)" } + audit.untold.map { "never told: \($0.key)" }
    }

    /// Provider, match and seed, as options of the command that plays it again.
    public var place: String {
        "--provider \(proof.provider.rawValue) --only \(proof.id) --seed \(proof.seed)"
            + (proof.pace == .live ? " --live" : "")
    }
}

/// Sums over many proofs.
public struct FeedVerdictSum: Sendable {
    /// One alert in so many may be confirmed, and revoked or put right later.
    public static let untrueOneIn = 1_000
    /// One in so many may repeat a mistake of the feed: one ball in forty is inserted when later ones have been
    /// published after it.
    public static let putRightOneIn = 200

    /// Proofs that were played.
    public private(set) var matches = 0
    /// Proofs that failed.
    public private(set) var failed = 0
    /// Alerts that were sent.
    public private(set) var told = 0
    /// Alerts that were sent and revoked.
    public private(set) var revoked = 0
    /// Alerts that were sent and agree neither with the match nor with the feed.
    public private(set) var untrue = 0
    /// Alerts that said what the feed has put right since.
    public private(set) var putRight = 0
    /// Alerts that would be worded otherwise now, by kind.
    public private(set) var reworded: [String: Int] = [:]
    /// Alerts that were not sent, by the reason.
    public private(set) var passedOver: [PassedOver: Int] = [:]
    /// Wickets of the matches, and those with an alert.
    private var wickets = (due: 0, told: 0)
    /// Lower scores that were shown and that no correction explains.
    public private(set) var falls = 0
    /// The outcomes of the polls, by name.
    public private(set) var polls: [String: Int] = [:]

    /// Nothing yet.
    public init() {}

    /// Adds a verdict.
    public mutating func add(_ verdict: FeedVerdict) {
        matches += 1
        if !verdict.failures.isEmpty { failed += 1 }
        told += verdict.told
        revoked += verdict.revoked.count
        untrue += verdict.untrue.count
        putRight += verdict.putRight.count
        falls += verdict.falls
        wickets = (wickets.due + verdict.wickets.due, wickets.told + verdict.wickets.told)
        passedOver.merge(verdict.passedOver) { $0 + $1 }
        reworded.merge(verdict.reworded) { $0 + $1 }
        polls.merge(verdict.polls) { $0 + $1 }
    }

    /// Adds what came of other proofs.
    public mutating func add(_ other: FeedVerdictSum) {
        matches += other.matches
        failed += other.failed
        told += other.told
        revoked += other.revoked
        untrue += other.untrue
        putRight += other.putRight
        falls += other.falls
        wickets = (wickets.due + other.wickets.due, wickets.told + other.wickets.told)
        passedOver.merge(other.passedOver) { $0 + $1 }
        reworded.merge(other.reworded) { $0 + $1 }
        polls.merge(other.polls) { $0 + $1 }
    }

    /// Whether wickets fell and none had an alert.
    public var isMute: Bool { wickets.due > 0 && wickets.told == 0 }

    /// Whether every card was right, no score ever fell for nothing, and as good as no alert was untrue.
    ///
    /// - few: Untrue alerts that say nothing of a rate yet: a sample has fewer alerts than a thousand.
    public func isGood(few: Int = 1) -> Bool {
        failed == 0 && falls == 0 && !isMute && revoked + untrue <= max(told / Self.untrueOneIn, few)
            && putRight <= max(told / Self.putRightOneIn, few)
    }

    /// One line.
    public var text: String {
        let reasons = Dictionary(uniqueKeysWithValues: passedOver.map { ($0.rawValue, $1) })
        return "\(matches) matches, \(failed) failed; \(told) alerts told, \(revoked) revoked later, "
            + "\(untrue) untrue, \(putRight) put right by the scorer since, worded otherwise: \(Self.list(reworded)); "
            + "passed over: \(Self.list(reasons)); \(falls) falls without a correction; polls: \(Self.list(polls))"
    }

    private static func list(_ counts: [String: Int]) -> String {
        let words = counts.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }
        return words.isEmpty ? "none" : words.joined(separator: ", ")
    }
}
