// When a whole feed is down, all its matches stop polling together, and one request at a time finds out when it is up.

/// Opens after failures in a row, admits single probes, closes after successes.
public struct CircuitBreaker: Sendable, Hashable {
    /// Failures in a row that open it.
    public static let failuresMax = 5
    /// How many of the newest requests count for the rate of failures.
    public static let window = 20
    /// Failures within the window that open it.
    public static let windowFailuresMax = 10
    /// Domain time between a failed probe and the next.
    public static let probeInterval: Duration = .seconds(10)
    /// Successes in a row that close it.
    public static let successesNeeded = 3

    /// What it admits.
    public enum State: Sendable, Hashable {
        /// Everything.
        case closed
        /// Nothing before this time of the monotonic clock.
        case open(until: Duration)
        /// One request at a time.
        case halfOpen(successes: Int, isProbing: Bool)
    }

    /// Whether a request may be sent.
    public enum Admission: Sendable, Hashable {
        /// It may, and its outcome has to be recorded.
        case granted
        /// Not before this real time has passed.
        case refused(wait: Duration)
    }

    /// What it admits now.
    public private(set) var state = State.closed
    private var failuresInARow = 0
    /// The newest requests, one bit each, set for a failure.
    private var recent: UInt32 = 0

    /// Starts closed.
    public init() {}

    /// Admits or refuses a request.
    ///
    /// - Parameters:
    ///   - now: The monotonic clock.
    ///   - patience: Real time to wait while another request probes.
    /// - Returns: Admission, or how long to wait.
    public mutating func admit(now: Duration, patience: Duration) -> Admission {
        switch state {
        case .closed: return .granted
        case .open(let until):
            guard now >= until else { return .refused(wait: until - now) }
            state = .halfOpen(successes: 0, isProbing: true)
            return .granted
        case .halfOpen(let successes, let isProbing):
            if isProbing { return .refused(wait: patience) }
            state = .halfOpen(successes: successes, isProbing: true)
            return .granted
        }
    }

    /// Records the outcome of a request that was admitted.
    ///
    /// - Parameters:
    ///   - isSuccess: Whether the answer shows that the provider is up.
    ///   - now: The monotonic clock.
    ///   - reopensAfter: Real time until the next probe, if this outcome opens it.
    public mutating func record(isSuccess: Bool, now: Duration, reopensAfter: Duration) {
        recent = (recent << 1 | (isSuccess ? 0 : 1)) & (1 << UInt32(Self.window) - 1)
        failuresInARow = isSuccess ? 0 : failuresInARow + 1
        switch state {
        case .closed:
            let isBad = failuresInARow >= Self.failuresMax || recent.nonzeroBitCount >= Self.windowFailuresMax
            if isBad { state = .open(until: now + reopensAfter) }
        case .halfOpen(let successes, _):
            if !isSuccess {
                state = .open(until: now + reopensAfter)
            } else if successes + 1 >= Self.successesNeeded {
                reset()
            } else {
                state = .halfOpen(successes: successes + 1, isProbing: false)
            }
        // Requests that were under way when it opened add no information.
        case .open: break
        }
    }

    /// Gives an admission back without an outcome.
    public mutating func abandon() {
        if case .halfOpen(let successes, _) = state { state = .halfOpen(successes: successes, isProbing: false) }
    }

    /// Closes it and forgets its history.
    public mutating func reset() { self = CircuitBreaker() }

    /// The value of its gauge: 0 closed, 1 half open, 2 open.
    public var gauge: Int {
        switch state {
        case .closed: 0
        case .halfOpen: 1
        case .open: 2
        }
    }
}
