// In balls mode a stream opens with what its client lacks: in pieces, since it may be a thousand events.

import ScoreTypes

/// The events of a match after the revision that a client has.
struct StreamReplay: Sendable {
    let match: MatchID
    let after: Revision
    let frames: [StreamFrame]
}

extension StreamOpening.Parts {
    /// The parts in balls mode; the changes in memory follow those that were read from the database.
    init(
        _ heads: [MatchView],
        _ starts: [BallsStart],
        _ history: ChangeHistory,
        isSingle: Bool,
        now: Instant,
        frame written: (MatchView) -> StreamFrame
    ) {
        self.init(positions: StreamPositions(isSingle: isSingle))
        let starts = zip(heads, starts).map { head, start in Self.completed(start, of: head, history) }
        // The first ids contain the positions that the client keeps, so that it loses none when it is cut off.
        for case (let head, .after(let position, _)) in zip(heads, starts) { positions[head.match] = position }
        for (head, start) in zip(heads, starts) {
            resumes.append(start.resume)
            switch start {
            case .fresh: add(written(head), of: head, isSent: true, now: now)
            case .reset(let reason):
                add(StreamFrame(head, resetBecause: reason), of: head, isSent: true, now: now)
            case .after(let position, let events) where events.isEmpty && position == head.revision:
                add(written(head), of: head, isSent: false, now: now)
            case .after(let position, let events):
                replays.append(StreamReplay(match: head.match, after: position, frames: events))
                addNotices(of: head, now: now)
            }
        }
    }

    /// The start with all events up to the newest; a reset when some are neither in memory nor among those read.
    private static func completed(_ start: BallsStart, of head: MatchView, _ history: ChangeHistory) -> BallsStart {
        guard case .after(let position, let read) = start else { return start }
        let last = read.last?.revision ?? position
        if let newer = history.frames(of: head.match, after: last) { return .after(position, read + newer) }
        return last == head.revision ? start : .reset(.resync)
    }
}
