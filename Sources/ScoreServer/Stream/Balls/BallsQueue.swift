// In balls mode every event waits for its reader, up to a bound.

import ScoreTypes

/// The waiting events of one reader, without a gap in any match.
struct BallsQueue: Sendable {
    /// The events that the opening replays; shared with the ring, and bounded by it.
    private var replay: ArraySlice<StreamFrame> = []
    private var live: ArraySlice<StreamFrame> = []
    /// Bytes of `live`.
    private var byteCount = 0
    /// The newest revision of each match that was added.
    private var newest: [MatchID: Revision] = [:]
    private var hasOverflowed = false

    /// Whether nothing waits.
    var isEmpty: Bool { replay.isEmpty && live.isEmpty }

    /// Starts a match after a revision that the client has, with the events that it lacks.
    mutating func begin(_ match: MatchID, at revision: Revision, replay frames: [StreamFrame] = []) {
        replay += frames
        newest[match] = frames.last?.revision ?? revision
    }

    /// The event of a publication that need not wait: it alone is new, and nothing waits.
    mutating func pass(_ batch: StreamBatch) -> StreamFrame? {
        guard isEmpty, batch.changes.count == 1, let frame = batch.changes.first, !frame.isEnd,
            let last = newest[batch.match], last.epoch == frame.revision.epoch,
            frame.revision.number == last.number + 1
        else { return nil }
        newest[batch.match] = frame.revision
        return frame
    }

    /// Adds the events of a publication that the reader does not have.
    mutating func offer(_ batch: StreamBatch) -> StreamOffer {
        guard let last = newest[batch.match] else { return .kept }
        guard last.epoch == batch.revision.epoch else { return restart(batch, because: .epochChanged) }
        guard batch.revision.number > last.number else { return .kept }
        let fresh = batch.changes.filter { $0.revision.number > last.number }
        guard let first = fresh.first, first.revision.number == last.number + 1 else {
            return restart(batch, because: .resync)
        }
        let count = fresh.reduce(byteCount) { $0 + $1.byteCount }
        // A large correction is no fault of a reader that has taken everything before it.
        let fits =
            live.isEmpty
            || live.count + fresh.count <= ServerLimits.queuedBalls
                && count <= ServerLimits.queuedBallBytes
        if fits {
            live += fresh
            byteCount = count
            newest[batch.match] = batch.revision
            return .kept
        }
        if hasOverflowed { return .slow }
        hasOverflowed = true
        return restart(batch, because: .overflow)
    }

    /// Takes the oldest events, a few at a time, so that each write has a deadline of its own.
    mutating func take() -> ArraySlice<StreamFrame> {
        if !replay.isEmpty {
            let taken = replay.prefix(ServerLimits.ballsPerWrite)
            replay = replay.dropFirst(taken.count)
            return taken
        }
        let taken = live.prefix(ServerLimits.ballsPerWrite)
        live = live.dropFirst(taken.count)
        byteCount -= taken.reduce(0) { $0 + $1.byteCount }
        return taken
    }

    private mutating func restart(_ batch: StreamBatch, because reason: StreamReset) -> StreamOffer {
        replay = replay.filter { $0.match != batch.match }[...]
        live = live.filter { $0.match != batch.match }[...]
        live.append(batch.reset(reason))
        byteCount = live.reduce(0) { $0 + $1.byteCount }
        newest[batch.match] = batch.revision
        return .skipped
    }
}
