// How often to ask: often enough that a ball is fresh, seldom enough that the provider does not mind (cricket.md B.6).

public import MatchEngine
internal import MatchJournal
public import ScoreTypes

/// Intervals of polling in domain time, and the real floors below which a scaled clock never goes.
public struct Cadence: Sendable, Hashable {
    /// Between polls of a match in play.
    public var live: Duration = .seconds(5)
    /// The same for a match that the whole world watches.
    public var marqueeLive: Duration = .milliseconds(2_500)
    /// During lunch, rain, an innings break.
    public var pause: Duration = .seconds(20)
    /// Between days.
    public var overnight: Duration = .seconds(300)
    /// Before the first ball.
    public var before: Duration = .seconds(60)
    /// After the end, for late corrections.
    public var over: Duration = .seconds(30)
    /// How long after the end corrections are still asked for.
    public var tail: Duration = .seconds(600)
    /// The same for a match that was over when it was first seen.
    public var lateTail: Duration = .seconds(60)
    /// Between polls of the list of matches.
    public var fixtures: Duration = .seconds(60)
    /// Between looks at a match that is days ahead: squads and grounds change seldom.
    public var distant: Duration = .seconds(6 * 3_600)

    /// Real floor for a match in play: 50 polls a second are all that a simulation needs.
    public static let liveFloor: Duration = .milliseconds(20)
    /// Real floor of everything slower.
    public static let slowFloor: Duration = .milliseconds(100)

    /// Before a reply that is held is looked at a second time, at the least and at the most: meanwhile nothing that it
    /// shows otherwise is told.
    public static let secondLook: ClosedRange<Duration> = .seconds(1)...(.seconds(2))
    /// Replies held one after the other that are looked at again soon, the last of them when a copy of the first would
    /// be none any more; a provider that never says the same twice is asked as often as any.
    public static let secondLooksMax = 3

    /// Before a match is asked for again of which something waits to be told: a slow cadence would leave it to the ten
    /// seconds alone, and what is wrong for a while is put right within these (cricket.md B.2).
    public static let confirming: Duration = .seconds(5)

    /// Between polls of a match in play whose provider tells of every ball by itself; another feed takes it for silent
    /// only after twice that.
    public static let pushed: Duration = .seconds(30)
    /// Domain time without a notice after which a provider that should tell of every ball is polled as any other.
    public static let pushTrust: Duration = .seconds(120)

    /// The usual cadence.
    public init() {}

    /// The cadence of a provider (cricket.md B.1): where plans count by the day, seldom in play, though not so
    /// seldom that another feed waits for it much longer than for any (`SourceElection`), and lists twice an hour.
    ///
    /// - Parameter provider: Who is asked.
    public init(of provider: Provider) {
        guard provider == .cricketData else { return }
        live = .seconds(25)
        marqueeLive = .seconds(15)
        pause = .seconds(60)
        over = .seconds(60)
        fixtures = .seconds(1_800)
    }

    /// Works out when to poll a match again.
    ///
    /// - Parameters:
    ///   - phase: What the match was doing at the last reply.
    ///   - endedFor: Domain time since its end was first seen; nil while it is not over.
    ///   - wasOverAtFirst: Whether it was over when it was first seen.
    ///   - clock: Scales the interval.
    ///   - jitter: 0 to 1 from a generator; stretches the interval to between 90 and 110 %.
    /// - Returns: Real time until then; nil when it need not be polled any more.
    public func wait(
        in phase: PlayPhase,
        endedFor: Duration?,
        wasOverAtFirst: Bool,
        clock: ServiceClock,
        jitter: Double
    ) -> Duration? {
        switch phase {
        case .live: Self.real(live, floor: Self.liveFloor, clock: clock, jitter: jitter)
        case .pause: Self.real(pause, floor: Self.slowFloor, clock: clock, jitter: jitter)
        case .overnight: Self.real(overnight, floor: Self.slowFloor, clock: clock, jitter: jitter)
        case .before: Self.real(before, floor: Self.slowFloor, clock: clock, jitter: jitter)
        case .over:
            (endedFor ?? .zero) >= (wasOverAtFirst ? lateTail : tail)
                ? nil : Self.real(over, floor: Self.slowFloor, clock: clock, jitter: jitter)
        }
    }

    /// Real time until a reply that is held is looked at again; nil when so many were held that it is like any other.
    static func waitForSecondLook(held: Int, clock: ServiceClock, jitter: Double) -> Duration? {
        guard (1...secondLooksMax).contains(held) else { return nil }
        if held == secondLooksMax { return clock.real(Gate.copyLife, floor: Gate.copyFloor) }
        let span = secondLook.upperBound - secondLook.lowerBound
        return clock.real(secondLook.lowerBound + span * min(max(jitter, 0), 1), floor: liveFloor)
    }

    /// Real time until what waits to be told is looked at again.
    static func waitForConfirmation(clock: ServiceClock, jitter: Double) -> Duration {
        real(confirming, floor: liveFloor, clock: clock, jitter: jitter)
    }

    /// Real time until the next poll of the list.
    public func waitForFixtures(clock: ServiceClock, jitter: Double) -> Duration {
        Self.real(fixtures, floor: Self.slowFloor, clock: clock, jitter: jitter)
    }

    /// Spreads an interval by ±10 % and scales it by the clock.
    static func real(_ interval: Duration, floor: Duration, clock: ServiceClock, jitter: Double) -> Duration {
        clock.real(interval * (0.9 + 0.2 * min(max(jitter, 0), 1)), floor: floor)
    }
}
