// A score that no feed reports must not look like a score that does not change.

internal import MatchEngine
internal import ScoreTypes

/// Whether the feeds of a match have fallen silent.
///
/// ```
/// answering ──no answer for `limit`──▶ silent ──an answer──▶ answering, and that answer is a catch-up
/// ```
struct FeedSilence: Sendable, Codable {
    /// Domain time without an answer after which a match in play is silent: nine polls, reported within a minute (F1).
    static let liveLimit: Duration = .seconds(45)
    /// The same during a break, which is polled less often.
    static let pauseLimit: Duration = .seconds(120)
    /// The same before the first ball, from its time on: two answers of a minute each are missing.
    static let beforeLimit: Duration = .seconds(180)
    /// The same between days: three polls of five minutes, and a tenth.
    static let overnightLimit: Duration = .seconds(1_080)
    /// The part of a limit for which a new writer waits at least: its feed is polled twice in that time.
    static let hearingPart = 3
    /// Longest time without an answer that is counted.
    static let silenceCountedMax: Duration = .seconds(86_400)

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
        live = clock.real(Self.liveLimit, .silence)
        pause = clock.real(Self.pauseLimit, .silence)
        begunAt = now
        lastAnswer = now - min(max(reportedAgo, .zero), Self.silenceCountedMax)
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

    /// Real time until the match is silent.
    ///
    /// - Parameters:
    ///   - phase: What the match is doing.
    ///   - now: Real time by a clock that never jumps.
    ///   - untilStart: Real time until the first ball is due, negative after it; nil when that is unknown.
    ///   - interval: Real time from the last answer to the next poll: a match at rest is polled seldom, and is not
    ///     silent for that.
    /// - Returns: Real time, zero for a match that is silent now; nil for one that cannot be.
    func wait(in phase: PlayPhase, now: Duration, untilStart: Duration?, interval: Duration) -> Duration? {
        guard since == nil, var limit = limit(in: phase) else { return nil }
        let hearing = max(limit / Self.hearingPart, min(limit, WaitKind.silence.floor))
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
        case .before: pause * (Self.beforeLimit / Self.pauseLimit)
        case .overnight: pause * (Self.overnightLimit / Self.pauseLimit)
        case .over: nil
        }
    }
}
