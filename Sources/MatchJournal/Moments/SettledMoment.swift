// A correction that restores a moment must stay silent, and a batter who was reprieved may still get out.

internal import MatchEngine

/// The announcements of one event, to recognize it; of wickets, all announcements about one person in an innings.
struct SettledMoment: Sendable, Hashable, Codable {
    /// The keys under which it was announced, or shown since.
    private var keys: Set<MomentKey> = []
    /// The balls on which the match showed it.
    private var balls: Set<DeliveryKey> = []
    /// The newest ball when the state was loaded: balls up to it may be the one that was announced.
    private var unknownUpTo: OrderKey?
    /// Whether the match has shown it ever since.
    private var isShown = true
    /// Its confirmation on this node; nil for one of an earlier writer, and for a moment that was too old for an alert.
    private var proof: Proof?

    /// How a moment was confirmed.
    struct Proof: Sendable, Hashable, Codable {
        let key: MomentKey
        let title: String
        let body: String
        let kind: MomentClass
        let reason: Confirmation
        /// Real time of its first report, and of its confirmation.
        let reportedAt: Duration
        let at: Duration
        let isAlert: Bool

        init(_ moment: Moment, _ kind: MomentClass, _ reason: Confirmation, reportedAt: Duration, at: Duration) {
            (key, title, body, isAlert) = (moment.key, moment.title, moment.body, moment.isAlert)
            (self.kind, self.reason, self.reportedAt, self.at) = (kind, reason, reportedAt, at)
        }

        func revoked(_ waits: ConfirmationWaits, lastReportedAt age: Duration) -> RevokedMoment {
            RevokedMoment(
                key: key.text,
                kind: kind,
                title: title,
                body: body,
                confirmedBy: reason,
                waited: waits.seconds(at - reportedAt),
                lastReportedAt: waits.seconds(age)
            )
        }
    }

    /// A moment that is confirmed.
    init(_ moment: Moment) { show(moment, nil) }

    /// A moment that the journal has as announced.
    init(_ announced: AnnouncedMoment, newest: Delivery?) {
        keys = [announced.key]
        unknownUpTo = newest?.order
        isShown = false
    }

    /// Adds another announcement of the same event.
    mutating func add(_ announced: AnnouncedMoment) { keys.insert(announced.key) }

    /// The match does not show it.
    ///
    /// - Returns: The confirmation of an alert that is withdrawn with this; nil for one that was withdrawn before.
    mutating func revoke() -> Proof? {
        isShown = false
        return proof.take().flatMap { $0.isAlert ? $0 : nil }
    }

    /// Whether a moment of the match is the announced one; a new one has another key and another ball, and comes after
    /// the withdrawal of the announced one.
    mutating func covers(_ moment: Moment, on ball: Delivery?) -> Bool {
        let isKnown = isShown || keys.contains(moment.key) || moment.delivery.map(balls.contains) ?? true
        guard isKnown || ball.map({ isPerhapsOld($0) }) ?? true else { return false }
        show(moment, proof)
        return true
    }

    private func isPerhapsOld(_ ball: Delivery) -> Bool { unknownUpTo.map { ball.order <= $0 } ?? false }

    /// The match shows it, perhaps on another ball.
    mutating func show(_ moment: Moment, _ proof: Proof?) {
        isShown = true
        self.proof = proof
        keys.insert(moment.key)
        if let ball = moment.delivery { balls.insert(ball) }
    }
}
