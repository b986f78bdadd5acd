// A moment that nothing else confirms is confirmed by time.

internal import ScoreTypes

/// Spans of real time after which a moment is confirmed.
struct ConfirmationDelays: Sendable, Hashable, Codable {
    /// For a reported moment: ten seconds of domain time (PUBLICATION section 2).
    let reported: Duration
    /// For a result that only the balls prove: thirty seconds of domain time (cricket.md B.8), and then a reply that
    /// still shows it; the same for an innings that only a status has ended, with wickets in hand.
    let proved: Duration

    /// Scales both spans by a clock.
    init(_ clock: ServiceClock) {
        reported = clock.real(.seconds(10), .confirmation)
        proved = clock.real(.seconds(30), .confirmation)
    }
}
