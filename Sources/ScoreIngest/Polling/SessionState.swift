// Tokens end and tables change: this value decides when a feed is opened again.

internal import Providers
internal import ScoreTypes

/// The state of a feed's session.
///
/// ```
/// closed ──opened──▶ open ──nearly over, or refused──▶ due ──opened──▶ open
///    ▲ └── opening failed: back-off ──┘                  └── opening failed: the old session serves while it lasts
/// ```
struct SessionState: Sendable {
    /// The result of the last opening; nil before the first.
    private(set) var session: ProviderSession?
    private var isOpening = false
    private var renewAt: Duration?
    private var openedAt: Duration?
    private var backoff = Backoff()
    private var closedUntil: Duration?

    /// The step before a request is sent.
    enum Step: Sendable, Hashable {
        /// The session serves.
        case use(ProviderSession)
        /// Open the feed first; `opened` or `failed` follows.
        case open
        /// The feed is being opened: decide again after that.
        case join
        /// Not before this real time has passed.
        case wait(Duration)
    }

    /// Decides by the monotonic clock; `pause` is the real time for which the provider wants no requests.
    mutating func step(now: Duration, pause: Duration? = nil) -> Step {
        let isDue = renewAt.map { now >= $0 } ?? true
        if let session, !isDue { return .use(session) }
        if let closedUntil, now < closedUntil {
            // A session that is nearly over is better than none.
            return session.map(Step.use) ?? .wait(closedUntil - now)
        }
        if let pause { return .wait(pause) }
        defer { isOpening = true }
        return isOpening ? .join : .open
    }

    /// Records an opening.
    mutating func opened(_ session: ProviderSession, _ context: PollContext) {
        (self.session, isOpening, openedAt, closedUntil) = (session, false, context.now, nil)
        backoff.succeeded()
        let life = session.expiresAt.map { $0 - context.wall } ?? IngestLimits.sessionMax
        renewAt = context.now + max(life - IngestLimits.sessionRenewalLead, life * 0.9, IngestLimits.sessionMin)
    }

    /// Records a failed opening, nil for an unreadable answer or none; returns the real time to wait.
    mutating func failed(_ failure: FetchFailure?, _ context: PollContext) -> Duration {
        isOpening = false
        // A provider that refuses the key refuses what was made with it.
        if failure?.isTokenRefused == true { session = nil }
        let wait = backoff.failed(retryAfter: failure?.retryAfter, context)
        closedUntil = context.now + wait
        return wait
    }

    /// Records that a request was refused for its token.
    ///
    /// - Returns: Whether the feed is opened again; not within `IngestLimits.sessionReopenEvery`, and not while a
    ///   failed opening backs off.
    mutating func refused(now: Duration) -> Bool {
        if let closedUntil, now < closedUntil { return false }
        guard let openedAt, now - openedAt >= IngestLimits.sessionReopenEvery else { return false }
        renewAt = now
        return true
    }

    /// Records that a reply could not be read: it may say that the token is refused, whatever its status, or have a
    /// word that the tables lack.
    ///
    /// - Returns: Whether the feed is opened again.
    mutating func unreadable(_ error: AdapterError, now: Duration) -> Bool {
        switch error {
        case .refused: break
        // A session with doubts about its tables may have none.
        case .unknownWord:
            guard session?.tables.isEmpty == false || session?.doubts.isEmpty == false else { return false }
        case .notJSON, .tooLarge, .missing, .wrongForm, .outOfRange, .contradiction: return false
        }
        return refused(now: now)
    }

    /// Ends the back-off, by an operator's order.
    mutating func endBackoff() {
        closedUntil = nil
        backoff.succeeded()
    }
}
