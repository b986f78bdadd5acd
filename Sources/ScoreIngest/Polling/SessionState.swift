// Tokens end and tables change: when to open a feed again is decided here, without waiting for anything.

internal import Providers
internal import ScoreTypes

/// What is known of a feed's session.
///
/// ```
/// closed ──opened──▶ open ──nearly over, or refused──▶ due ──opened──▶ open
///    ▲ └── opening failed: back-off ──┘                  └── opening failed: the old one serves while it lasts
/// ```
struct SessionState: Sendable {
    /// How long before its end a session is renewed at the most, in real time; a short one at nine tenths of its life.
    static let renewalLead: Duration = .seconds(300)
    /// A session without an end is opened anew so often, for its tables.
    static let longest: Duration = .seconds(12 * 3_600)
    /// Real time between two openings that refusals and unknown words ask for: a key that is refused will be refused
    /// again, and a table that has no entry has none a moment later.
    static let reopenEvery: Duration = .seconds(60)

    /// Shortest life of a session whatever its provider says, or one that is over at once would be opened for ever.
    static let shortest: Duration = .seconds(10)

    /// What the last opening brought; nil before the first.
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
        /// Opening has failed; nothing before this real time has passed.
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

    /// Notes an opening.
    mutating func opened(_ session: ProviderSession, at wall: Instant, now: Duration) {
        self.session = session
        openedAt = now
        closedUntil = nil
        backoff.succeeded()
        let life = session.expiresAt.map { $0 - wall } ?? Self.longest
        renewAt = now + max(life - Self.renewalLead, life * 0.9, Self.shortest)
    }

    /// Notes a failed opening; returns the real time to wait.
    mutating func failed(retryAfter: Duration?, clock: ServiceClock, jitter: Double) -> Duration {
        let wait = backoff.failed(retryAfter: retryAfter, clock: clock, jitter: jitter)
        closedUntil = clock.monotonic + wait
        return wait
    }

    /// Notes that a request was refused for its token, or a reply for a word of no table; returns whether it is worth
    /// opening again, which is not while an opening that has failed is waited out.
    mutating func refused(now: Duration) -> Bool {
        if let closedUntil, now < closedUntil { return false }
        guard let openedAt, now - openedAt >= Self.reopenEvery else { return false }
        renewAt = now
        return true
    }

    /// An operator wants it to be opened at once, however often that has failed.
    mutating func lift() {
        closedUntil = nil
        backoff.succeeded()
    }

    /// The old session is known to be of no use.
    mutating func drop() { session = nil }
}
