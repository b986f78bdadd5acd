// The wait of a moment has rules of its own: a doubt stops it, a correction begins it anew, and a bound ends it.

internal import MatchEngine

/// A moment that was reported and is not confirmed.
struct PendingMoment: Sendable, Codable {
    /// Its ball in the newest reply.
    private var ball: Delivery?
    let kind: MomentClass
    /// The words of its alert: an edit of the ball that leaves them right is no correction.
    private let title, body: String
    /// When a reply first had it in these words.
    let reportedAt: Duration
    /// When its wait began: a held reply that shows it otherwise begins it anew.
    private var since: Duration
    /// When the wait that the bound ends began, in whichever words.
    private(set) var boundedSince: Duration
    /// False for a result that only the balls prove, and for an innings that only a status has ended.
    private(set) var isOfficial: Bool
    /// The newest ball that its feed had before the reply that first had it in these words; nil for none.
    private var lastBall: KnownBall?
    /// Whether a held reply shows the match without it.
    private var isDoubted = false
    /// Whether a feed that does not lead the match reports it, too.
    private var isSeconded = false

    private struct KnownBall: Sendable, Codable {
        let key: DeliveryKey
        let order: OrderKey
    }

    /// Begins to wait; `boundedSince` is nil for a moment that has not waited in other words.
    init(
        _ moment: Moment,
        in record: MatchRecord,
        after lastBall: Delivery?,
        now: Duration,
        boundedSince: Duration? = nil
    ) {
        ball = record.ball(of: moment)
        kind = MomentClass(moment, on: ball)
        (title, body) = (moment.title, moment.body)
        (reportedAt, since, self.boundedSince) = (now, now, boundedSince ?? now)
        isOfficial = moment.isOfficial
        follow(lastBall)
    }

    /// Whether a moment is this one and its alert would still be right: a fielder who is added, or a newer time of the
    /// row, changes nothing.
    ///
    /// An end or a result depends on all balls, so that its words are compared; any other moment is the same while its
    /// ball is.
    func isUnchanged(_ moment: Moment, in record: MatchRecord) -> Bool {
        let ball = record.ball(of: moment)
        if kind == .innings || kind == .match { return moment.confirms(title: title, body: body) }
        if ball == self.ball { return true }
        guard let ball, let before = self.ball, (ball.innings, ball.over) == (before.innings, before.over) else {
            return false
        }
        return moment.confirms(title: title, body: body)
    }

    /// Sets the ball after which the next one confirms it.
    mutating func follow(_ newest: Delivery?) {
        lastBall = newest.map { KnownBall(key: $0.key, order: $0.order) }
    }

    /// Takes over what a newer reply says of the same moment.
    mutating func update(_ moment: Moment, in record: MatchRecord) {
        ball = record.ball(of: moment)
        isOfficial = moment.isOfficial
    }

    /// Stops the wait if a held reply shows the match without the moment; `shown` has its balls.
    mutating func doubt(_ shown: [DeliveryKey: Delivery]) {
        // A moment without a ball depends on the whole match.
        isDoubted = ball.map { shown[$0.key] != $0 } ?? true
    }

    /// Ends a doubt, as an accepted reply does; the wait begins anew.
    mutating func believe(now: Duration) {
        guard isDoubted else { return }
        (isDoubted, since, boundedSince) = (false, now, now)
    }

    /// Records that a feed which does not lead the match reports it, too.
    mutating func second() { isSeconded = true }

    /// Its confirmation by a later ball, another feed or its wait; nil while there is none.
    func confirmation(
        _ sighting: MomentLife.Sighting,
        in record: MatchRecord,
        _ waits: ConfirmationWaits,
        now: Duration
    ) -> Confirmation? {
        if isDoubted { return nil }
        let waited = now - since
        if isFollowed(in: record) {
            switch sighting {
            case .reply where waited >= waits.nextBall: return .nextBall
            // The balls of a silence were bowled one after another, unless a doubt about the moment has just ended.
            case .catchUp where since == reportedAt: return .nextBall
            case .reply, .catchUp, .time: break
            }
        }
        // A result that only the balls prove needs its time and then a reply that still shows it, and so does an
        // innings that only a status has ended: a feed that stopped in the last over may report one more ball.
        let isSeen = sighting != .time
        guard isOfficial else { return isSeen && waited >= waits.unofficial(kind) ? .unchanged : nil }
        if isSeconded { return .secondFeed }
        if isSeen, waited >= waits.unchanged(kind) { return .unchanged }
        return now - boundedSince >= waits.bound ? .bound : nil
    }

    /// Whether a later ball is there that the feed did not have before: known balls before which the ball of the moment
    /// was inserted or changed confirm nothing, also where an insertion moves them.
    private func isFollowed(in record: MatchRecord) -> Bool {
        guard let ball, let newest = record.deliveries.last, newest.key != ball.key else { return false }
        return lastBall.map { newest.key != $0.key && newest.order > $0.order } ?? true
    }

    /// Real time until time alone confirms it; nil for never.
    func wait(_ waits: ConfirmationWaits, now: Duration) -> Duration? {
        isDoubted || !isOfficial ? nil : max(.zero, boundedSince + waits.bound - now)
    }

    /// Real time until a reply that shows the same confirms it; nil when none does, as of a result that only the balls
    /// prove.
    func look(_ waits: ConfirmationWaits, now: Duration) -> Duration? {
        isDoubted || !isOfficial ? nil : max(.zero, since + waits.unchanged(kind) - now)
    }
}
