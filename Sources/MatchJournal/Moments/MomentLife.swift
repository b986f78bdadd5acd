// One ball in seven is revised, so a moment is announced only when it is confirmed, and once (PUBLICATION section 2).

internal import MatchEngine

/// The pending and the settled moments of a match.
///
/// It is a function of the journal, so a crash loses only the seconds already waited.
struct MomentLife: Sendable, Codable {
    /// Why the moments are looked at.
    enum Sighting: Sendable, Hashable {
        /// An accepted reply, unchanged or not.
        case reply
        /// The first reply after a silence, or of another feed, read at that second since 1970: moments that are not
        /// fresh are history.
        case catchUp(at: Int64)
        /// Only time has passed.
        case time
    }

    private struct Waiting: Sendable, Codable {
        let ball: Delivery?
        var since: Duration
        /// False for a result that only the balls prove, and for an innings that only a status has ended.
        let isOfficial: Bool
        /// Whether a held reply shows the match without it.
        var isDoubted = false
    }

    private let patience: ConfirmationDelays
    private var waiting: [MomentIdentity: Waiting] = [:]
    private var settled: [MomentIdentity: SettledMoment] = [:]

    /// Loads the moments of a stored match; those that are neither announced nor on its newest ball are history.
    ///
    /// `now` is real time by a clock that never jumps.
    init(
        announced: [AnnouncedMoment],
        moments: [Moment],
        record: MatchRecord,
        now: Duration,
        patience: ConfirmationDelays
    ) {
        self.patience = patience
        for moment in announced {
            let identity = MomentIdentity(moment)
            if settled[identity]?.add(moment) == nil {
                settled[identity] = SettledMoment(moment, newest: record.deliveries.last)
            }
        }
        for moment in moments where moment.needsAnnouncement && !isSpent(moment, in: record) {
            if moment.delivery == nil || moment.delivery == record.deliveries.last?.key {
                wait(moment, record: record, now: now)
            } else {
                spend(moment)
            }
        }
    }

    /// Keeps moments that a held reply shows otherwise pending until the next reply.
    mutating func doubt(_ snapshot: MatchSnapshot) {
        let shown = Dictionary(snapshot.deliveries.map { ($0.key, $0) }) { first, _ in first }
        waiting = waiting.mapValues { waiting in
            var waiting = waiting
            // A moment without a ball depends on the whole match.
            waiting.isDoubted = waiting.ball.map { shown[$0.key] != $0 } ?? true
            return waiting
        }
    }

    /// Ends the effect of held replies, as an accepted reply does; pending moments wait from now on.
    mutating func believe(now: Duration) {
        for (identity, doubted) in waiting where doubted.isDoubted {
            waiting[identity]?.isDoubted = false
            waiting[identity]?.since = now
        }
    }

    /// Compares all moments of a record with those that wait and those before the reply; returns those that are
    /// confirmed now, and counts them as announced.
    ///
    /// A reply is a second sighting of pending moments.
    mutating func confirm(
        _ sighting: Sighting,
        at moments: [Moment],
        of record: MatchRecord,
        before: MatchRecord,
        now: Duration
    ) -> ConfirmedMoments {
        var confirmed = ConfirmedMoments()
        let earlier = waiting
        waiting = [:]
        let reportable = moments.filter(\.needsAnnouncement).map { ($0, MomentIdentity($0)) }
        revoke(allBut: Set(reportable.map { $0.1 }))
        for (moment, identity) in reportable {
            guard !isSpent(moment, in: record) else { continue }
            let known = earlier[identity].flatMap { $0.ball == ball(of: moment, in: record) ? $0 : nil }
            if earlier[identity] == nil && isHistory(moment, sighting, in: record, before: before) {
                confirmed.history.append(moment)
            } else if isCertain(moment, in: record) || known.map({ isSettled($0, moment, sighting, now) }) == true {
                confirmed.news.append(moment)
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
        return confirmed
    }

    /// Whether a moment was announced, or was too old for it, and must not be announced now.
    private mutating func isSpent(_ moment: Moment, in record: MatchRecord) -> Bool {
        let ball = ball(of: moment, in: record)
        return settled[MomentIdentity(moment)]?.covers(moment, on: ball) ?? false
    }

    private mutating func spend(_ moment: Moment) {
        let identity = MomentIdentity(moment)
        if settled[identity]?.show(moment) == nil { settled[identity] = SettledMoment(moment) }
    }

    /// Marks announced moments that the match does not show any more.
    private mutating func revoke(allBut standing: Set<MomentIdentity>) {
        for identity in settled.keys where !standing.contains(identity) { settled[identity]?.revoke() }
    }

    /// Real time until time alone confirms a moment; nil for never.
    func wait(now: Duration) -> Duration? {
        waiting.values.filter { !$0.isDoubted && $0.isOfficial }
            .map { max(.zero, $0.since + patience.reported - now) }.min()
    }

    /// Whether another reply would confirm a pending moment; a result that only the balls prove waits first.
    var wantsLook: Bool { waiting.values.contains { !$0.isDoubted && $0.isOfficial } }

    private mutating func wait(_ moment: Moment, record: MatchRecord, now: Duration) {
        let ball = ball(of: moment, in: record)
        waiting[MomentIdentity(moment)] = Waiting(ball: ball, since: now, isOfficial: moment.isOfficial)
    }

    private func ball(of moment: Moment, in record: MatchRecord) -> Delivery? {
        moment.delivery.flatMap(record.delivery)
    }

    /// Confirmed by itself: by the provider's final status, or the next ball.
    private func isCertain(_ moment: Moment, in record: MatchRecord) -> Bool {
        guard moment.kind != .result else { return moment.isOfficial }
        // A match that is over by the provider's status has no pending moments: they would follow its end.
        if record.result != nil && record.status.status.isFinal { return true }
        guard let ball = ball(of: moment, in: record) else { return false }
        return ball.isFinal || record.deliveries.last?.key != ball.key
    }

    /// Confirmed by a second sighting, unchanged, or by time.
    ///
    /// A result that only the balls prove needs its time and then a reply that still shows it, and so does an innings
    /// that only a status has ended: a feed that stopped in the last over may report one more ball.
    private func isSettled(_ known: Waiting, _ moment: Moment, _ sighting: Sighting, _ now: Duration) -> Bool {
        if known.isDoubted { return false }
        let waited = now - known.since
        guard moment.isOfficial else { return sighting != .time && waited >= patience.proved }
        return sighting != .time || waited >= patience.reported
    }

    /// Whether a moment happened before the first report, during a silence, or two overs of known balls ago.
    private func isHistory(
        _ moment: Moment,
        _ sighting: Sighting,
        in record: MatchRecord,
        before: MatchRecord
    ) -> Bool {
        if case .catchUp(let now) = sighting, !isFresh(moment, in: record, now: now) { return true }
        if before.info == nil { return moment.delivery == nil || moment.delivery != record.deliveries.last?.key }
        guard let ball = ball(of: moment, in: record) else { return false }
        let index = before.deliveries.count - JournalLimits.newsBalls
        return index >= 0 && before.deliveries[index].order > ball.order
    }

    /// Whether a moment that was found after a silence is still news: its ball is the newest, or was bowled just now by
    /// the provider's clock, which does not count when it is ahead of ours or an hour slow (F18); without a ball,
    /// whether it is the current state of the match.
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
        let (fresh, slow) = (JournalLimits.freshSeconds, JournalLimits.slowClockSeconds)
        guard !isOdd, (-fresh..<slow).contains(age) else { return isNewest }
        return age <= fresh
    }
}

extension Moment {
    /// Whether it is announced at all; other moments only change the content.
    var needsAnnouncement: Bool { isAlert || priority == .ten }
}
