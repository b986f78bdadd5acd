// Routes decide how a client resumes, and loops of streams replay, from the same rings.

import MatchJournal
import ScoreTypes
import Synchronization

/// The newest changes of all matches on this node, and the budget for replays out of the database.
final class ChangeHistory: Sendable {
    fileprivate struct Contents {
        var rings: [MatchID: ChangeRing] = [:]
        var prunedAt: Instant
        var replays: TokenBucket
    }

    private let clock: ServiceClock
    private let contents: Mutex<Contents>

    init(clock: ServiceClock) {
        self.clock = clock
        let rate = Double(ServerLimits.databaseReplaysPerSecond)
        contents = Mutex(Contents(prunedAt: clock.wall, replays: TokenBucket(level: rate, now: clock.monotonic)))
    }

    /// Stores the changes of a publication, and returns its events for the open streams.
    func append(_ view: MatchView, _ changes: [JournalEntry]) -> StreamBatch {
        let (match, revision, now) = (view.match, view.revision, clock.wall)
        let elements = changes.map { entry in
            ChangeRing.Element(frame: StreamFrame(entry, of: match, epoch: revision.epoch), at: entry.at)
        }
        let last = changes.last.flatMap { $0.revision == revision.number ? $0 : nil }
        let newest = last.map { StreamFrame($0, of: match, epoch: revision.epoch, head: view) }
        let before: Revision? = contents.withLock { contents in
            let before = contents.rings[match]?.head
            var ring = contents.rings[match] ?? ChangeRing(at: Revision(epoch: revision.epoch, number: 0))
            contents.rings[match] = nil
            ring.append(newest == nil ? [] : elements, upTo: revision, newest: newest, now: now)
            contents.rings[match] = ring
            contents.prune(now: now)
            return before
        }
        return StreamBatch(
            state: StreamFrame(view, previous: before?.epoch == revision.epoch ? before?.number : nil),
            changes: newest.map { elements.dropLast().map(\.frame) + [$0] } ?? [],
            view: view
        )
    }

    /// The revisions of a match from which a client can resume without the database; nil for an unknown match.
    func span(of match: MatchID) -> ChangeRing.Span? {
        let now = clock.wall
        return contents.withLock { contents in
            contents.rings[match]?.prune(now: now)
            return contents.rings[match]?.span
        }
    }

    /// The events of a match after a revision; nil when some of them are not in memory.
    func frames(of match: MatchID, after revision: Revision) -> [StreamFrame]? {
        contents.withLock { $0.rings[match]?.frames(after: revision) }
    }

    /// Takes one replay out of the database from the budget; false when it is used up.
    func takeReplay() -> Bool {
        let now = clock.monotonic
        let rate = Double(ServerLimits.databaseReplaysPerSecond)
        return contents.withLock { contents in
            contents.replays.fill(perSecond: rate, upTo: rate, now: now)
            guard contents.replays.wait(for: 1, perSecond: rate) == nil else { return false }
            contents.replays.take(1)
            return true
        }
    }
}

extension ChangeHistory.Contents {
    /// Frees the memory of quiet matches, at intervals, and forgets those without a change in memory.
    fileprivate mutating func prune(now: Instant) {
        guard now - prunedAt > ServerLimits.ringInterval else { return }
        prunedAt = now
        for match in Array(rings.keys) {
            rings[match]?.prune(now: now)
            if rings[match]?.isEmpty == true { rings[match] = nil }
        }
    }
}
