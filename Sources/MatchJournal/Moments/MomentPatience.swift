// How long a moment waits when nothing else settles it.

public import ScoreTypes

/// Spans of real time after which a moment counts as certain.
public struct MomentPatience: Sendable, Hashable, Codable {
    /// For what the feed has reported: ten seconds of domain time (PUBLICATION section 2).
    public let reported: Duration
    /// For a result that only the balls prove: thirty seconds of domain time (cricket.md B.8), and then an answer of
    /// its feed that shows it still; the same for an innings that a word alone has ended, with wickets in hand.
    public let proved: Duration

    /// Scales both spans by a clock.
    public init(_ clock: ServiceClock) {
        reported = clock.real(.seconds(10), .confirmation)
        proved = clock.real(.seconds(30), .confirmation)
    }
}
