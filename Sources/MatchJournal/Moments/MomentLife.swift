// One ball in seven is revised, so a moment is told only when it is certain, and only once (PUBLICATION section 2).

public import MatchEngine

/// Which moments of a match wait, and which are settled.
///
/// Everything in it follows from the journal and the ledger of what was told, so a crash loses nothing but the
/// seconds already waited.
public struct MomentLife: Sendable, Codable {
    /// What makes the moments be looked at.
    public enum Sighting: Sendable, Hashable {
        /// An accepted reply, unchanged or not.
        case reply
        /// The first reply after a silence, or of another feed, read at that second since 1970: what it brings and
        /// is not fresh is history.
        case catchUp(at: Int64)
        /// Only time has passed.
        case time
    }

    /// A moment on a ball that this many known balls follow is history when it is first seen: two overs.
    public static let newsBalls = 12
    /// After a silence a moment is news when its ball was bowled so many seconds ago at most: an alert's longest life.
    public static let freshSeconds: Int64 = 60
    /// A ball that lies so many seconds back may be a new one by a clock that is an hour slow.
    public static let slowClockSeconds: Int64 = 3_600

    private struct Waiting: Sendable, Codable {
        let ball: Delivery?
        var since: Duration
        /// False for a result that only the balls prove, and for an innings that a word alone has ended.
        let isOfficial: Bool
        /// Whether a reply that is held shows the match without it.
        var isDoubted = false
    }

    private let patience: MomentPatience
    private var waiting: [MomentIdentity: Waiting] = [:]
    private var settled: [MomentIdentity: SpentMoment] = [:]

    /// Takes up a match as the journal has it.
    ///
    /// - Parameters:
    ///   - told: The ledger.
    ///   - moments: The moments of the stored match; those that are neither told nor on its newest ball were left
    ///     untold by an older server, which is no reason to tell them now.
    ///   - record: The stored match.
    ///   - now: Real time by a clock that never jumps.
    ///   - patience: How long a moment waits when nothing settles it.
    public init(
        told: [ToldMoment],
        moments: [Moment],
        record: MatchRecord,
        now: Duration,
        patience: MomentPatience
    ) {
        self.patience = patience
        for told in told {
            let identity = MomentIdentity(told)
            if settled[identity]?.add(told) == nil {
                settled[identity] = SpentMoment(told, newest: record.deliveries.last)
            }
        }
        for moment in moments where moment.needsTelling && !isSpent(moment, in: record) {
            if moment.delivery == nil || moment.delivery == record.deliveries.last?.key {
                wait(moment, record: record, now: now)
            } else {
                spend(moment)
            }
        }
    }

    /// Whether a moment waits to become certain.
    public func isWaiting(_ moment: Moment) -> Bool { waiting[MomentIdentity(moment)] != nil }

    /// Doubts what a reply that is held shows otherwise: until the next reply, nothing of it becomes certain.
    ///
    /// - Parameter snapshot: The reply.
    public mutating func doubt(_ snapshot: MatchSnapshot) {
        let shown = Dictionary(snapshot.deliveries.map { ($0.key, $0) }) { first, _ in first }
        waiting = waiting.mapValues { waiting in
            var waiting = waiting
            // What has no ball stands or falls with the whole match.
            waiting.isDoubted = waiting.ball.map { shown[$0.key] != $0 } ?? true
            return waiting
        }
    }

    /// Ends all doubts, as a reply that is believed does; what still waits has its patience before it.
    ///
    /// - Parameter now: Real time by a clock that never jumps.
    public mutating func believe(now: Duration) {
        for (identity, doubted) in waiting where doubted.isDoubted {
            waiting[identity]?.isDoubted = false
            waiting[identity]?.since = now
        }
    }

    /// Looks at all moments; what is returned counts as told from now on.
    ///
    /// - Parameters:
    ///   - sighting: A reply counts as a second look at what waits.
    ///   - moments: The moments of the match as it is now.
    ///   - record: The match as it is now.
    ///   - before: The match as it was before the reply.
    ///   - now: Real time by a clock that never jumps.
    /// - Returns: What is certain now.
    public mutating func look(
        _ sighting: Sighting,
        at moments: [Moment],
        of record: MatchRecord,
        before: MatchRecord,
        now: Duration
    ) -> Telling {
        var telling = Telling()
        let earlier = waiting
        waiting = [:]
        let tellable = moments.filter(\.needsTelling).map { ($0, MomentIdentity($0)) }
        revoke(allBut: Set(tellable.map { $0.1 }))
        for (moment, identity) in tellable {
            guard !isSpent(moment, in: record) else { continue }
            let known = earlier[identity].flatMap { $0.ball == ball(of: moment, in: record) ? $0 : nil }
            if earlier[identity] == nil && isHistory(moment, sighting, in: record, before: before) {
                telling.history.append(moment)
            } else if isCertain(moment, in: record) || known.map({ isSettled($0, moment, sighting, now) }) == true {
                telling.news.append(moment)
            } else {
                if let known, known.isOfficial == moment.isOfficial {
                    waiting[identity] = known
                } else {
                    wait(moment, record: record, now: now)
                }
                continue
            }
            spend(moment)
        }
        return telling
    }

    /// Whether a moment was told, or was too old to be told, and must not be told now.
    private mutating func isSpent(_ moment: Moment, in record: MatchRecord) -> Bool {
        let ball = ball(of: moment, in: record)
        return settled[MomentIdentity(moment)]?.covers(moment, on: ball) ?? false
    }

    private mutating func spend(_ moment: Moment) {
        let identity = MomentIdentity(moment)
        if settled[identity]?.tell(moment) == nil { settled[identity] = SpentMoment(moment) }
    }

    /// Notes what was told and is not shown any more.
    private mutating func revoke(allBut standing: Set<MomentIdentity>) {
        for identity in settled.keys where !standing.contains(identity) { settled[identity]?.revoke() }
    }

    /// How long until time alone settles something; nil when nothing waits that it could settle.
    public func wait(now: Duration) -> Duration? {
        waiting.values.filter { !$0.isDoubted && $0.isOfficial }
            .map { max(.zero, $0.since + patience.reported - now) }.min()
    }

    /// Whether something waits that another look would settle; what is not proven has its half minute first.
    public var wantsLook: Bool { waiting.values.contains { !$0.isDoubted && $0.isOfficial } }

    private mutating func wait(_ moment: Moment, record: MatchRecord, now: Duration) {
        let ball = ball(of: moment, in: record)
        waiting[MomentIdentity(moment)] = Waiting(ball: ball, since: now, isOfficial: moment.isOfficial)
    }

    private func ball(of moment: Moment, in record: MatchRecord) -> Delivery? {
        moment.delivery.flatMap(record.delivery)
    }

    /// Certain by itself: the provider's final word, or the next ball.
    private func isCertain(_ moment: Moment, in record: MatchRecord) -> Bool {
        guard moment.kind != .result else { return moment.isOfficial }
        // A match that is over by the provider's word keeps nothing waiting: what came later would follow its end.
        if record.result != nil && record.status.status.isFinal { return true }
        guard let ball = ball(of: moment, in: record) else { return false }
        return ball.isFinal || record.deliveries.last?.key != ball.key
    }

    /// Certain by having been there before, unchanged.
    ///
    /// A result that only the balls prove ripens by time and is told with an answer that shows it still, and so does an
    /// innings that a word alone has ended: a feed that stopped in the last over may have one more ball to tell of.
    private func isSettled(_ known: Waiting, _ moment: Moment, _ sighting: Sighting, _ now: Duration) -> Bool {
        if known.isDoubted { return false }
        let waited = now - known.since
        guard moment.isOfficial else { return sighting != .time && waited >= patience.proved }
        return sighting != .time || waited >= patience.reported
    }

    /// What had happened before the match was first looked at, while nobody looked, or behind two overs of known balls.
    private func isHistory(
        _ moment: Moment,
        _ sighting: Sighting,
        in record: MatchRecord,
        before: MatchRecord
    ) -> Bool {
        if case .catchUp(let now) = sighting, !isFresh(moment, in: record, now: now) { return true }
        if before.info == nil { return moment.delivery == nil || moment.delivery != record.deliveries.last?.key }
        guard let ball = ball(of: moment, in: record) else { return false }
        let index = before.deliveries.count - Self.newsBalls
        return index >= 0 && before.deliveries[index].order > ball.order
    }

    /// Whether a moment that was found after a silence is still news: its ball is the newest, or was bowled just now
    /// by the provider's clock, as far as that clock can be believed (F18): it is not when the ball lies ahead of us,
    /// nor so far back that a clock an hour slow would say so; without a ball, where the match stands now.
    private func isFresh(_ moment: Moment, in record: MatchRecord, now: Int64) -> Bool {
        guard let ball = ball(of: moment, in: record) else {
            switch moment.kind {
            case .result: return true
            case .inningsEnd: return moment.innings == record.innings.last?.ordinal
            default: return false
            }
        }
        let isNewest = record.deliveries.last?.key == ball.key
        guard let bowledAt = ball.occurredAt else { return isNewest }
        let (age, isOdd) = now.subtractingReportingOverflow(bowledAt)
        guard !isOdd, (-Self.freshSeconds..<Self.slowClockSeconds).contains(age) else { return isNewest }
        return age <= Self.freshSeconds
    }
}

extension Moment {
    /// Whether it is told at all; what is not only colours the content.
    var needsTelling: Bool { isAlert || priority == .ten }
}
