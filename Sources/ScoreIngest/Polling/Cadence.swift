// How often a feed is polled: often enough that a ball is fresh, seldom enough for the provider (cricket.md B.6).

package import MatchEngine
internal import MatchJournal
public import ScoreTypes

/// Intervals of polling, in domain time.
public struct Cadence: Sendable, Hashable {
    /// Between polls of a match in play.
    public var live: Duration = .seconds(5)
    /// The same for a marquee match.
    public var marqueeLive: Duration = .milliseconds(2_500)
    /// During lunch, rain, an innings break.
    public var pause: Duration = .seconds(20)
    /// Between days.
    public var overnight: Duration = .seconds(300)
    /// Before the first ball.
    public var before: Duration = .seconds(60)
    /// After the end, for late corrections.
    public var over: Duration = .seconds(30)
    /// How long after the end a match is polled for corrections.
    public var tail: Duration = .seconds(600)
    /// The same for a match that was over at its first poll.
    public var lateTail: Duration = .seconds(60)
    /// Between readings of the list of matches.
    public var fixtures: Duration = .seconds(60)
    /// Between polls of a match that is days ahead: squads and grounds change seldom.
    public var distant: Duration = .seconds(6 * 3_600)

    /// Before a poll that repeats a held reply: until then nothing is published that the held reply denies.
    private static let secondLook: ClosedRange<Duration> = .seconds(1)...(.seconds(2))
    /// Between polls while an alert is pending, however slow the cadence: a mistake is corrected on the phones within
    /// these seconds.
    public static let confirming: Duration = .seconds(5)
    /// By which an ordinary poll is put off when it can confirm a pending alert then.
    static let confirmingSlack: Duration = .seconds(1)

    /// Between polls of a match in play whose provider pushes every ball; another feed takes the provider for silent
    /// only after twice that.
    public static let pushed: Duration = .seconds(30)
    /// Time without a push after which a provider that pushes is polled like any other.
    public static let pushTrust: Duration = .seconds(120)

    /// The usual cadence.
    public init() {}

    /// The cadence of a provider (cricket.md B.1).
    ///
    /// Where plans count by the day, a match in play is polled seldom, though not so seldom that another feed would
    /// wait much longer than usual (`SourceElection`), and lists are read twice an hour.
    ///
    /// - Parameter provider: The provider.
    public init(of provider: Provider) {
        guard provider == .cricketData else { return }
        live = .seconds(25)
        marqueeLive = .seconds(15)
        pause = .seconds(60)
        over = .seconds(60)
        fixtures = .seconds(1_800)
    }

    /// Domain time between polls of a match in a phase.
    package func interval(in phase: PlayPhase) -> Duration {
        switch phase {
        case .live: live
        case .pause: pause
        case .overnight: overnight
        case .before: before
        case .over: over
        }
    }

    /// Real time until a match is polled again; nil when it need not be.
    ///
    /// `endedFor` is real time since its end was first seen, nil while it is not over.
    func wait(in phase: PlayPhase, endedFor: Duration?, wasOverAtFirst: Bool, _ context: PollContext) -> Duration? {
        let isDone = (endedFor ?? .zero) >= context.clock.real(wasOverAtFirst ? lateTail : tail)
        if phase == .over, isDone { return nil }
        return context.wait(interval(in: phase), phase == .live ? .play : .rest)
    }

    /// Real time until the next poll while an alert is pending that an answer after `look` confirms.
    ///
    /// - Parameters:
    ///   - wait: Real time until the ordinary poll; nil when there is none.
    ///   - look: Real time until an answer confirms the alert.
    ///   - clock: Scales domain time.
    /// - Returns: The ordinary wait, or `look` when the ordinary poll comes at most a second before it.
    public static func wait(_ wait: Duration?, look: Duration, _ clock: ServiceClock) -> Duration {
        let wait = min(wait ?? look, clock.real(confirming, .play))
        let slack = clock.real(confirmingSlack)
        return look <= wait + slack ? max(look, slack) : wait
    }

    /// Real time until a held reply is repeated; nil when none is held, or too many were.
    package static func waitForSecondLook(held: Int, _ context: PollContext) -> Duration? {
        guard (1...IngestLimits.secondLooksMax).contains(held) else { return nil }
        if held == IngestLimits.secondLooksMax { return context.clock.real(JournalLimits.copyLife, .play) }
        let span = secondLook.upperBound - secondLook.lowerBound
        return context.clock.real(secondLook.lowerBound + span * context.jitter, .play)
    }
}
