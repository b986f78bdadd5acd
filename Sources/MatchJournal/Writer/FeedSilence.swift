// A score that no feed reports must not look like a score that does not change.

internal import MatchEngine
internal import ScoreTypes

/// Whether the feeds of a match have fallen silent.
///
/// ```
/// answering ──no answer for `limit`──▶ silent ──an answer──▶ answering, and that answer is a catch-up
/// ```
struct FeedSilence: Sendable, Codable {
    private let live: Duration
    private let pause: Duration
    /// Real time of the writer's start.
    private let begunAt: Duration
    /// Real time of the last answer; before the first, of the last that the journal has.
    private(set) var lastAnswer: Duration
    /// Since when the stored match is silent; nil while it is not.
    private(set) var since: Instant?

    /// Begins at `now`; `reportedAgo` is the age of the last answer in the journal.
    init(_ clock: ServiceClock, now: Duration, reportedAgo: Duration = .zero, since: Instant?) {
        live = clock.real(JournalLimits.silenceInPlay, .silence)
        pause = clock.real(JournalLimits.silenceInBreak, .silence)
        begunAt = now
        lastAnswer = now - min(max(reportedAgo, .zero), JournalLimits.silenceCounted)
        self.since = since
    }

    /// Whether an answer that comes now ends a silence, reported or not; of a match at rest only a reported one counts.
    func isBroken(byAnswerAt now: Duration, in phase: PlayPhase) -> Bool {
        if since != nil { return true }
        guard phase == .live || phase == .pause, let limit = limit(in: phase) else { return false }
        return now - lastAnswer >= limit
    }

    /// Whether time alone confirms nothing: a report is due, and no feed answers.
    func isFrozen(at now: Duration, in phase: PlayPhase) -> Bool {
        limit(in: phase) != nil && isBroken(byAnswerAt: now, in: phase)
    }

    /// The match is over: no report is due any more.
    mutating func over() { since = nil }

    /// A feed has answered.
    mutating func answered(now: Duration) {
        lastAnswer = now
        since = nil
    }

    /// The silence is stored.
    mutating func reported(since: Instant) { self.since = since }

    /// Real time until the match is silent, zero for now; nil for one that cannot be.
    ///
    /// `untilStart` is real time until the first ball is due, negative after it. `interval` is real time from the last
    /// answer to the next poll: a match at rest is polled seldom, and is not silent for that.
    func wait(in phase: PlayPhase, now: Duration, untilStart: Duration?, interval: Duration) -> Duration? {
        guard since == nil, var limit = limit(in: phase) else { return nil }
        let hearing = max(limit / JournalLimits.silencePartOfNewWriter, min(limit, WaitKind.silence.floor))
        var due = begunAt + hearing
        switch phase {
        case .live, .pause, .over: break
        case .before:
            guard let untilStart else { return nil }
            due = max(due, now + untilStart)
            limit = max(limit, interval * 2)
        case .overnight: limit = max(limit, interval * 2)
        }
        return max(.zero, max(due, lastAnswer + limit) - now)
    }

    private func limit(in phase: PlayPhase) -> Duration? {
        switch phase {
        case .live: live
        case .pause: pause
        case .before: pause * (JournalLimits.silenceBeforePlay / JournalLimits.silenceInBreak)
        case .overnight: pause * (JournalLimits.silenceOvernight / JournalLimits.silenceInBreak)
        case .over: nil
        }
    }
}
