// From a reply to what is written: overrides, differ, gate, plan; the same for a poller and for a replay of captures.

internal import MatchEngine
internal import ScoreTypes

/// The way of one reply through the gate.
struct ReplyJudgement {
    private(set) var gate: Gate
    private(set) var verdict = Verdict.apply

    init(_ gate: Gate) { self.gate = gate }

    /// Decides what a reply leads to; gate and verdict tell why when it leads to nothing.
    mutating func plan(for reply: SeenReply, _ state: WriterState, now: Duration) -> WriterState.Plan {
        let record = state.replica.record
        let names = state.names(of: reply.snapshot.info.teams, from: reply.source)
        var seen = (names?.apply(to: reply.snapshot) ?? reply.snapshot).aligned(to: record).keepingBalls(of: record)
        let known = state.feedFrame ?? SnapshotFrame(record)
        // Under a word that nobody knows nothing ends, and nothing that has ended goes on.
        if seen.status.isUnknown, seen.result == nil { seen.result = known?.result }
        seen.status = seen.status.understood(after: known?.status)
            .timed(after: known?.status ?? record.status, seenAt: reply.seenAt)
        let snapshot = seen.with(state.overrides, at: reply.seenAt)
        let changes = Differ.changes(from: record, to: snapshot)
        // What another feed says otherwise is no news for that alone, and its versions count from elsewhere.
        let isOther = state.feed.map { $0 != reply.source.feed } == true
        if isOther { gate.forgetVersions() }
        verdict = gate.judge(changes, of: snapshot, against: record, at: now)
        var state = state
        switch verdict {
        case .apply: state.life.believe(now: now)
        case .hold:
            state.life.doubt(snapshot)
            return WriterState.Plan(append: nil, after: state)
        case .drop: return WriterState.Plan(append: nil, after: state)
        }
        let isBroken = state.isSilenceBroken(byAnswerAt: now)
        var plan = state.plan(
            for: WriterState.Occasion(
                kind: isBroken || isOther ? .catchUp : .reply,
                changes: changes,
                at: reply.seenAt,
                source: reply.source
            ),
            now: now
        )
        plan.after.hear(SnapshotFrame(seen))
        plan.after.feed = reply.source.feed
        plan.after.teller = reply.source.feed
        return plan
    }
}

extension WriterState {
    /// The ids that the match was stored with, by those of another feed; nil for the feed that told of it first.
    func names(of teams: [TeamInfo], from source: JournalSource) -> Namesakes? {
        guard let home, home != source.feed else { return nil }
        return Namesakes(teams, in: replica.record)
    }
}
