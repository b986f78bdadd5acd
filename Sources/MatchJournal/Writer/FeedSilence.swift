// A score that stands still because nobody reports it must not look like one that stands still.

internal import MatchEngine
internal import ScoreTypes

/// Whether the feeds of a match have fallen silent.
///
/// ```
/// answering ──no answer for `limit`──▶ silent ──an answer──▶ answering, and that answer is a catch-up
/// ```
struct FeedSilence: Sendable, Codable {
    /// Domain time without an answer after which a match in play is silent: nine polls, and told within a minute (F1).
    static let liveLimit: Duration = .seconds(45)
    /// The same during a break, which is polled less often.
    static let pauseLimit: Duration = .seconds(120)
    /// The same before the first ball, from when it is due: two answers of a minute each have failed to come.
    static let beforeLimit: Duration = .seconds(180)
    /// The same between days: three looks of five minutes, stretched by a tenth.
    static let overnightLimit: Duration = .seconds(1_080)
    /// The part of a limit for which a writer that has just begun waits at least: its feed is asked twice meanwhile.
    static let hearingPart = 3
    /// Longest time that is counted back: longer ago is as good as a day.
    static let heardMax: Duration = .seconds(86_400)

    private let live: Duration
    private let pause: Duration
    /// Real time of the writer's start.
    private let begunAt: Duration
    /// Real time of the last answer; before the first, of the last that the journal knows of.
    private(set) var lastAnswer: Duration
    /// Since when the store says that the match is silent; nil while it is not.
    private(set) var since: Instant?

    /// Begins at `now`; the journal has heard a feed `heardAgo`, and says since when the match is silent.
    init(_ clock: ServiceClock, now: Duration, heardAgo: Duration = .zero, since: Instant?) {
        live = clock.real(Self.liveLimit, .silence)
        pause = clock.real(Self.pauseLimit, .silence)
        begunAt = now
        lastAnswer = now - min(max(heardAgo, .zero), Self.heardMax)
        self.since = since
    }

    /// Whether an answer that comes now ends a silence, told or not; of a match that rests only a told one counts.
    func isBroken(byAnswerAt now: Duration, in phase: PlayPhase) -> Bool {
        if since != nil { return true }
        guard phase == .live || phase == .pause, let limit = limit(in: phase) else { return false }
        return now - lastAnswer >= limit
    }

    /// Whether nothing may become certain by time alone: something is to be expected, and nobody reports it.
    func isFrozen(at now: Duration, in phase: PlayPhase) -> Bool {
        limit(in: phase) != nil && isBroken(byAnswerAt: now, in: phase)
    }

    /// The match is over, by whoever's word: nobody has to report it any more.
    mutating func over() { since = nil }

    /// A feed has answered.
    mutating func answered(now: Duration) {
        lastAnswer = now
        since = nil
    }

    /// The store knows it.
    mutating func told(since: Instant) { self.since = since }

    /// How long until the match has to be called silent.
    ///
    /// - Parameters:
    ///   - phase: What the match is doing.
    ///   - now: Real time by a clock that never jumps.
    ///   - untilStart: Real time until the first ball is due, negative when it was; nil when nobody knows.
    ///   - interval: Real time after its last answer until the feed is asked again: while the match rests, nobody is
    ///     silent for being asked seldom.
    /// - Returns: Real time, zero when it has to be called so now; nil when it need not be.
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
