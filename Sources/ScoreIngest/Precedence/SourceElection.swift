// Two feeds may tell the same match; one of them speaks, the other stands by until it is needed.

public import ScoreTypes

/// Which feed speaks for one match.
///
/// ```
/// nobody ──the first choice answers, or the grace is over──▶ a feed leads
/// a feed leads ──silent, and another answers that is not behind──▶ that one leads
/// another leads ──the better one has answered for a while and is not behind──▶ the better one leads
/// ```
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
        if standings[feed] == nil { standings[feed] = Standing(precedence: precedence) }
    }

    /// Lets a feed go that has the match no more.
    public mutating func leave(_ feed: FeedID) {
        standings[feed] = nil
        if leader == feed { leader = nil }
    }

    /// How many feeds have the match.
    public var feedCount: Int { standings.count }

    /// A feed has answered with a picture that can be read, or that nothing has changed.
    ///
    /// - Parameters:
    ///   - feed: Which one.
    ///   - isBehind: Whether it knows less of the match than is stored.
    ///   - isResting: Whether no balls are to be expected.
    ///   - now: Real time by a clock that never jumps.
    ///   - clock: Scales the spans.
    /// - Returns: Whether it speaks for the match.
    public mutating func answered(
        _ feed: FeedID,
        isBehind: Bool,
        isResting: Bool,
        now: Duration,
        clock: ServiceClock
    ) -> Role {
        let silence = clock.real(isResting ? Self.restSilence : Self.silence, floor: Self.floor)
        note(feed, now: now, silence: silence)
        if leader == feed { return .leads(isNew: false) }
        guard mayLead(feed, isBehind: isBehind, silence: silence, now: now, clock: clock) else { return .follows }
        let isNew = leader != nil
        leader = feed
        return .leads(isNew: isNew)
    }

    private mutating func note(_ feed: FeedID, now: Duration, silence: Duration) {
        var standing = standings[feed] ?? Standing(precedence: .max)
        let isUnbroken = standing.lastAnswer.map { now - $0 < silence } == true
        if !isUnbroken { standing.answersSince = now }
        standing.lastAnswer = now
        standings[feed] = standing
    }

    private func mayLead(
        _ feed: FeedID,
        isBehind: Bool,
        silence: Duration,
        now: Duration,
        clock: ServiceClock
    ) -> Bool {
        guard let standing = standings[feed] else { return false }
        guard let leader, let leading = standings[leader] else {
            let best = standings.values.map(\.precedence).min() ?? .max
            if standing.precedence <= best { return true }
            // The first choice may only be slow; who is second waits for it.
            return now - (begunAt ?? now) >= clock.real(Self.grace, floor: Self.floor)
        }
        let quiet = now - (leading.lastAnswer ?? begunAt ?? now)
        if quiet >= silence {
            let patience = clock.real(Self.behindMax, floor: Self.floor)
            return isBest(feed, standing, silence: silence, now: now) && (!isBehind || quiet >= silence + patience)
        }
        let steady = now - (standing.answersSince ?? now) >= clock.real(Self.recovery, floor: Self.floor)
        return standing.precedence < leading.precedence && steady && !isBehind
    }

    /// Whether no better feed answers.
    private func isBest(_ feed: FeedID, _ standing: Standing, silence: Duration, now: Duration) -> Bool {
        standings.allSatisfy { other, rival in
            other == feed || rival.precedence >= standing.precedence
                || rival.lastAnswer.map { now - $0 >= silence } != false
        }
    }
}
