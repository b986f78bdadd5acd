// Thousands of notifications of one match must not stand before the one of another, so matches take turns.

internal import ScoreTypes

/// Requests that wait for a stream: in order inside a match, matches in turn; or for their time.
struct DirectedQueue {
    /// Requests that may wait in one environment of a lane; a tenth of a second of work.
    static let countMax = 50_000
    /// Requests of one match before the next has its turn: neighbours share their headers, single ones cost more.
    static let runMax = 16

    /// Requests taken from one match before the memory of them is given back.
    private static let compactionStep = 4096

    private struct Line {
        let match: MatchID
        var ready: [DirectedPush] = []
        var head = 0
    }

    private var lines: [Line] = []
    /// Whose turn it is, and how many of its requests were taken.
    private var turn = 0
    private var run = 0
    private var readyCount = 0
    private var delayed = DueHeap<DirectedPush>(countMax: countMax)
    /// No request that waits has an earlier deadline; most of the time that is all there is to know.
    private(set) var earliestExpiration: Int64 = .max

    var count: Int { readyCount + delayed.count }

    mutating func append(_ push: DirectedPush) -> Bool {
        guard count < Self.countMax else { return false }
        add(push)
        expect(push)
        return true
    }

    mutating func delay(_ push: DirectedPush, until due: Duration) -> Bool {
        expect(push)
        return delayed.insert(push, due: due)
    }

    /// Takes out what APNs would not keep any more at a second since 1970, whatever it waits for.
    mutating func removeExpired(at second: Int64) -> [DirectedPush] {
        guard second >= earliestExpiration else { return [] }
        earliestExpiration = .max
        var expired: [DirectedPush] = []
        let waiting = lines
        lines = []
        (turn, run, readyCount) = (0, 0, 0)
        for line in waiting {
            for push in line.ready[line.head...] {
                if push.isExpired(at: second) { expired.append(push) } else { _ = append(push) }
            }
        }
        for (push, due) in delayed.removeAllWithDue() {
            if push.isExpired(at: second) { expired.append(push) } else { _ = delay(push, until: due) }
        }
        return expired
    }

    /// The next request whose time has come.
    mutating func next(at now: Duration) -> DirectedPush? {
        while let push = delayed.popDue(at: now) { add(push) }
        guard !lines.isEmpty else { return nil }
        if run >= Self.runMax { (turn, run) = (turn + 1, 0) }
        if turn >= lines.count { turn = 0 }
        let push = lines[turn].ready[lines[turn].head]
        lines[turn].head += 1
        readyCount -= 1
        run += 1
        if lines[turn].head == lines[turn].ready.count {
            // The one behind it moves up and is next.
            lines.remove(at: turn)
            run = 0
        } else if lines[turn].head >= Self.compactionStep {
            lines[turn].ready.removeFirst(lines[turn].head)
            lines[turn].head = 0
        }
        return push
    }

    private mutating func add(_ push: DirectedPush) {
        readyCount += 1
        if let index = lines.lastIndex(where: { $0.match == push.match }) {
            lines[index].ready.append(push)
        } else {
            lines.append(Line(match: push.match, ready: [push]))
        }
    }

    private mutating func expect(_ push: DirectedPush) {
        if push.expiration > 0 { earliestExpiration = min(earliestExpiration, push.expiration) }
    }
}
