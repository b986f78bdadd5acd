// A moment that nothing else confirms is confirmed by a later reply that still shows it, or by time.

public import ScoreTypes

/// Spans of real time for which the moments of a match wait; a match keeps those with which it was loaded.
public struct ConfirmationWaits: Sendable, Hashable, Codable {
    /// After which a reply that still shows the moment confirms it, by class.
    private let unchanged: [MomentClass: Duration]
    /// After which the next ball confirms a moment; a ball that is reported sooner shows that the scorer was late.
    let nextBall: Duration
    /// After which time alone confirms a reported moment.
    let bound: Duration
    /// For a result that only the balls prove, until a reply that still shows it.
    private let provedResult: Duration
    /// For an innings that only a status has ended, until a reply that still shows it.
    private let statedInningsEnd: Duration
    private let speed: Int

    /// Scales the waits of a feed by a clock.
    ///
    /// - Parameters:
    ///   - clock: Scales domain time.
    ///   - seconds: Domain time by class; a class that is missing has the wait of a feed that nothing is known of.
    public init(_ clock: ServiceClock, seconds: [MomentClass: Int] = [:]) {
        let usual = CorrectionCurve().wait(target: JournalLimits.falseAlerts)
        unchanged = Dictionary(
            uniqueKeysWithValues: MomentClass.allCases.map {
                ($0, clock.real(.seconds(seconds[$0] ?? usual), .confirmation))
            }
        )
        nextBall = clock.real(JournalLimits.nextBall, .confirmation)
        bound = clock.real(JournalLimits.confirmationBound, .confirmation)
        provedResult = clock.real(JournalLimits.provedResult, .confirmation)
        statedInningsEnd = clock.real(JournalLimits.statedInningsEnd, .confirmation)
        speed = clock.speed
    }

    /// The wait of a class.
    func unchanged(_ kind: MomentClass) -> Duration { unchanged[kind] ?? bound }

    /// The wait of a moment that is not official, until a reply that still shows it.
    func unofficial(_ kind: MomentClass) -> Duration { kind == .match ? provedResult : statedInningsEnd }

    /// Whole seconds of domain time in a span of real time.
    func seconds(_ span: Duration) -> Int { Int((span * speed).components.seconds) }
}
