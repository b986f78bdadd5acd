// Two feeds may tell the same match; one of them speaks, the other stands by until it is needed.

public import ScoreTypes

/// Which feed speaks for one match.
///
/// ```
/// nobody ──the first choice answers, or the grace is over──▶ a feed leads
/// a feed leads ──silent, and another answers that is not behind──▶ that one leads
/// another leads ──the better one has answered for a while and is not behind──▶ the better one leads
/// a feed leads ──it has the match no more, and that is over──▶ it leads, unless a better one answers
/// ```
///
/// A feed is silent when nothing came of it for `silence`, or for twice the time after which it was to be asked again:
/// nobody is silent for being asked seldom. Replies that are held one after the other count as none.
public struct SourceElection: Sendable, Hashable {
    /// Domain time without an answer of the leader after which another feed speaks: six polls of a match in play.
    public static let silence: Duration = .seconds(30)
    /// The same while no balls are to be expected, since polls are rarer then.
    public static let restSilence: Duration = .seconds(180)
    /// Domain time that the first choice is waited for at the beginning.
    public static let grace: Duration = .seconds(15)
    /// Domain time that a better feed has to answer without a break before it speaks again: no to and fro.
    public static let recovery: Duration = .seconds(30)
    /// Domain time after which a feed that is behind speaks all the same: what it lacks may never have happened.
    public static let behindMax: Duration = .seconds(120)
    /// Shortest real form of all of these, however fast the clock runs.
    public static let floor: Duration = .milliseconds(300)

    private struct Standing: Sendable, Hashable {
        let precedence: Int
        var lastAnswer: Duration?
        var answersSince: Duration?
        /// Real time after its last answer until it was to be asked again.
        var interval = Duration.zero
        /// Whether it has the match no more; of those only who speaks is remembered.
        var isGone = false

        /// Real time without an answer after which it is silent: one answer that failed to come is none yet.
        func silence(atLeast span: Duration) -> Duration { max(span, interval * 2) }
    }

    private var standings: [FeedID: Standing] = [:]
    private var begunAt: Duration?
    /// Who speaks; nil before anybody has.
    public private(set) var leader: FeedID?

    /// What an answer means.
    public enum Role: Sendable, Hashable {
        /// It is the match's; `isNew` when another feed led before.
        case leads(isNew: Bool)
        /// It is compared, and not more.
        case follows
    }

    /// Knows no feed.
    public init() {}

    /// Takes a feed in that has the match.
    public mutating func join(_ feed: FeedID, precedence: Int, now: Duration) {
        if begunAt == nil { begunAt = now }
        standings[feed, default: Standing(precedence: precedence)].isGone = false
    }

    /// Remembers who spoke for the match before anybody did here: on another node, or before a writer was lost.
    public mutating func recall(_ feed: FeedID, precedence: Int) {
        guard leader == nil else { return }
        leader = feed
        if standings[feed] == nil { standings[feed] = Standing(precedence: precedence, isGone: true) }
    }

    /// Lets a feed go that has the match no more; who speaks may be back before it counts as silent.
    public mutating func leave(_ feed: FeedID) {
        if leader == feed { standings[feed]?.isGone = true } else { standings[feed] = nil }
    }

    /// Takes note of when a feed is asked again, in real time after its last answer.
    public mutating func asksAgain(_ feed: FeedID, in interval: Duration) { standings[feed]?.interval = interval }

    /// A feed has answered with a picture that can be read, or that nothing has changed.
    ///
    /// - Parameters:
    ///   - feed: Which one.
    ///   - isBehind: Whether it knows less of the match than is stored.
    ///   - isResting: Whether no balls are to be expected.
    ///   - isOver: Whether the match is stored as over.
    ///   - now: Real time by a clock that never jumps.
    ///   - clock: Scales the spans.
    /// - Returns: Whether it speaks for the match.
    public mutating func answered(
        _ feed: FeedID,
        isBehind: Bool,
        isResting: Bool,
        isOver: Bool = false,
        now: Duration,
        clock: ServiceClock
    ) -> Role {
        let silence = clock.real(isResting ? Self.restSilence : Self.silence, floor: Self.floor)
        note(feed, now: now, silence: silence)
        if leader == feed { return .leads(isNew: false) }
        guard let standing = standings[feed], let leader, let leading = standings[leader] else {
            guard mayBegin(feed, now: now, clock: clock) else { return .follows }
            self.leader = feed
            return .leads(isNew: false)
        }
        let quiet = now - (leading.lastAnswer ?? begunAt ?? now)
        let isBetter = standing.precedence < leading.precedence
        let mayLead: Bool
        if leading.isGone && isOver && !isBetter {
            // It has told the match to its end: who stays behind says the same in other words, or is stuck.
            mayLead = false
        } else if quiet >= leading.silence(atLeast: silence) {
            let patience = leading.silence(atLeast: silence) + clock.real(Self.behindMax, floor: Self.floor)
            mayLead = isBest(feed, standing, silence: silence, now: now) && (!isBehind || quiet >= patience)
        } else {
            let steady = now - (standing.answersSince ?? now) >= clock.real(Self.recovery, floor: Self.floor)
            mayLead = isBetter && steady && !isBehind
        }
        guard mayLead else { return .follows }
        if leading.isGone { standings[leader] = nil }
        self.leader = feed
        return .leads(isNew: true)
    }

    private mutating func note(_ feed: FeedID, now: Duration, silence: Duration) {
        var standing = standings[feed] ?? Standing(precedence: .max)
        let span = standing.silence(atLeast: silence)
        let isUnbroken = standing.lastAnswer.map { now - $0 < span } == true
        if !isUnbroken { standing.answersSince = now }
        standing.lastAnswer = now
        standings[feed] = standing
    }

    /// Whether a feed may speak where nobody has: the first choice may only be slow, and who is second waits for it.
    private func mayBegin(_ feed: FeedID, now: Duration, clock: ServiceClock) -> Bool {
        let best = standings.values.map(\.precedence).min() ?? .max
        if (standings[feed]?.precedence ?? .max) <= best { return true }
        return now - (begunAt ?? now) >= clock.real(Self.grace, floor: Self.floor)
    }

    /// Whether no better feed answers.
    private func isBest(_ feed: FeedID, _ standing: Standing, silence: Duration, now: Duration) -> Bool {
        standings.allSatisfy { other, rival in
            other == feed || rival.precedence >= standing.precedence
                || rival.lastAnswer.map { now - $0 >= rival.silence(atLeast: silence) } != false
        }
    }
}
