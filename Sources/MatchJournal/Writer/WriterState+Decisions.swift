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
        /// A feed that does not lead the match reports these pending moments, too.
        case seconded([AnnouncedMoment])
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
        public private(set) var append: JournalAppend?
        /// Whether a match that the provider had removed is back.
        var revives: Bool
        /// The state once the append is committed.
        var after: WriterState
        /// Observations about the feed of the event.
        public fileprivate(set) var observations: [MomentObservation] = []

        /// By default an append revives the match.
        init(_ append: JournalAppend? = nil, after: WriterState, verdict: Gate.Verdict = .apply) {
            (self.append, self.after, self.verdict) = (append, after, verdict)
            revives = append != nil
        }

        /// The append goes on in another epoch, in which clients read the whole match again; nil for the present one.
        mutating func move(to epoch: Epoch?) {
            guard let epoch, append != nil else { return }
            append?.epoch = epoch
            after.revision = Revision(epoch: epoch, number: after.revision.number)
        }
    }

    /// Why a writer looks at its match.
    struct Occasion: Sendable {
        enum Kind: Sendable, Hashable {
            /// An accepted reply.
            case reply
            /// The first one after a silence, or of another feed than before.
            case catchUp(isOtherFeed: Bool)
            /// A report without play: an operator's override, an entry of a list.
            case report
            /// Time has passed.
            case time
        }

        let kind: Kind
        var changes: [Change] = []
        let at: Instant
        var source = JournalSource.server
    }

    /// Decides what an event leads to; nothing changes before the decision is adopted.
    ///
    /// - Parameters:
    ///   - event: The event.
    ///   - wall: Wall time of the event; for a reply the time it was read.
    ///   - now: Real time of the event by a monotonic clock.
    /// - Returns: The append, if any, and the state after it.
    public func decide(_ event: Event, at wall: Instant, now: Duration) -> Decision {
        var decision: Decision
        switch event {
        case .reply(let reply): return judge(reply, now: now)
        case .unchanged(let source):
            let kind: Occasion.Kind = isSilenceBroken(byAnswerAt: now) ? .catchUp(isOtherFeed: false) : .reply
            var state = self
            state.gate.answered(at: now)
            return state.decide(on: Occasion(kind: kind, at: wall, source: source), now: now)
        case .time:
            return overridden(at: wall, now: now) ?? decide(on: Occasion(kind: .time, at: wall), now: now)
        case .listed(let fixture, let source):
            decision = announce(fixture, from: source, at: wall, now: now)
            decision.revives = true
        case .changes(let changes, let source):
            decision = decide(on: Occasion(kind: .report, changes: changes, at: wall, source: source), now: now)
            decision.revives = true
        case .seconded(let moments): return second(moments, at: wall, now: now)
        case .removed:
            decision = dropped(at: wall, now: now) ?? Decision(after: self)
            decision.revives = false
        case .overrides(let overrides):
            decision = Decision(after: self)
            decision.after.overrides = overrides
            let fields = Set(overrides.map(\.value.field))
            decision.after.feedValues = feedValues.filter { fields.contains($0.key) }
        }
        return decision
    }

    /// Overrides, differ, gate and moments for one reply.
    private func judge(_ reply: SeenReply, now: Duration) -> Decision {
        let record = replica.record
        let names = names(of: reply.snapshot.info.teams, from: reply.source)
        var seen = (names?.apply(to: reply.snapshot) ?? reply.snapshot).aligned(to: record)
        // A feed that has reported balls has totals as well: its empty list is no snapshot of totals alone.
        if feed != reply.source.feed || record.hasTotalsBesideBalls { seen = seen.keepingBalls(of: record) }
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
        let verdict =
            reply.resyncEpoch == nil ? state.gate.judge(changes, of: snapshot, against: record, at: now) : .apply
        switch verdict {
        case .apply: state.life.believe(now: now)
        case .hold:
            state.life.doubt(snapshot)
            return Decision(after: state, verdict: verdict)
        case .drop: return Decision(after: state, verdict: verdict)
        }
        let occasion = Occasion(
            kind: isSilenceBroken(byAnswerAt: now) || isOther ? .catchUp(isOtherFeed: isOther) : .reply,
            changes: changes,
            at: reply.seenAt,
            source: reply.source
        )
        var decision = state.decide(on: occasion, now: now)
        // The first reply of another feed differs from the feed before, and corrects no mistake of its own.
        if isOther { decision.observations.removeAll(where: \.isMistake) }
        if changes.contains(where: \.contradictsJournal) { decision.move(to: reply.resyncEpoch) }
        decision.revives = true
        decision.after.rememberFeed(SnapshotFrame(seen))
        decision.after.feed = reply.source.feed
        decision.after.reporter = reply.source.feed
        return decision
    }

    /// Folds the changes of an occasion, confirms moments, and makes the append of both; `now` is real time by a clock
    /// that never jumps.
    func decide(on occasion: Occasion, now: Duration) -> Decision {
        var after = self
        if occasion.isReply {
            after.keepAlive.lastReply = now
            after.silence.answered(now: now)
        }
        if !occasion.changes.isEmpty { after.replica.apply(occasion.changes) }
        if after.playPhase == .over { after.silence.over() }
        let confirmed = confirmed(of: occasion, &after, now: now)
        if !confirmed.isEmpty { after.replica.apply(confirmed.changes) }
        var all = occasion.changes + confirmed.changes
        let usual: PublicationCause = occasion.changes == [.keepAlive] ? .keepAlive : .reply
        var cause = confirmed.news.isEmpty ? usual : .confirmation
        var decision = Decision(after: after)
        decision.observations = confirmed.observations
        if all.isEmpty {
            guard occasion.kind == .time, waitForKeepAlive(now: now) == .zero else { return decision }
            all = [.keepAlive]
            cause = .keepAlive
        }
        let append = JournalAppend(
            match: match,
            expected: revision.number,
            changes: all,
            seenAt: occasion.at,
            priority: confirmed.priority,
            alertKey: confirmed.alert?.key,
            cause: cause,
            announced: confirmed.announced,
            facts: MatchFacts(after.replica, match: match, revision: revision.number &+ Int64(all.count)),
            source: occasion.source
        )
        // The row names the feed that the writer was made for, and another one may have reported first.
        if revision.number == 0 && !occasion.source.feed.isEmpty { after.home = occasion.source.feed }
        after.keepAlive.lastPublication = now
        after.announced += confirmed.announced
        decision = Decision(append, after: after)
        decision.observations = confirmed.observations
        return decision
    }

    /// The moments that are confirmed; while the feeds are silent or have removed the match, time confirms none.
    private func confirmed(of occasion: Occasion, _ after: inout WriterState, now: Duration) -> ConfirmedMoments {
        let sighting: MomentLife.Sighting
        switch occasion.kind {
        case .reply: sighting = .reply
        case .catchUp(let isOther): sighting = .catchUp(at: occasion.at.seconds, isOtherFeed: isOther)
        case .report, .time:
            let isFrozen = silence.isFrozen(at: now, in: after.playPhase)
            if after.isRemoved || isFrozen { return ConfirmedMoments() }
            sighting = .time
        }
        return after.life.confirm(
            sighting,
            at: after.replica.state.moments,
            of: after.replica.record,
            before: replica.record,
            now: now
        )
    }

    /// Decides about an entry of a list, which has no changes once the match has begun.
    private func announce(
        _ fixture: Fixture,
        from source: JournalSource,
        at wall: Instant,
        now: Duration
    ) -> Decision {
        let record = replica.record
        let named = names(of: fixture.teams, from: source)?.apply(to: fixture) ?? fixture
        guard let frame = Announcement.frame(of: named, over: record, feed: feedFrame) else {
            return Decision(after: self)
        }
        let changes = frame.with(overrides, at: wall).changes(from: record)
        var decision = Decision(after: self)
        if !changes.isEmpty {
            decision = decide(on: Occasion(kind: .report, changes: changes, at: wall, source: source), now: now)
        }
        decision.after.rememberFeed(frame)
        decision.after.reporter = source.feed
        return decision
    }

    /// The stored ids by those of another feed; nil for the feed that reported the match first.
    private func names(of teams: [TeamInfo], from source: JournalSource) -> NameMatching? {
        guard let home, home != source.feed else { return nil }
        return NameMatching(teams, in: replica.record)
    }

    /// Takes over a decision of this state whose append, if any, is committed; returns the new head, nil without one.
    @discardableResult
    public mutating func adopt(_ decision: Decision) -> Revision? {
        self = decision.after
        if decision.revives { isRemoved = false }
        guard let append = decision.append else { return nil }
        revision = Revision(epoch: revision.epoch, number: append.revision)
        return revision
    }
}

extension Change {
    /// Whether it takes back or amends what the journal has, and does not only add to it.
    fileprivate var contradictsJournal: Bool {
        switch self {
        case .amended, .withdrawn, .inningsWithdrawn: true
        case .info, .innings, .inserted, .status, .result, .confirmed, .keepAlive: false
        }
    }
}

extension WriterState.Occasion {
    fileprivate var isReply: Bool {
        switch kind {
        case .reply, .catchUp: true
        case .report, .time: false
        }
    }
}
