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
        case catchUp(at: Int64, isOtherFeed: Bool)
        /// Only time has passed.
        case time

        /// Whether it is the first reply of another feed.
        var isOfOtherFeed: Bool { if case .catchUp(_, isOtherFeed: true) = self { true } else { false } }
    }

    private let waits: ConfirmationWaits
    private var waiting: [MomentIdentity: PendingMoment] = [:]
    private var settled: [MomentIdentity: SettledMoment] = [:]
    /// When the last reply was accepted: it showed all moments of the match.
    private var repliedAt: Duration
    /// Classes with a mistake that outlived their wait in this match: one odd match counts once.
    private var outlived: Set<MomentClass> = []

    /// Loads the moments of a stored match; those that are not announced wait.
    ///
    /// A kind that is announced only since a change of settings has moments of the past, which are no news. The first
    /// look finds those on old balls, and those without a ball are settled here unless they are present. `now` is real
    /// time by a clock that never jumps.
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
            if let ball = record.ball(of: moment) {
                if record.isFarAhead(of: ball) { continue }
            } else if !record.isPresent(moment, among: moments) {
                spend(moment, nil)
                continue
            }
            let newest = record.deliveries.last
            waiting[MomentIdentity(moment)] = PendingMoment(moment, in: record, after: newest, now: now)
        }
    }

    /// Keeps moments that a held reply shows otherwise pending until the next reply.
    mutating func doubt(_ snapshot: MatchSnapshot) {
        let shown = Dictionary(snapshot.deliveries.map { ($0.key, $0) }) { first, _ in first }
        for identity in waiting.keys { waiting[identity]?.doubt(shown) }
    }

    /// Ends the effect of held replies, as an accepted reply does; pending moments wait from now on.
    mutating func believe(now: Duration) {
        for identity in waiting.keys { waiting[identity]?.believe(now: now) }
    }

    /// Whether a moment is pending that a second feed could confirm.
    var isPending: Bool { waiting.values.contains { $0.isOfficial } }

    /// Whether a moment is pending.
    func isPending(_ identity: MomentIdentity) -> Bool { waiting[identity] != nil }

    /// Records that a feed which does not lead the match reports a pending moment, too.
    mutating func second(_ identity: MomentIdentity) { waiting[identity]?.second() }

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
        // The balls of another feed are all new, and their keys and places do not compare with those before.
        let lastBall = sighting.isOfOtherFeed ? record.deliveries.last : before.deliveries.last
        let gap = gap(sighting, reportable.filter { earlier[$0.1] == nil }.map { $0.0 }, in: record, before: before)
        for (moment, identity) in reportable {
            guard !isSpent(moment, in: record) else { continue }
            let known = earlier[identity].flatMap { $0.isUnchanged(moment, in: record) ? $0 : nil }
            // No bound ends the wait of an unofficial moment, so that the official one begins its own.
            let since = earlier[identity].flatMap { $0.isOfficial ? $0.boundedSince : nil }
            var pending = known ?? PendingMoment(moment, in: record, after: lastBall, now: now, boundedSince: since)
            pending.update(moment, in: record)
            if sighting.isOfOtherFeed { pending.follow(lastBall) }
            let isTooOld =
                earlier[identity] == nil
                ? !gap.contains(identity) && isHistory(moment, sighting, in: record, before: before)
                : isBuried(moment, sighting, in: record)
            if isTooOld {
                confirmed.history.append(moment)
                spend(moment, nil)
            } else if let reason = record.certainty(of: moment)
                ?? pending.confirmation(sighting, in: record, waits, now: now)
            {
                let proof = SettledMoment.Proof(moment, pending.kind, reason, reportedAt: pending.reportedAt, at: now)
                let waited = waits.seconds(proof.at - proof.reportedAt)
                confirmed.news.append(moment)
                confirmed.observations.append(.confirmed(pending.kind, by: reason, after: waited))
                spend(moment, proof)
            } else {
                waiting[identity] = pending
                if known == nil { confirmed.observations.append(.reported(pending.kind)) }
            }
        }
        return confirmed
    }

    /// Whether a pending moment is gone, or would be announced otherwise.
    private func isCorrected(
        _ old: PendingMoment,
        _ identity: MomentIdentity,
        _ reportable: [(Moment, MomentIdentity)],
        in record: MatchRecord
    ) -> Bool {
        guard let moment = reportable.first(where: { $0.1 == identity })?.0 else { return true }
        return !old.isUnchanged(moment, in: record)
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
        settled[MomentIdentity(moment)]?.covers(moment, on: record.ball(of: moment)) ?? false
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
    func wait(now: Duration) -> Duration? { waiting.values.compactMap { $0.wait(waits, now: now) }.min() }

    /// Real time until a reply that shows the same confirms a pending moment; nil when none does.
    func look(now: Duration) -> Duration? { waiting.values.compactMap { $0.look(waits, now: now) }.min() }

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
                let ball = record.ball(of: moment), !sighting.isOfOtherFeed || !record.shows(ball, again: before)
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
        let ball = record.ball(of: moment)
        if case .catchUp(let now, _) = sighting, !isFresh(moment, in: record, now: now) { return true }
        if sighting.isOfOtherFeed, let ball, record.shows(ball, again: before) { return true }
        if before.info == nil { return moment.delivery == nil || moment.delivery != record.deliveries.last?.key }
        return ball.map((sighting.isOfOtherFeed ? record : before).isFarAhead) ?? false
    }

    /// Whether a pending moment became history in a silence.
    private func isBuried(_ moment: Moment, _ sighting: Sighting, in record: MatchRecord) -> Bool {
        guard case .catchUp = sighting, let ball = record.ball(of: moment) else { return false }
        return record.isFarAhead(of: ball)
    }

    /// Whether a moment that was found after a silence is still news: its ball is one of the newest, or was bowled just
    /// now by the provider's clock, which does not count when it is ahead of ours or an hour slow (F18); without a
    /// ball, whether it is the current state of the match.
    private func isFresh(_ moment: Moment, in record: MatchRecord, now: Int64) -> Bool {
        guard let ball = record.ball(of: moment) else {
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
