// A proof that failed has to say what failed and how to see it again.

import MatchEngine
import MatchJournal
import ScoreTypes

/// The result of one proof.
@dynamicMemberLookup
struct FeedVerdict: Sendable {
    let proof: FeedProof
    /// Lines of the card that differ, scores that fell without a correction, alerts that were sent twice or never,
    /// replies that could not be read.
    var failures: [String] = []
    /// Alerts that were sent and that a correction made untrue later.
    private(set) var revoked: [String] = []
    /// Alerts of what did happen, but not as they said, nor as the feed had it.
    private(set) var untrue: [String] = []
    /// Alerts that said what the feed itself had then, and has put right since.
    private(set) var putRight: [String] = []
    private(set) var counts = FeedVerdictSum()
    /// Observations about the feed of the match.
    private(set) var observations: [MomentObservation] = []

    /// A count of this proof alone.
    subscript<Value>(dynamicMember member: KeyPath<FeedVerdictSum, Value>) -> Value { counts[keyPath: member] }

    /// The counts with those of the lists.
    var sum: FeedVerdictSum {
        var sum = counts
        (sum.matches, sum.failed) = (1, failures.isEmpty ? 0 : 1)
        (sum.revoked, sum.untrue, sum.putRight) = (revoked.count, untrue.count, putRight.count)
        return sum
    }

    mutating func take(_ run: FeedFollowing) {
        counts = run.sum
        observations = run.rehearsal.observations
        judge(run.rehearsal.audit) { run.hadItSo($0) }
        failures += run.fallen.map { "showed less without a correction: \($0)" }
        failures += run.lost.map { "omitted without a reason: \($0.key) \($0.title): \($0.body)" }
        if run.misread > 0 { failures.append("read differently without earlier replies: \(run.misread) snapshots") }
    }

    /// Adds the alerts that were sent; `hadItSo` says whether the feed had the statement of an alert at that time.
    mutating func judge(_ audit: AlertAudit, hadItSo: (AlertAudit.Misstatement) -> Bool = { _ in false }) {
        counts.announced = audit.announced.count
        counts.wickets = (
            audit.current.count { $0.moment.kind == .wicket }, audit.announced.count { $0.moment.kind == .wicket }
        )
        revoked = audit.revoked.map { "\($0.key) \($0.title): \($0.body)" }
        for alert in audit.untrue {
            let (announced, now) = (alert.announced, alert.now)
            let isScorers = hadItSo(alert)
            let words = "\(announced.key) \(announced.title): \(announced.body); now \(now.title): \(now.body)"
            if isScorers { putRight.append(words) } else { untrue.append(words) }
            counts.reworded["\(announced.kind) \(isScorers ? "corrected" : "untrue")", default: 0] += 1
        }
        for statement in audit.inOtherWords { counts.reworded["\(statement.announced.kind)", default: 0] += 1 }
        failures +=
            audit.repeated.map { "announced twice: \($0.key)" } + audit.unannounced.map { "never announced: \($0.key)" }
    }

    /// Provider, match and seed, as options of the command that plays it again.
    var place: String {
        "--provider \(proof.provider.rawValue) --only \(proof.id) --seed \(proof.seed)"
            + (proof.pace == .live ? " --live" : "")
    }
}

/// Sums over many proofs.
struct FeedVerdictSum: Sendable {
    /// One alert in so many may be confirmed, and revoked or put right later.
    static let untrueOneIn = 1_000
    /// One alert in so many may be omitted after held replies.
    ///
    /// No rule ends a doubt: a feed may show one old copy after another. With the faults of the simulated feeds one
    /// alert in 130 was omitted for it, so that a larger share shows a gate that holds too much.
    static let doubtedOneIn = 50

    var matches = 0
    var failed = 0
    /// Alerts that were sent.
    var announced = 0
    /// Alerts that were sent and revoked.
    var revoked = 0
    /// Alerts that were sent and agree neither with the match nor with the feed.
    var untrue = 0
    /// Alerts that said what the feed has put right since.
    var putRight = 0
    /// Alerts that would be worded otherwise now, by kind.
    var reworded: [String: Int] = [:]
    /// Alerts that were not sent, by the reason.
    var passedOver: [PassedOver: Int] = [:]
    /// Wickets of the matches, and those with an alert.
    var wickets = (due: 0, announced: 0)
    /// From the first reading of a ball to the alert of its moment.
    var delays: [Duration] = []
    /// The outcomes of the polls, by name.
    var polls: [String: Int] = [:]

    /// Adds the counts of other proofs.
    mutating func add(_ other: FeedVerdictSum) {
        matches += other.matches
        failed += other.failed
        announced += other.announced
        revoked += other.revoked
        untrue += other.untrue
        putRight += other.putRight
        delays += other.delays
        wickets = (wickets.due + other.wickets.due, wickets.announced + other.wickets.announced)
        passedOver.merge(other.passedOver, uniquingKeysWith: +)
        reworded.merge(other.reworded, uniquingKeysWith: +)
        polls.merge(other.polls, uniquingKeysWith: +)
    }

    /// Whether wickets fell and none had an alert.
    var isMute: Bool { wickets.due > 0 && wickets.announced == 0 }

    /// Alerts that were omitted after held replies.
    var doubted: Int { passedOver[.doubt] ?? 0 }

    /// Whether no proof failed, and few enough alerts were untrue, corrected by the scorer or omitted; so `few` of them
    /// say nothing of a rate yet: a sample has fewer alerts than a thousand.
    func isGood(few: Int = 1, at pace: ProofPace = .strides) -> Bool {
        let omitted = passedOver.values.reduce(0, +)
        return failed == 0 && !isMute && revoked + untrue <= max(announced / Self.untrueOneIn, few)
            && putRight <= max(announced / pace.putRightOneIn, few)
            && doubted <= max((announced + doubted) / Self.doubtedOneIn, few)
            && pace.passedOverOneIn.map { omitted <= max((announced + omitted) / $0, few) } ?? true
    }

    /// One line.
    var text: String {
        let reasons = Dictionary(uniqueKeysWithValues: passedOver.map { ($0.rawValue, $1) })
        return "\(matches) matches, \(failed) failed; \(announced) alerts announced, "
            + "\(Self.seconds(delay(at: 0.5))) s after their ball in the median and \(Self.seconds(delay(at: 0.95))) s "
            + "in the 95th percentile, \(revoked) revoked later, \(untrue) untrue, \(putRight) corrected by the scorer "
            + "since, reworded: \(Self.list(reworded)); "
            + "omitted: \(Self.list(reasons)); polls: \(Self.list(polls))"
    }

    /// The delay that this share of the alerts did not exceed; zero without alerts.
    func delay(at share: Double) -> Duration {
        let sorted = delays.sorted()
        return sorted.isEmpty ? .zero : sorted[min(sorted.count - 1, Int(Double(sorted.count) * share))]
    }

    private static func seconds(_ span: Duration) -> Double { Double(span.milliseconds / 100) / 10 }

    /// A JSON object of the figures that the exit status depends on, and of the delays.
    func write(to json: inout JSONWriter) {
        json.field("matches", matches)
        json.field("failed", failed)
        json.field("alerts", announced)
        json.field("revoked", revoked)
        json.field("untrue", untrue)
        json.field("putRight", putRight)
        json.field("doubted", doubted)
        json.field("doubtedMost", (announced + doubted) / Self.doubtedOneIn)
        json.field("passedOver", passedOver.values.reduce(0, +))
        json.object("passedOverBy") { reasons in
            reasons.field("silence", passedOver[.silence] ?? 0)
            reasons.field("doubt", passedOver[.doubt] ?? 0)
            reasons.field("firstSight", passedOver[.firstSight] ?? 0)
            reasons.field("buried", passedOver[.buried] ?? 0)
        }
        json.number("delayP50Seconds", Self.seconds(delay(at: 0.5)))
        json.number("delayP95Seconds", Self.seconds(delay(at: 0.95)))
    }

    private static func list(_ counts: [String: Int]) -> String {
        let words = counts.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }
        return words.isEmpty ? "none" : words.joined(separator: ", ")
    }
}
