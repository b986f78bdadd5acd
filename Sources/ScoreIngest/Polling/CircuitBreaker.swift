// When a whole feed is down, all its matches stop asking together, and one of them finds out when it is back.

/// Opens after failures in a row, lets single probes through, closes after successes.
public struct CircuitBreaker: Sendable, Hashable {
    /// Failures in a row that open it.
    public static let failuresMax = 5
    /// How many of the newest requests are looked at for the rate, and how many failures among them open it.
    public static let window = 20
    /// Failures among the window that open it.
    public static let windowFailuresMax = 10
    /// Domain time between a failed probe and the next.
    public static let probeInterval: Duration = .seconds(10)
    /// Real floor of that time.
    public static let probeFloor: Duration = .milliseconds(100)
    /// Successes in a row that close it.
    public static let successesNeeded = 3

    /// What it lets through.
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

    /// What it lets through now.
    public private(set) var state = State.closed
    private var failuresInARow = 0
    /// The newest requests, one bit each, set for a failure.
    private var recent: UInt32 = 0

    /// Starts closed.
    public init() {}

    /// Asks to send a request.
    ///
    /// - Parameters:
    ///   - now: The monotonic clock.
    ///   - patience: How long to wait while another request probes.
    /// - Returns: The leave to send, or how long to wait.
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
    ///   - isSuccess: Whether the provider gave an answer that shows it well.
    ///   - now: The monotonic clock.
    ///   - reopensAfter: Real time until the next probe, should this one open it.
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
        // Requests that were under way when it opened say nothing new.
        case .open: break
        }
    }

    /// Gives an admission back without an outcome.
    public mutating func abandon() {
        if case .halfOpen(let successes, _) = state { state = .halfOpen(successes: successes, isProbing: false) }
    }

    /// Closes it at an operator's word.
    public mutating func reset() { self = CircuitBreaker() }

    /// 0 closed, 1 half open, 2 open: the value of its gauge.
    public var gauge: Int {
        switch state {
        case .closed: 0
        case .halfOpen: 1
        case .open: 2
        }
    }
}
