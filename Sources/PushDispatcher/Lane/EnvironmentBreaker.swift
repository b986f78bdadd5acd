// An environment that refuses every request receives single probes instead of a million requests.

internal import ScoreTypes

/// The circuit breaker's rules for one environment, and the evidence in APNs' answers.
enum EnvironmentBreaker {
    /// When it opens and closes.
    static let rules = CircuitBreaker.Rules(
        failuresInARowMax: PushLimits.configurationFaults,
        window: PushLimits.breakerWindow,
        windowFailuresMax: PushLimits.serverFaults,
        isWindowSliding: false,
        successesNeeded: PushLimits.probesToClose
    )

    /// Real time until the next probe.
    ///
    /// - Parameter jitter: A number of at least 0 and less than 1.
    /// - Returns: 9 to 11 seconds.
    static func probeWait(jitter: Double) -> Duration { PushLimits.probeInterval * (0.9 + 0.2 * jitter) }
}

extension CircuitBreaker.Evidence {
    /// The evidence of an outcome; nil if it says nothing about the environment.
    init?(_ outcome: PushOutcome) {
        switch outcome {
        case .accepted, .failed(.throttled): self = .success
        case .rejected(.stopEnvironment), .rejected(.dropRequest): self = .failureInARow
        case .rejected: self = .success
        case .failed(.server): self = .failureInWindow
        // Among them `Shutdown`: one server ends, and the next connection reaches another.
        case .failed: return nil
        }
    }
}
