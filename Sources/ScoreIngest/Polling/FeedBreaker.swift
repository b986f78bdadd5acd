// A feed that fails is sent single probes until it answers again, instead of the requests of all its matches.

public import ScoreTypes

/// The rules of the circuit breaker of one feed.
public enum FeedBreaker {
    /// Failures in a row that open it.
    public static let failuresMax = 5
    /// The newest requests, which are weighed together.
    public static let window = 20
    /// Failures among those that open it.
    public static let windowFailuresMax = 10
    /// Domain time between a failed probe and the next.
    public static let probeInterval: Duration = .seconds(10)
    /// Successful probes in a row that close it.
    public static let successesNeeded = 3

    /// When it opens and closes.
    public static let rules = CircuitBreaker.Rules(
        failuresInARowMax: failuresMax,
        window: window,
        windowFailuresMax: windowFailuresMax,
        isWindowSliding: true,
        successesNeeded: successesNeeded
    )
}
