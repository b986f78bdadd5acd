// Polling, replay and rehearsal of a match make the same decisions, so the decisions are one function of a value.

public import MatchEngine
public import ScoreTypes

extension WriterState {
    /// An event that may change the journal of a match.
    public enum Event: Sendable {
        /// A feed replied with a snapshot of the match.
        case reply(SeenReply)
        /// A feed replied that nothing has changed.
        case unchanged(JournalSource)
        /// Time has passed.
        case time
        /// A feed listed the match, which has not begun.
        case listed(Fixture, JournalSource)
        /// Changes that were decided earlier, as a capture holds them.
        case changes([Change], JournalSource)
        /// The provider does not know the match any more.
        case removed
        /// These are the operators' overrides from now on.
        case overrides([MatchOverride])
    }

    /// The decision about one event.
    public struct Decision: Sendable {
        /// The gate's verdict on a reply; `apply` for every other event.
        public let verdict: Gate.Verdict
        /// The append to the journal; nil for none.
        public let append: JournalAppend?
        /// Whether a match that the provider had removed is back.
        let revives: Bool
        /// The state once the append is committed.
        var after: WriterState

        init(_ plan: Plan, verdict: Gate.Verdict = .apply, revives: Bool? = nil) {
            self.verdict = verdict
            append = plan.append
            self.revives = revives ?? (plan.append != nil)
            after = plan.after
        }
    }

    /// Decides what an event leads to; nothing changes before the decision is adopted.
    ///
    /// - Parameters:
    ///   - event: The event.
    ///   - wall: Wall time of the event; for a reply the time it was read.
    ///   - now: Real time of the event by a monotonic clock.
    /// - Returns: The append, if any, and the state after it.
    public func decide(_ event: Event, at wall: Instant, now: Duration) -> Decision {
        switch event {
        case .reply(let reply): return judge(reply, now: now)
        case .unchanged(let source):
            let kind: Occasion.Kind = isSilenceBroken(byAnswerAt: now) ? .catchUp : .reply
            return Decision(plan(for: Occasion(kind: kind, at: wall, source: source), now: now))
        case .time:
            return Decision(overridden(at: wall, now: now) ?? plan(for: Occasion(kind: .time, at: wall), now: now))
        case .listed(let fixture, let source):
            return Decision(plan(for: fixture, from: source, at: wall, now: now), revives: true)
        case .changes(let changes, let source):
            let occasion = Occasion(kind: .report, changes: changes, at: wall, source: source)
            return Decision(plan(for: occasion, now: now), revives: true)
        case .removed:
            return Decision(dropped(at: wall, now: now) ?? Plan(append: nil, after: self), revives: false)
        case .overrides(let overrides):
            var after = self
            after.overrides = overrides
            let fields = Set(overrides.map(\.value.field))
            after.feedValues = feedValues.filter { fields.contains($0.key) }
            return Decision(Plan(append: nil, after: after))
        }
    }

    /// Takes over a decision of this state whose append, if any, is committed; returns the new head, nil without one.
    @discardableResult
    public mutating func adopt(_ decision: Decision) -> Revision? {
        let epoch = self.revision.epoch
        self = decision.after
        if decision.revives { isRemoved = false }
        guard let append = decision.append else { return nil }
        revision = Revision(epoch: epoch, number: append.revision)
        return revision
    }

    /// Overrides, differ, gate and moments for one reply.
    private func judge(_ reply: SeenReply, now: Duration) -> Decision {
        let record = replica.record
        let names = names(of: reply.snapshot.info.teams, from: reply.source)
        var seen = (names?.apply(to: reply.snapshot) ?? reply.snapshot).aligned(to: record).keepingBalls(of: record)
        let known = feedFrame ?? SnapshotFrame(record)
        // A status that the adapter does not know neither ends a match nor resumes one.
        if seen.status.isUnknown, seen.result == nil { seen.result = known?.result }
        seen.status = seen.status.understood(after: known?.status)
            .timed(after: known?.status ?? record.status, seenAt: reply.seenAt)
        let snapshot = seen.with(overrides, at: reply.seenAt)
        let changes = Differ.changes(from: record, to: snapshot)
        // Another feed's differences alone are no news, and its version numbers are its own.
        let isOther = feed.map { $0 != reply.source.feed } == true
        var state = self
        if isOther { state.gate.forgetVersions() }
        let verdict = state.gate.judge(changes, of: snapshot, against: record, at: now)
        switch verdict {
        case .apply: state.life.believe(now: now)
        case .hold:
            state.life.doubt(snapshot)
            return Decision(Plan(append: nil, after: state), verdict: verdict, revives: false)
        case .drop: return Decision(Plan(append: nil, after: state), verdict: verdict, revives: false)
        }
        let occasion = Occasion(
            kind: isSilenceBroken(byAnswerAt: now) || isOther ? .catchUp : .reply,
            changes: changes,
            at: reply.seenAt,
            source: reply.source
        )
        var plan = state.plan(for: occasion, now: now)
        plan.after.rememberFeed(SnapshotFrame(seen))
        plan.after.feed = reply.source.feed
        plan.after.reporter = reply.source.feed
        return Decision(plan, verdict: verdict, revives: true)
    }

    /// The changes of an entry of a list; none once the match has begun.
    private func plan(for fixture: Fixture, from source: JournalSource, at wall: Instant, now: Duration) -> Plan {
        let record = replica.record
        let named = names(of: fixture.teams, from: source)?.apply(to: fixture) ?? fixture
        guard let frame = Announcement.frame(of: named, over: record, feed: feedFrame) else {
            return Plan(append: nil, after: self)
        }
        let changes = frame.with(overrides, at: wall).changes(from: record)
        var plan = Plan(append: nil, after: self)
        if !changes.isEmpty {
            plan = self.plan(for: Occasion(kind: .report, changes: changes, at: wall, source: source), now: now)
        }
        plan.after.rememberFeed(frame)
        plan.after.reporter = source.feed
        return plan
    }

    /// The stored ids by those of another feed; nil for the feed that reported the match first.
    private func names(of teams: [TeamInfo], from source: JournalSource) -> NameMatching? {
        guard let home, home != source.feed else { return nil }
        return NameMatching(teams, in: replica.record)
    }
}
