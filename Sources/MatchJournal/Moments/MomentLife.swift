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
        /// Its ball in the newest reply.
        var ball: Delivery?
        let kind: MomentClass
        /// The words of its alert: an edit of the ball that leaves them right is no correction.
        let title, body: String
        /// When a reply first had it in these words.
        let reportedAt: Duration
        /// When its wait began: a held reply that shows it otherwise begins it anew.
        var since: Duration
        /// When the wait that the bound ends began, in whichever words.
        var boundedSince: Duration
        /// False for a result that only the balls prove, and for an innings that only a status has ended.
        let isOfficial: Bool
        /// Whether a held reply shows the match without it.
        var isDoubted = false
        /// Whether a feed that does not lead the match reports it, too.
        var isSeconded = false
    }

    private let waits: ConfirmationWaits
    private var waiting: [MomentIdentity: Waiting] = [:]
    private var settled: [MomentIdentity: SettledMoment] = [:]
    /// When the last reply was accepted: it showed all moments of the match.
    private var repliedAt: Duration
    /// Classes with a mistake that outlived their wait in this match: one odd match counts once.
    private var outlived: Set<MomentClass> = []

    /// Loads the moments of a stored match; those that are neither announced nor on its newest ball are history.
    ///
    /// `now` is real time by a clock that never jumps.
    init(
        announced: [AnnouncedMoment],
        moments: [Moment],
        record: MatchRecord,
        now: Duration,
        waits: ConfirmationWaits
    ) {
        self.waits = waits
        repliedAt = now
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
                spend(moment, nil)
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
            waiting[identity]?.boundedSince = now
        }
    }

    /// Whether a moment is pending that a second feed could confirm.
    var isPending: Bool { waiting.values.contains { $0.isOfficial } }

    /// Whether a moment is pending.
    func isPending(_ identity: MomentIdentity) -> Bool { waiting[identity] != nil }

    /// Records that a feed which does not lead the match reports a pending moment, too.
    mutating func second(_ identity: MomentIdentity) { waiting[identity]?.isSeconded = true }

    /// Compares all moments of a record with those that wait and those before the reply; returns those that are
    /// confirmed now, and counts them as announced.
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
        revoke(allBut: Set(reportable.map { $0.1 }), &confirmed.observations)
        for (identity, old) in earlier where isCorrected(old, identity, reportable, in: record) {
            noteMistake(old.kind, lastReportedAt: repliedAt - old.reportedAt, &confirmed.observations)
        }
        if sighting != .time { repliedAt = now }
        let gap = gap(sighting, reportable.filter { earlier[$0.1] == nil }.map { $0.0 }, in: record, before: before)
        for (moment, identity) in reportable {
            guard !isSpent(moment, in: record) else { continue }
            let known = earlier[identity].flatMap { isUnchanged($0, moment, in: record) ? $0 : nil }
            if earlier[identity] == nil, !gap.contains(identity),
                isHistory(moment, sighting, in: record, before: before)
            {
                confirmed.history.append(moment)
                spend(moment, nil)
            } else if let reason = confirmation(of: moment, known, in: record, sighting, now) {
                let kind = MomentClass(moment, on: ball(of: moment, in: record))
                let proof = SettledMoment.Proof(moment, kind, reason, reportedAt: known?.reportedAt ?? now, at: now)
                let waited = waits.seconds(proof.at - proof.reportedAt)
                confirmed.news.append(moment)
                confirmed.observations.append(.confirmed(kind, by: reason, after: waited))
                spend(moment, proof)
            } else if var known, known.isOfficial == moment.isOfficial {
                known.ball = ball(of: moment, in: record)
                waiting[identity] = known
            } else {
                wait(moment, record: record, now: now, boundedSince: earlier[identity]?.boundedSince)
                if let kind = waiting[identity]?.kind { confirmed.observations.append(.reported(kind)) }
            }
        }
        return confirmed
    }

    /// Whether a pending moment is gone, or would be announced otherwise.
    private func isCorrected(
        _ old: Waiting,
        _ identity: MomentIdentity,
        _ reportable: [(Moment, MomentIdentity)],
        in record: MatchRecord
    ) -> Bool {
        guard let moment = reportable.first(where: { $0.1 == identity })?.0 else { return true }
        return !isUnchanged(old, moment, in: record)
    }

    /// Whether a pending moment is on the same ball and its alert would still be right: a fielder who is added, or a
    /// newer time of the row, changes nothing.
    private func isUnchanged(_ old: Waiting, _ moment: Moment, in record: MatchRecord) -> Bool {
        let ball = ball(of: moment, in: record)
        if ball == old.ball { return true }
        guard let ball, let before = old.ball, (ball.innings, ball.over) == (before.innings, before.over) else {
            return false
        }
        return moment.confirms(title: old.title, body: old.body)
    }

    /// Observes a mistake; of those of a class that outlive its wait, a match counts the first alone.
    private mutating func noteMistake(
        _ kind: MomentClass,
        lastReportedAt age: Duration,
        _ observations: inout [MomentObservation]
    ) {
        if age >= waits.unchanged(kind), !outlived.insert(kind).inserted { return }
        observations.append(.wrong(kind, lastReportedAt: waits.seconds(age)))
    }

    /// Whether a moment was announced, or was too old for it, and must not be announced now.
    private mutating func isSpent(_ moment: Moment, in record: MatchRecord) -> Bool {
        let ball = ball(of: moment, in: record)
        return settled[MomentIdentity(moment)]?.covers(moment, on: ball) ?? false
    }

    /// Settles a moment; without a proof it was too old for an announcement.
    private mutating func spend(_ moment: Moment, _ proof: SettledMoment.Proof?) {
        let identity = MomentIdentity(moment)
        if settled[identity] == nil { settled[identity] = SettledMoment(moment) }
        settled[identity]?.show(moment, proof)
    }

    /// Marks announced moments that the match does not show any more.
    private mutating func revoke(allBut shown: Set<MomentIdentity>, _ observations: inout [MomentObservation]) {
        for identity in settled.keys where !shown.contains(identity) {
            guard let proof = settled[identity]?.revoke() else { continue }
            let age = repliedAt - proof.reportedAt
            noteMistake(proof.kind, lastReportedAt: age, &observations)
            observations.append(.revoked(proof.revoked(waits, lastReportedAt: age)))
        }
    }

    /// Real time until time alone confirms a moment; nil for never.
    func wait(now: Duration) -> Duration? {
        waiting.values.filter { !$0.isDoubted && $0.isOfficial }
            .map { max(.zero, $0.boundedSince + waits.bound - now) }.min()
    }

    /// Real time until a reply that shows the same confirms a pending moment; nil when none does, as of a result that
    /// only the balls prove.
    func look(now: Duration) -> Duration? {
        waiting.values.filter { !$0.isDoubted && $0.isOfficial }
            .map { max(.zero, $0.since + waits.unchanged($0.kind) - now) }.min()
    }

    private mutating func wait(
        _ moment: Moment,
        record: MatchRecord,
        now: Duration,
        boundedSince: Duration? = nil
    ) {
        let ball = ball(of: moment, in: record)
        waiting[MomentIdentity(moment)] = Waiting(
            ball: ball,
            kind: MomentClass(moment, on: ball),
            title: moment.title,
            body: moment.body,
            reportedAt: now,
            since: now,
            boundedSince: boundedSince ?? now,
            isOfficial: moment.isOfficial
        )
    }

    private func ball(of moment: Moment, in record: MatchRecord) -> Delivery? {
        moment.delivery.flatMap(record.delivery)
    }

    /// The confirmation of a moment now; nil while there is none.
    ///
    /// `known` is its wait, if it is unchanged.
    private func confirmation(
        of moment: Moment,
        _ known: Waiting?,
        in record: MatchRecord,
        _ sighting: Sighting,
        _ now: Duration
    ) -> Confirmation? {
        if let reason = certainty(of: moment, in: record) { return reason }
        guard let known, !known.isDoubted else { return nil }
        let waited = now - known.since
        // A result that only the balls prove needs its time and then a reply that still shows it, and so does an
        // innings that only a status has ended: a feed that stopped in the last over may report one more ball.
        guard moment.isOfficial else {
            return sighting != .time && waited >= waits.unofficial(moment.kind) ? .unchanged : nil
        }
        if known.isSeconded { return .secondFeed }
        if sighting != .time, waited >= waits.unchanged(known.kind) { return .unchanged }
        return now - known.boundedSince >= waits.bound ? .bound : nil
    }

    /// The confirmation of a moment by the match itself, also at its first sight; nil for none.
    private func certainty(of moment: Moment, in record: MatchRecord) -> Confirmation? {
        guard moment.kind != .result else { return moment.isOfficial ? .final : nil }
        // A match that is over by the provider's status has no pending moments: they would follow its end.
        if record.result != nil && record.status.status.isFinal { return .final }
        guard let ball = ball(of: moment, in: record) else { return nil }
        if ball.isFinal { return .final }
        if record.deliveries.last?.key != ball.key { return .nextBall }
        return moment.kind == .wicket && record.hasNewBatter(since: ball) ? .newBatter : nil
    }

    /// The alerts that a gap has kept from the phones, when there are several: one notification announces them all.
    private mutating func gap(
        _ sighting: Sighting,
        _ moments: [Moment],
        in record: MatchRecord,
        before: MatchRecord
    ) -> Set<MomentIdentity> {
        guard case .catchUp = sighting, before.info != nil else { return [] }
        let newest = record.deliveries.count - 1 - JournalLimits.gapBalls
        let missed = moments.filter { moment in
            guard moment.isAlert, moment.innings == record.innings.last?.ordinal, !isSpent(moment, in: record),
                let ball = ball(of: moment, in: record), !record.shows(ball, again: before)
            else { return false }
            return newest < 0 || record.deliveries[newest].order < ball.order
        }
        return missed.count > 1 ? Set(missed.map(MomentIdentity.init)) : []
    }

    /// Whether a moment happened before the first report, during a silence, or two overs of known balls ago, or is on a
    /// ball that another feed had reported before.
    private func isHistory(
        _ moment: Moment,
        _ sighting: Sighting,
        in record: MatchRecord,
        before: MatchRecord
    ) -> Bool {
        let ball = ball(of: moment, in: record)
        if case .catchUp(let now) = sighting {
            if !isFresh(moment, in: record, now: now) { return true }
            if let ball, record.shows(ball, again: before) { return true }
        }
        if before.info == nil { return moment.delivery == nil || moment.delivery != record.deliveries.last?.key }
        guard let ball else { return false }
        let index = before.deliveries.count - JournalLimits.newsBalls
        return index >= 0 && before.deliveries[index].order > ball.order
    }

    /// Whether a moment that was found after a silence is still news: its ball is one of the newest, or was bowled just
    /// now by the provider's clock, which does not count when it is ahead of ours or an hour slow (F18); without a
    /// ball, whether it is the current state of the match.
    private func isFresh(_ moment: Moment, in record: MatchRecord, now: Int64) -> Bool {
        guard let ball = ball(of: moment, in: record) else {
            switch moment.kind {
            case .result: return true
            case .inningsEnd: return moment.innings == record.innings.last?.ordinal
            default: return false
            }
        }
        let isNewest = record.deliveries.suffix(JournalLimits.freshBalls + 1).contains { $0.key == ball.key }
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
