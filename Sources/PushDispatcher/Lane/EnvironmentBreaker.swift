// An environment that refuses every request is sent single probes instead of a million requests.

internal import ScoreTypes

/// The rules of the circuit breaker of one environment, and what APNs' answers mean for it.
enum EnvironmentBreaker {
    /// Faults of configuration in a row that open it; each of them touches no token.
    static let configurationFaultsMax = 5
    /// Answers that are weighed together.
    static let windowSize = 20
    /// Server faults among those that open it: half of them.
    static let serverFaultsMax = 10
    /// Real time between probes, before a jitter of a tenth.
    static let probeInterval: Duration = .seconds(10)
    /// Accepted probes that close it.
    static let probesToClose = 3

    /// When it opens and closes.
    static let rules = CircuitBreaker.Rules(
        failuresInARowMax: configurationFaultsMax,
        window: windowSize,
        windowFailuresMax: serverFaultsMax,
        isWindowSliding: false,
        successesNeeded: probesToClose
    )

    /// Real time until the next probe.
    ///
    /// - Parameter jitter: A number of at least 0 and less than 1.
    /// - Returns: 9 to 11 seconds.
    static func probeWait(jitter: Double) -> Duration { probeInterval * (0.9 + 0.2 * jitter) }
}

extension CircuitBreaker.Evidence {
    /// What an outcome says about its environment; nil when it says nothing.
    init?(_ outcome: PushOutcome) {
        switch outcome {
        case .accepted, .failed(.throttled): self = .success
        case .rejected(.stopEnvironment), .rejected(.dropRequest): self = .failureInARow
        case .rejected: self = .success
        case .failed(.server), .failed(.draining): self = .failureInWindow
        case .failed: return nil
        }
    }
}
