// Tokens end and tables change: this value decides when a feed is opened again.

internal import ScoreTypes

/// What is known of a feed's session.
///
/// ```
/// closed ──opened──▶ open ──nearly over, or refused──▶ due ──opened──▶ open
///    ▲ └── opening failed: back-off ──┘                  └── opening failed: the old session serves while it lasts
/// ```
struct SessionState: Sendable {
    /// What the last opening returned; nil before the first.
    private(set) var session: ProviderSession?
    private var renewAt: Duration?
    private var openedAt: Duration?
    private var backoff = Backoff()
    private var closedUntil: Duration?

    /// What to do before a request is sent.
    enum Step: Sendable, Hashable {
        /// The session serves.
        case use(ProviderSession)
        /// It has to be opened first.
        case open
        /// Opening has failed; the next attempt follows after this real time.
        case wait(Duration)
    }

    /// Decides by the monotonic clock.
    func step(now: Duration) -> Step {
        let isDue = renewAt.map { now >= $0 } ?? true
        if let session, !isDue { return .use(session) }
        if let closedUntil, now < closedUntil {
            // A session that is nearly over is better than none.
            if let session { return .use(session) }
            return .wait(closedUntil - now)
        }
        return .open
    }

    /// Records an opening.
    mutating func opened(_ session: ProviderSession, _ context: PollContext) {
        self.session = session
        openedAt = context.now
        closedUntil = nil
        backoff.succeeded()
        let life = session.expiresAt.map { $0 - context.wall } ?? IngestLimits.sessionMax
        renewAt = context.now + max(life - IngestLimits.sessionRenewalLead, life * 0.9, IngestLimits.sessionMin)
    }

    /// Records a failed opening.
    ///
    /// - Parameters:
    ///   - failure: The answer; nil when it could not be read, or nothing was sent.
    ///   - context: Scales and randomizes the wait.
    /// - Returns: The real time to wait.
    mutating func failed(_ failure: FetchFailure?, _ context: PollContext) -> Duration {
        // A provider that refuses the key refuses what was made with it.
        if failure?.isTokenRefused == true { session = nil }
        let wait = backoff.failed(retryAfter: failure?.retryAfter, context)
        closedUntil = context.now + wait
        return wait
    }

    /// Records that a request was refused for its token, or that a reply has a word of no table.
    ///
    /// - Parameter now: The monotonic clock.
    /// - Returns: Whether the feed is opened again; not within `IngestLimits.sessionReopenEvery`, and not while a failed
    ///   opening backs off.
    mutating func refused(now: Duration) -> Bool {
        if let closedUntil, now < closedUntil { return false }
        guard let openedAt, now - openedAt >= IngestLimits.sessionReopenEvery else { return false }
        renewAt = now
        return true
    }

    /// Ends the back-off, by an operator's order.
    mutating func endBackoff() {
        closedUntil = nil
        backoff.succeeded()
    }
}
