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
    /// Shortest real limit however fast the clock runs: a slow moment of the machine is no silence.
    static let floor: Duration = .seconds(2)

    private let live: Duration
    private let pause: Duration
    /// Real time of the last answer, or of the writer's start.
    private(set) var lastAnswer: Duration
    /// Since when the store says that the match is silent; nil while it is not.
    private(set) var since: Instant?

    init(_ clock: ServiceClock, now: Duration, since: Instant?) {
        live = clock.real(Self.liveLimit, floor: Self.floor)
        pause = clock.real(Self.pauseLimit, floor: Self.floor)
        lastAnswer = now
        self.since = since
    }

    /// Whether an answer that comes now ends a silence, told or not.
    func isBroken(byAnswerAt now: Duration, status: MatchStatus) -> Bool {
        since != nil || limit(in: status).map { now - lastAnswer >= $0 } == true
    }

    /// A feed has answered.
    mutating func answered(now: Duration) {
        lastAnswer = now
        since = nil
    }

    /// The store knows it.
    mutating func told(since: Instant) { self.since = since }

    /// Real time until the match has to be called silent, zero when it has; nil when it need not be.
    func wait(status: MatchStatus, now: Duration) -> Duration? {
        guard since == nil, let limit = limit(in: status) else { return nil }
        return max(.zero, lastAnswer + limit - now)
    }

    private func limit(in status: MatchStatus) -> Duration? {
        switch PollPhase(of: status) {
        case .live: live
        case .pause: pause
        case .before, .overnight, .over: nil
        }
    }
}
