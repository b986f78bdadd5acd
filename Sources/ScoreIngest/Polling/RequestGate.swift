// All matches of a feed share its limits: one value answers whether a request may be sent.

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

    /// Whether there is a session to send requests with.
    enum SessionAnswer: Sendable, Hashable {
        /// There is.
        case use(ProviderSession)
        /// The feed has to be opened; `opened` or `openingFailed` follows.
        case open
        /// It is being opened: the question is repeated after that.
        case join
        /// Not before this real time has passed.
        case wait(Duration)
    }

    private(set) var breaker = CircuitBreaker(FeedBreaker.rules)
    private var budget: HourlyBudget?
    private var window = RetryAfterWindow()
    private var sessionState = SessionState()
    private var flights: Set<Flight> = []
    private var isOpening = false

    /// - Parameters:
    ///   - hourlyRequests: What the plan allows in an hour; nil when no plan is known.
    ///   - now: The monotonic clock.
    init(hourlyRequests: Int?, now: Duration) { budget = hourlyRequests.map { HourlyBudget(requests: $0, now: now) } }

    // MARK: Requests

    /// Admits or refuses a request.
    ///
    /// - Parameters:
    ///   - flight: The request.
    ///   - match: The match that it is about; nil for one of the feed's own.
    ///   - use: What it is for.
    ///   - context: The time; randomizes waits.
    /// - Returns: The answer.
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

    /// Records the outcome of a request that was sent.
    ///
    /// - Parameters:
    ///   - flight: The request.
    ///   - outcome: What came; one that this side ended says nothing about the feed.
    ///   - match: The match that it was about.
    ///   - context: The time; randomizes the next probe.
    mutating func ended(_ flight: Flight, _ outcome: FetchOutcome, of match: MatchID?, _ context: PollContext) {
        flights.remove(flight)
        let evidence: CircuitBreaker.Evidence
        switch outcome {
        case .refused: return breaker.abandon()
        // Whether an answer can be read concerns its match: one bad page stops no other.
        case .body, .notModified: evidence = .success
        case .failed(let failure):
            window.record(failure, of: match, now: context.now)
            evidence = failure.countsAgainstFeed ? .failure : .success
        }
        breaker.record(evidence, now: context.now, reopensAfter: probeWait(context))
    }

    private func probeWait(_ context: PollContext) -> Duration { context.wait(FeedBreaker.probeInterval, .rest) }

    /// Takes a request for what can wait out of the budget.
    ///
    /// - Parameter now: The monotonic clock.
    /// - Returns: Whether there is enough.
    mutating func takeSpare(now: Duration) -> Bool { budget?.takeSpare(now: now) ?? true }

    /// Spends no more than the provider says is left of the day.
    mutating func adopt(_ allowance: RequestAllowance, _ context: PollContext) {
        if budget == nil { budget = HourlyBudget(requests: allowance.limit, now: context.now) }
        budget?.adopt(allowance, now: context.now, wall: context.wall)
    }

    /// How full the budget is, 0 to 1; nil without a budget.
    mutating func budgetLeft(now: Duration) -> Double? { budget?.left(now: now) }

    // MARK: Session

    /// The session that the feed was opened with last; nil before the first.
    var session: ProviderSession? { sessionState.session }

    /// Finds the session for the next request.
    mutating func session(_ context: PollContext) -> SessionAnswer {
        switch sessionState.step(now: context.now) {
        case .use(let session): return .use(session)
        case .wait(let wait): return .wait(wait)
        case .open:
            if let wait = window.wait(of: nil, now: context.now) { return .wait(context.extended(wait)) }
            if isOpening { return .join }
            isOpening = true
            return .open
        }
    }

    /// Records an opening.
    mutating func opened(_ session: ProviderSession, _ context: PollContext) {
        isOpening = false
        sessionState.opened(session, context)
    }

    /// Records a failed opening.
    ///
    /// - Parameters:
    ///   - failure: The answer; nil when it could not be read, or nothing was sent.
    ///   - context: Scales and randomizes the wait.
    /// - Returns: Real time until the next attempt.
    mutating func openingFailed(_ failure: FetchFailure?, _ context: PollContext) -> Duration {
        isOpening = false
        return sessionState.failed(failure, context)
    }

    /// Records that a request was refused for its token.
    ///
    /// - Parameter now: The monotonic clock.
    /// - Returns: Whether the feed is opened again, at most once in `IngestLimits.sessionReopenEvery`.
    mutating func reopens(now: Duration) -> Bool { sessionState.refused(now: now) }

    /// Records that a reply could not be read.
    ///
    /// - Parameters:
    ///   - error: Why.
    ///   - now: The monotonic clock.
    /// - Returns: Whether the feed is opened again: the reply says that the token is refused, whatever its status, or has
    ///   a word that the tables lack.
    mutating func reopens(after error: AdapterError, now: Duration) -> Bool {
        switch error {
        case .refused: break
        // A session with doubts about its tables may have none.
        case .unknownWord:
            guard session?.tables.isEmpty == false || session?.doubts.isEmpty == false else { return false }
        case .notJSON, .missing, .wrongForm, .outOfRange, .contradiction: return false
        }
        return reopens(now: now)
    }

    // MARK: Orders

    /// Ends every pause that the provider asked for, by an operator's order.
    mutating func endPauses() {
        window = RetryAfterWindow()
        sessionState.endBackoff()
    }

    /// Closes the breaker and ends the back-off of the session, by an operator's order.
    mutating func reset() {
        breaker.reset()
        sessionState.endBackoff()
    }

    /// Forgets what was counted of the feed: it is old when this node polls it again.
    mutating func released() { breaker.reset() }
}
