// When an environment refuses everything, asking a million times more helps nobody.

/// Closed, open, half-open: stops an environment's sends after too many faults in a row, and probes for its recovery.
struct Breaker: Sendable {
    /// Faults of configuration in a row that open it; each touches no token.
    static let configurationFaultsMax = 5
    /// Answers that are looked at together.
    static let windowSize = 20
    /// Server faults among those that open it: half of them.
    static let serverFaultsMax = 10
    /// Real time between probes, before jitter of a tenth.
    static let probeInterval: Duration = .seconds(10)
    /// Accepted probes that close it.
    static let probesToClose = 3

    enum State: Sendable, Hashable {
        case closed
        case open(until: Duration)
        /// One request at a time; how many were accepted so far.
        case halfOpen(accepted: Int, isProbing: Bool)
    }

    /// What an answer says about the environment, not about the token.
    enum Evidence: Sendable, Hashable { case healthy, serverFault, configurationFault }

    private(set) var state: State = .closed
    private var configurationFaults = 0
    private var answers = 0
    private var serverFaults = 0

    /// How many requests may go out now; nil for no limit of its own.
    mutating func allowance(at now: Duration) -> Int? {
        switch state {
        case .closed: return nil
        case .open(let until):
            guard now >= until else { return 0 }
            state = .halfOpen(accepted: 0, isProbing: false)
            return 1
        case .halfOpen(_, let isProbing): return isProbing ? 0 : 1
        }
    }

    /// A request went out.
    mutating func sent() {
        if case .halfOpen(let accepted, false) = state { state = .halfOpen(accepted: accepted, isProbing: true) }
    }

    /// A request got no answer that says anything: a probe may be repeated.
    mutating func unheard() {
        if case .halfOpen(let accepted, true) = state { state = .halfOpen(accepted: accepted, isProbing: false) }
    }

    /// An answer came.
    ///
    /// - Parameters:
    ///   - evidence: What it says.
    ///   - now: The loop's time.
    ///   - jitter: A number from 0 up to 1.
    /// - Returns: Whether this opened the breaker.
    mutating func heard(_ evidence: Evidence, at now: Duration, jitter: Double) -> Bool {
        switch state {
        case .open: return false
        case .halfOpen(let accepted, _):
            guard evidence == .healthy else { return trip(at: now, jitter: jitter) }
            state = accepted + 1 >= Self.probesToClose ? .closed : .halfOpen(accepted: accepted + 1, isProbing: false)
            return false
        case .closed: return count(evidence) ? trip(at: now, jitter: jitter) : false
        }
    }

    private mutating func count(_ evidence: Evidence) -> Bool {
        configurationFaults = evidence == .configurationFault ? configurationFaults + 1 : 0
        answers += 1
        if evidence == .serverFault { serverFaults += 1 }
        if configurationFaults >= Self.configurationFaultsMax || serverFaults >= Self.serverFaultsMax { return true }
        if answers >= Self.windowSize { (answers, serverFaults) = (0, 0) }
        return false
    }

    private mutating func trip(at now: Duration, jitter: Double) -> Bool {
        (configurationFaults, answers, serverFaults) = (0, 0, 0)
        state = .open(until: now + Self.probeInterval * (0.9 + 0.2 * jitter))
        return true
    }
}

extension Breaker.Evidence {
    /// What an outcome says about its environment; nil when it says nothing.
    init?(_ outcome: PushOutcome) {
        switch outcome {
        case .accepted, .failed(.throttled): self = .healthy
        case .rejected(.stopEnvironment), .rejected(.dropRequest): self = .configurationFault
        case .rejected: self = .healthy
        case .failed(.server), .failed(.draining): self = .serverFault
        case .failed: return nil
        }
    }
}
