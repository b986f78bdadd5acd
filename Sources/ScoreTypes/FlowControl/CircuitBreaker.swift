// A peer that fails every request is sent single probes instead of all requests until it answers again.

/// The state machine of a circuit breaker: closed, open, half-open.
///
/// It opens when too many requests fail in a row, or too many of a window of requests. After a wait it admits one probe
/// at a time, and closes when enough probes in a row have succeeded. The caller passes the time and draws the wait.
public struct CircuitBreaker: Sendable, Hashable {
    /// When a breaker opens and closes.
    public struct Rules: Sendable, Hashable {
        /// Failures in a row that open it, 1 or more.
        public let failuresInARowMax: Int
        /// Requests that are weighed together, 1 to 63.
        public let window: Int
        /// Failures in a window that open it, 1 to `window`.
        public let windowFailuresMax: Int
        /// True when the window is always the newest requests; false when a full window is followed by an empty one.
        public let isWindowSliding: Bool
        /// Successful probes in a row that close it, 1 or more.
        public let successesNeeded: Int

        /// Makes the value from its fields.
        public init(
            failuresInARowMax: Int,
            window: Int,
            windowFailuresMax: Int,
            isWindowSliding: Bool,
            successesNeeded: Int
        ) {
            self.failuresInARowMax = failuresInARowMax
            self.window = window
            self.windowFailuresMax = windowFailuresMax
            self.isWindowSliding = isWindowSliding
            self.successesNeeded = successesNeeded
        }
    }

    /// Which requests may be sent.
    public enum State: Sendable, Hashable {
        /// All requests.
        case closed
        /// No request before this moment of the monotonic clock.
        case open(until: Duration)
        /// One probe at a time; `successes` counts those that succeeded, `isProbing` says that one is under way.
        case halfOpen(successes: Int, isProbing: Bool)
    }

    /// The answer to a request for admission.
    public enum Admission: Sendable, Hashable {
        /// The request may be sent; its outcome has to be recorded, or the admission abandoned.
        case granted
        /// The request may be sent again for admission after this real time.
        case refused(wait: Duration)
    }

    /// The conclusion from the outcome of one request about the peer.
    public enum Evidence: Sendable, Hashable {
        /// The peer works.
        case success
        /// A failure that counts in the row and in the window.
        case failure
        /// A failure that counts in the row only.
        case failureInARow
        /// A failure that counts in the window only, and ends a row.
        case failureInWindow
    }

    /// Which requests may be sent now.
    public private(set) var state = State.closed
    private let rules: Rules
    private var inARow = 0
    /// The requests of the window, one bit each, set for a failure; the newest is the lowest.
    private var recent: UInt64 = 0
    private var recentCount = 0

    /// Starts closed.
    ///
    /// - Parameter rules: When it opens and closes.
    public init(_ rules: Rules) { self.rules = rules }

    /// How many requests may be sent now; a request that is sent is reported to ``sent()``.
    ///
    /// - Parameter now: Monotonic time.
    /// - Returns: 0 or 1; nil for any number.
    public mutating func allowance(at now: Duration) -> Int? {
        switch state {
        case .closed: return nil
        case .open(let until):
            guard now >= until else { return 0 }
            state = .halfOpen(successes: 0, isProbing: false)
            return 1
        case .halfOpen(_, let isProbing): return isProbing ? 0 : 1
        }
    }

    /// Notes that a request was sent; its outcome has to be recorded, or the admission abandoned.
    public mutating func sent() {
        if case .halfOpen(let successes, false) = state { state = .halfOpen(successes: successes, isProbing: true) }
    }

    /// Requests admission of one request, which counts as sent when it is granted.
    ///
    /// - Parameters:
    ///   - now: Monotonic time.
    ///   - patience: Real time to wait while another request probes.
    /// - Returns: Whether the request may be sent.
    public mutating func admit(now: Duration, patience: Duration) -> Admission {
        if case .open(let until) = state, now < until { return .refused(wait: until - now) }
        guard allowance(at: now) != 0 else { return .refused(wait: patience) }
        sent()
        return .granted
    }

    /// Records the outcome of a request.
    ///
    /// - Parameters:
    ///   - evidence: The conclusion from the outcome; that of a request sent before the breaker opened is ignored.
    ///   - now: Monotonic time.
    ///   - reopensAfter: Real time until the first probe, should this outcome open the breaker.
    /// - Returns: Whether this outcome opened the breaker.
    @discardableResult
    public mutating func record(_ evidence: Evidence, now: Duration, reopensAfter: Duration) -> Bool {
        switch state {
        case .open: return false
        case .closed:
            guard count(evidence) else { return false }
        case .halfOpen(let successes, _):
            if evidence == .success {
                let isOver = successes + 1 >= rules.successesNeeded
                state = isOver ? .closed : .halfOpen(successes: successes + 1, isProbing: false)
                return false
            }
        }
        reset()
        state = .open(until: now + reopensAfter)
        return true
    }

    /// Gives an admission back without an outcome: the next request may probe.
    public mutating func abandon() {
        if case .halfOpen(let successes, true) = state { state = .halfOpen(successes: successes, isProbing: false) }
    }

    /// Closes the breaker and forgets all outcomes.
    public mutating func reset() { self = CircuitBreaker(rules) }

    /// The value of its gauge: 0 closed, 1 half-open, 2 open.
    public var gauge: Int {
        switch state {
        case .closed: 0
        case .halfOpen: 1
        case .open: 2
        }
    }

    /// Counts an outcome; returns whether the failures are too many.
    private mutating func count(_ evidence: Evidence) -> Bool {
        inARow = evidence == .failure || evidence == .failureInARow ? inARow + 1 : 0
        let isInWindow = evidence == .failure || evidence == .failureInWindow
        recent = (recent << 1 | (isInWindow ? 1 : 0)) & (1 << UInt64(rules.window) - 1)
        recentCount += 1
        if inARow >= rules.failuresInARowMax || recent.nonzeroBitCount >= rules.windowFailuresMax { return true }
        if !rules.isWindowSliding, recentCount >= rules.window { (recent, recentCount) = (0, 0) }
        return false
    }
}
