// Two feeds may report the same match; one of them leads, the other one stands by.

internal import ScoreTypes

/// Which feed leads one match.
///
/// ```
/// no leader ──the first choice answers, or its grace is over──▶ a feed leads
/// a feed leads ──silent, and another one answers that is not behind──▶ the other one leads
/// a feed leads ──a better one has answered for a while and is not behind──▶ the better one leads
/// a feed leads ──it has the match no more, and the match is over──▶ it leads, unless a better one answers
/// ```
///
/// A feed is silent when it has not answered for `IngestLimits.leaderSilence`, or for twice its polling interval: a
/// feed that is polled seldom is not silent for that. Consecutive held replies count as no answer.
struct SourceElection: Sendable, Hashable {
    private struct Candidate: Sendable, Hashable {
        let precedence: Int
        var lastAnswer: Duration?
        var answersSince: Duration?
        /// Real time from its last answer to the next poll.
        var interval = Duration.zero
        /// Whether it has the match no more; then only the leader is remembered.
        var isGone = false

        /// Real time without an answer after which it is silent: one missing answer is no silence.
        func silence(atLeast span: Duration) -> Duration { max(span, interval * 2) }
    }

    private var candidates: [FeedID: Candidate] = [:]
    private var begunAt: Duration?
    /// The leading feed; nil before any has led.
    private(set) var leader: FeedID?

    /// The role that an answer gives a feed.
    enum Role: Sendable, Hashable {
        /// The feed leads; `isNew` when another one led before.
        case leads(isNew: Bool)
        /// The feed stands by.
        case standsBy
    }

    /// A feed has the match; `now` is the monotonic clock.
    mutating func join(_ feed: FeedID, precedence: Int, now: Duration) {
        if begunAt == nil { begunAt = now }
        candidates[feed, default: Candidate(precedence: precedence)].isGone = false
    }

    /// Sets the feed that led the match last, on another node or before a writer was lost; only while none leads here.
    mutating func recall(_ feed: FeedID, precedence: Int) {
        guard leader == nil else { return }
        leader = feed
        if candidates[feed] == nil { candidates[feed] = Candidate(precedence: precedence, isGone: true) }
    }

    /// A feed has the match no more; the leader may be back before it counts as silent.
    mutating func leave(_ feed: FeedID) {
        if leader == feed { candidates[feed]?.isGone = true } else { candidates[feed] = nil }
    }

    /// Sets the real time from the last answer of a feed to the next poll.
    mutating func isPolledAgain(_ feed: FeedID, in interval: Duration) { candidates[feed]?.interval = interval }

    /// A feed has answered, with a readable snapshot or without news.
    ///
    /// - Parameters:
    ///   - feed: The feed.
    ///   - isBehind: Whether it has seen less of the match than the journal.
    ///   - isResting: Whether no balls are expected.
    ///   - isOver: Whether the journal has the match as over.
    ///   - now: Real time of a clock that never jumps.
    ///   - clock: Scales the spans.
    /// - Returns: Whether it leads.
    mutating func answered(
        _ feed: FeedID,
        isBehind: Bool,
        isResting: Bool,
        isOver: Bool = false,
        now: Duration,
        _ clock: ServiceClock
    ) -> Role {
        let silence = clock.real(isResting ? IngestLimits.leaderRestSilence : IngestLimits.leaderSilence, .failover)
        note(feed, now: now, silence: silence)
        if leader == feed { return .leads(isNew: false) }
        guard let candidate = candidates[feed], let leader, let leading = candidates[leader] else {
            guard mayBegin(feed, now: now, clock) else { return .standsBy }
            self.leader = feed
            return .leads(isNew: false)
        }
        let quiet = now - (leading.lastAnswer ?? begunAt ?? now)
        let isBetter = candidate.precedence < leading.precedence
        let mayLead: Bool
        if leading.isGone && isOver && !isBetter {
            // The leader reported the match to its end: a feed behind it repeats that in other words, or is stuck.
            mayLead = false
        } else if quiet >= leading.silence(atLeast: silence) {
            let patience = leading.silence(atLeast: silence) + clock.real(IngestLimits.behindMax, .failover)
            mayLead = isBest(feed, candidate, silence: silence, now: now) && (!isBehind || quiet >= patience)
        } else {
            let steady = now - (candidate.answersSince ?? now) >= clock.real(IngestLimits.leaderRecovery, .failover)
            mayLead = isBetter && steady && !isBehind
        }
        guard mayLead else { return .standsBy }
        if leading.isGone { candidates[leader] = nil }
        self.leader = feed
        return .leads(isNew: true)
    }

    private mutating func note(_ feed: FeedID, now: Duration, silence: Duration) {
        var candidate = candidates[feed] ?? Candidate(precedence: .max)
        let span = candidate.silence(atLeast: silence)
        let isUnbroken = candidate.lastAnswer.map { now - $0 < span } == true
        if !isUnbroken { candidate.answersSince = now }
        candidate.lastAnswer = now
        candidates[feed] = candidate
    }

    /// Whether a feed may lead where none has led: the first choice may only be slow, and the second one waits for it.
    private func mayBegin(_ feed: FeedID, now: Duration, _ clock: ServiceClock) -> Bool {
        let best = candidates.values.map(\.precedence).min() ?? .max
        if (candidates[feed]?.precedence ?? .max) <= best { return true }
        return now - (begunAt ?? now) >= clock.real(IngestLimits.firstChoiceGrace, .failover)
    }

    /// Whether no better feed answers.
    private func isBest(_ feed: FeedID, _ candidate: Candidate, silence: Duration, now: Duration) -> Bool {
        candidates.allSatisfy { other, rival in
            other == feed || rival.precedence >= candidate.precedence
                || rival.lastAnswer.map { now - $0 >= rival.silence(atLeast: silence) } != false
        }
    }
}
