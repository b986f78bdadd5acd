// Two scorers seldom invent the same wicket: the report of a second feed confirms a pending moment.

internal import MatchEngine
internal import ScoreTypes

extension WriterState {
    /// The pending moments that the reply of a feed which does not lead the match reports, too.
    func pending(reportedBy reply: SeenReply) -> [AnnouncedMoment] {
        guard life.isPending else { return [] }
        let names = NameMatching(reply.snapshot.info.teams, in: replica.record)
        guard names.hasSameSides else { return [] }
        return MatchReplica(names.apply(to: reply.snapshot).aligned(to: replica.record)).state.moments
            .filter { $0.isOfficial && life.isPending(MomentIdentity($0)) }
            .map { AnnouncedMoment(key: $0.key, subject: $0.subject) }
    }

    /// Confirms pending moments that a second feed reports.
    func second(_ moments: [AnnouncedMoment], at wall: Instant, now: Duration) -> Decision {
        var state = self
        for moment in moments { state.life.second(MomentIdentity(moment)) }
        return state.decide(on: Occasion(kind: .time, at: wall), now: now)
    }
}
