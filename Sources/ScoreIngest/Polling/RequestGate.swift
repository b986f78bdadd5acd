// All matches of a feed share its limits: one value answers whether a request may be sent.

internal import Providers
internal import ScoreTypes

/// The limits of a feed: requests in flight, `Retry-After`, circuit breaker, budget, session.
struct RequestGate: Sendable {
    /// A request with the entity tag that it is sent with: callers with the same one share the answer.
    struct Flight: Hashable, Sendable {
        let request: ProviderRequest
        let etag: String?
    }

    /// Whether a request may be sent.
    enum Answer: Sendable, Hashable {
        /// It may; `ended` follows.
        case send
        /// The same request is in flight: its answer is this one's.
        case join
        /// Not before this real time has passed.
        case wait(Duration, Limit)
    }

    /// Which limit refuses a request.
    enum Limit: Sendable, Hashable { case retryAfter, breaker, budget }

    private(set) var breaker = CircuitBreaker(IngestLimits.breaker)
    /// nil when no plan is known.
    var budget: HourlyBudget?
    var session = SessionState()
    private var window = RetryAfterWindow()
    private var flights: Set<Flight> = []

    /// Admits or refuses a request about a match, nil for one of the feed's own.
    mutating func admit(
        _ flight: Flight,
        of match: MatchID?,
        for use: RequestUse,
        _ context: PollContext
    ) -> Answer {
        if flights.contains(flight) { return .join }
        if let wait = window.wait(of: match, now: context.now) { return .wait(context.extended(wait), .retryAfter) }
        if case .refused(let wait) = breaker.admit(now: context.now, patience: probeWait(context)) {
            return .wait(wait, .breaker)
        }
        if let wait = budget?.take(for: use, by: match, now: context.now) {
            breaker.abandon()
            return .wait(context.extended(wait), .budget)
        }
        flights.insert(flight)
        return .send
    }

    /// Records the outcome of a request that was sent; one that this side ended says nothing about the feed.
    ///
    /// Returns whether it closed the breaker.
    mutating func ended(
        _ flight: Flight,
        _ outcome: FetchOutcome,
        of match: MatchID?,
        _ context: PollContext
    ) -> Bool {
        flights.remove(flight)
        let wasClosed = breaker.state == .closed
        // Whether an answer can be read concerns its match: one bad page stops no other.
        var evidence = CircuitBreaker.Evidence.success
        switch outcome {
        case .body, .notModified: break
        case .failed(let failure):
            window.record(failure, of: match, now: context.now)
            if failure.countsAgainstFeed { evidence = .failure }
        case .refused:
            breaker.abandon()
            return false
        }
        breaker.record(evidence, now: context.now, reopensAfter: probeWait(context))
        return breaker.state == .closed && !wasClosed
    }

    private func probeWait(_ context: PollContext) -> Duration { context.wait(IngestLimits.probeInterval, .rest) }

    /// Decides how a request gets its session.
    mutating func findSession(_ context: PollContext) -> SessionState.Step {
        session.step(now: context.now, pause: window.wait(of: nil, now: context.now).map(context.extended))
    }

    /// Spends no more than the provider says is left of the day.
    mutating func adopt(_ allowance: RequestAllowance, _ context: PollContext) {
        if budget == nil { budget = HourlyBudget(requests: allowance.limit, now: context.now) }
        budget?.adopt(allowance, now: context.now, wall: context.wall)
    }

    /// Ends every pause that the provider requested, by an operator's order.
    mutating func endPauses() {
        window = RetryAfterWindow()
        session.endBackoff()
    }

    /// Closes the breaker, by an operator's order or because what was counted is old.
    mutating func closeBreaker() { breaker.reset() }
}
