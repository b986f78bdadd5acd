// The last of many readers to receive a state decides how fresh a stream is.

import ScoreTypes

/// The arrival of states at all readers, as a value.
struct StreamLatency: Sendable {
    private var committed: [Int64: Duration] = [:]
    private var arrivals: [Int64: StreamCrowd.Arrivals] = [:]

    /// Notes the commit of a state.
    mutating func commit(_ revision: Int64, at time: Duration) { committed[revision] = time }

    /// Adds the arrivals at some of the readers.
    mutating func add(_ some: [StreamCrowd.Arrivals]) {
        for new in some {
            guard let known = arrivals[new.revision] else {
                arrivals[new.revision] = new
                continue
            }
            arrivals[new.revision]?.count += new.count
            arrivals[new.revision]?.last = max(known.last, new.last)
        }
    }

    /// The newest committed state; 0 for none.
    var newest: Int64 { committed.keys.max() ?? 0 }

    /// The committed states up to one: all, and those that reached fewer readers.
    ///
    /// The first one may have arrived before the measurement began.
    func states(through revision: Int64, readers: Int) -> (all: Int, incomplete: Int) {
        let states = committed.keys.filter { $0 <= revision }.sorted()
        return (states.count, states.dropFirst().count { (arrivals[$0]?.count ?? 0) < readers })
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
