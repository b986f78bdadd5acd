// Thousands of notifications of one match must not delay those of another, so matches take turns.

internal import ScoreTypes

/// Requests that wait for a stream, in order within a match and with matches in turn, or that wait for their time.
struct DirectedQueue {
    private struct MatchQueue {
        let match: MatchID
        var ready: [DirectedPush] = []
        var head = 0
    }

    private var queues: [MatchQueue] = []
    /// Index of the match whose turn it is, and its requests taken in this turn.
    private var turn = 0
    private var run = 0
    private var readyCount = 0
    private var delayed = DueHeap<DirectedPush>(countMax: PushLimits.directedPerLane)
    /// The waiting requests by index of their kind.
    private var countsByKind = [Int](repeating: 0, count: PayloadKind.allCases.count)
    /// The earliest deadline of a waiting request, in seconds since 1970, or an earlier moment.
    private(set) var earliestExpiration: Int64 = .max

    var count: Int { readyCount + delayed.count }
    /// Whether requests wait for a stream.
    var hasReady: Bool { readyCount > 0 }

    /// The queue for operators; `now` is the time of the lane.
    func gauge(at now: Duration) -> QueueGauge {
        QueueGauge(
            waiting: countsByKind,
            retrying: delayed.count,
            oldest: queues.map { now - $0.ready[$0.head].queuedAt }.max()
        )
    }

    mutating func append(_ push: DirectedPush) -> Bool {
        guard count < PushLimits.directedPerLane else { return false }
        keep(push)
        return true
    }

    mutating func delay(_ push: DirectedPush, until due: Duration) -> Bool {
        guard delayed.insert(push, due: due) else { return false }
        expect(push)
        countsByKind[push.kind.index] += 1
        return true
    }

    /// Removes and returns the requests that APNs would drop at a second since 1970.
    mutating func removeExpired(at second: Int64) -> [DirectedPush] {
        guard second >= earliestExpiration else { return [] }
        return removeAll { $0.isExpired(at: second) }
    }

    /// Removes and returns the requests that satisfy a condition.
    mutating func removeAll(where holds: (DirectedPush) -> Bool) -> [DirectedPush] {
        earliestExpiration = .max
        var removed: [DirectedPush] = []
        let waiting = queues
        queues = []
        (turn, run, readyCount) = (0, 0, 0)
        for queue in waiting {
            for push in queue.ready[queue.head...] { countsByKind[push.kind.index] -= 1 }
        }
        for queue in waiting {
            for push in queue.ready[queue.head...] {
                if holds(push) { removed.append(push) } else { keep(push) }
            }
        }
        let repeated = delayed.removeAll(where: holds)
        for push in repeated { countsByKind[push.kind.index] -= 1 }
        removed += repeated
        for push in delayed.all(where: { $0.expiration > 0 }) { expect(push) }
        return removed
    }

    /// The next request that is due.
    mutating func next(at now: Duration) -> DirectedPush? {
        while let push = delayed.popDue(at: now) { add(push) }
        guard !queues.isEmpty else { return nil }
        if run >= PushLimits.requestsPerTurn { (turn, run) = (turn + 1, 0) }
        if turn >= queues.count { turn = 0 }
        let push = queues[turn].ready[queues[turn].head]
        queues[turn].head += 1
        readyCount -= 1
        countsByKind[push.kind.index] -= 1
        run += 1
        if queues[turn].head == queues[turn].ready.count {
            // The next queue takes this index.
            queues.remove(at: turn)
            run = 0
        } else if queues[turn].head >= PushLimits.compactionStep {
            queues[turn].ready.removeFirst(queues[turn].head)
            queues[turn].head = 0
        }
        return push
    }

    private mutating func keep(_ push: DirectedPush) {
        add(push)
        expect(push)
        countsByKind[push.kind.index] += 1
    }

    private mutating func add(_ push: DirectedPush) {
        readyCount += 1
        if let index = queues.lastIndex(where: { $0.match == push.match }) {
            queues[index].ready.append(push)
        } else {
            queues.append(MatchQueue(match: push.match, ready: [push]))
        }
    }

    private mutating func expect(_ push: DirectedPush) {
        if push.expiration > 0 { earliestExpiration = min(earliestExpiration, push.expiration) }
    }
}
