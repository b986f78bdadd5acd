// The last of many readers to receive a state decides how fresh a stream is.

import ScoreTypes

/// The arrival of states at all readers, as a value.
struct StreamLatency: Sendable {
    private struct Arrivals {
        var count = 0
        var last: Duration
    }

    private var committed: [Int64: Duration] = [:]
    private var arrivals: [Int64: Arrivals] = [:]

    /// Notes the commit of a state.
    mutating func commit(_ revision: Int64, at time: Duration) { committed[revision] = time }

    /// Notes that an open stream went from one state to a newer one; skipped states count as received.
    mutating func move(from old: Int64, to new: Int64, at time: Duration) {
        guard old < new else { return }
        for revision in max(old + 1, new - 64)...new {
            arrivals[revision, default: Arrivals(last: time)].count += 1
            arrivals[revision]?.last = time
        }
    }

    /// From the commit of each state to its last reader, for states that reached so many readers.
    func untilLast(readers: Int) -> DurationSet {
        DurationSet(
            committed.compactMap { revision, time in
                guard let arrivals = arrivals[revision], arrivals.count >= readers else { return nil }
                return arrivals.last - time
            }
        )
    }
}
