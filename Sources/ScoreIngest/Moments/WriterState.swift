// All that a writer knows of its match, as a value: what to write is decided here, and thrown away if it fails.

internal import MatchEngine
internal import ScoreTypes

/// A match as its journal has it, with what waits.
struct WriterState: Sendable {
    let match: MatchID
    var revision: Revision
    var replica: MatchReplica
    var life: MomentLife
    var keepAlive: KeepAlive

    /// What to write, and the state once it is written; nothing to write when `append` is nil.
    struct Plan: Sendable {
        let append: JournalAppend?
        var after: WriterState
    }

    /// What makes the writer look at its match.
    enum Occasion: Sendable {
        /// An accepted reply and what it changed.
        case reply([Change], seenAt: Instant)
        /// Time has passed.
        case time(Instant)
    }

    /// Decides what an occasion leads to; `now` is real time by a clock that never jumps.
    func plan(for occasion: Occasion, now: Duration) -> Plan {
        var after = self
        let (sighting, seenAt, changes) = occasion.parts
        if sighting == .reply { after.keepAlive.lastReply = now }
        if !changes.isEmpty { after.replica.apply(changes) }
        let telling = after.life.look(
            sighting,
            at: after.replica.state.moments,
            of: after.replica.record,
            before: replica.record,
            now: now
        )
        if !telling.isEmpty { after.replica.apply(telling.changes) }
        var all = changes + telling.changes
        var cause: PublicationCause = telling.news.isEmpty ? .reply : .confirmation
        if all.isEmpty {
            let wait = keepAlive.wait(status: replica.state.status.status, now: now)
            guard sighting == .time, wait == .zero else { return Plan(append: nil, after: after) }
            all = [.keepAlive]
            cause = .keepAlive
        }
        let append = JournalAppend(
            match: match,
            expected: revision.number,
            changes: all,
            seenAt: seenAt,
            priority: telling.priority,
            alertKey: telling.alert?.key,
            cause: cause,
            told: telling.told,
            facts: MatchFacts(after.replica, match: match, revision: revision.number &+ Int64(all.count))
        )
        after.keepAlive.lastPublication = now
        return Plan(append: append, after: after)
    }

    /// Real time until `plan(for: .time)` may have something to write; nil when only a reply can bring it.
    func wait(now: Duration) -> Duration? {
        let alive = keepAlive.wait(status: replica.state.status.status, now: now)
        return [life.wait(now: now), alive].compactMap(\.self).min()
    }
}

extension WriterState.Occasion {
    fileprivate var parts: (MomentLife.Sighting, Instant, [Change]) {
        switch self {
        case .reply(let changes, let seenAt): (.reply, seenAt, changes)
        case .time(let at): (.time, at, [])
        }
    }
}
