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
    /// The part of a limit for which a writer that has just begun waits at least: its feed is asked twice meanwhile.
    static let hearingPart = 3
    /// Longest time that is counted back: longer ago is as good as a day.
    static let heardMax: Duration = .seconds(86_400)
    /// Shortest real limit however fast the clock runs: a slow moment of the machine is no silence.
    static let floor: Duration = .seconds(2)

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
        live = clock.real(Self.liveLimit, floor: Self.floor)
        pause = clock.real(Self.pauseLimit, floor: Self.floor)
        begunAt = now
        lastAnswer = now - min(max(heardAgo, .zero), Self.heardMax)
        self.since = since
    }

    /// Whether an answer that comes now ends a silence, told or not.
    func isBroken(byAnswerAt now: Duration, in phase: PollPhase) -> Bool {
        since != nil || limit(in: phase).map { now - lastAnswer >= $0 } == true
    }

    /// Whether nothing may become certain by time alone: balls are to be expected, and nobody reports them.
    func isFrozen(at now: Duration, in phase: PollPhase) -> Bool {
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

    /// Real time until the match has to be called silent, zero when it has; nil when it need not be.
    func wait(in phase: PollPhase, now: Duration) -> Duration? {
        guard since == nil, let limit = limit(in: phase) else { return nil }
        let hearing = max(limit / Self.hearingPart, min(limit, Self.floor))
        return max(.zero, max(lastAnswer + limit, begunAt + hearing) - now)
    }

    private func limit(in phase: PollPhase) -> Duration? {
        switch phase {
        case .live: live
        case .pause: pause
        case .before, .overnight, .over: nil
        }
    }
}
