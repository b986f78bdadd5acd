// A correction that gives back what it took must stay silent, and a batter who was reprieved may still get out.

internal import MatchEngine

/// What was told of one happening, to know it again; of a wicket, all that was told of one person's in an innings.
struct SpentMoment: Sendable, Hashable, Codable {
    /// The names under which it was told, or has stood since.
    private var keys: Set<MomentKey> = []
    /// The balls on which it stood.
    private var balls: Set<DeliveryKey> = []
    /// Balls up to this one may be the one that it was told for: whoever told it has died since.
    private var unknownUpTo: OrderKey?
    /// Whether the match has shown it ever since.
    private var isStanding = true

    /// What has just become certain.
    init(_ moment: Moment) { note(moment) }

    /// What the ledger says was told, of a match that is taken up.
    init(_ told: ToldMoment, newest: Delivery?) {
        keys = [told.key]
        unknownUpTo = newest?.order
        isStanding = false
    }

    /// Takes up another entry of the ledger for the same happening.
    mutating func add(_ told: ToldMoment) { keys.insert(told.key) }

    /// What has become certain again, for another ball.
    mutating func tell(_ moment: Moment) {
        note(moment)
        isStanding = true
    }

    /// Notes that the match does not show it.
    mutating func revoke() { isStanding = false }

    /// Whether a moment that the match shows is what was told; another one has its own name and its own ball, and what
    /// was told was taken back before it.
    mutating func covers(_ moment: Moment, on ball: Delivery?) -> Bool {
        let isKnown = isStanding || keys.contains(moment.key) || moment.delivery.map(balls.contains) ?? true
        guard isKnown || ball.map({ isPerhapsOld($0) }) ?? true else { return false }
        note(moment)
        isStanding = true
        return true
    }

    private func isPerhapsOld(_ ball: Delivery) -> Bool { unknownUpTo.map { ball.order <= $0 } ?? false }

    private mutating func note(_ moment: Moment) {
        keys.insert(moment.key)
        if let ball = moment.delivery { balls.insert(ball) }
    }
}
