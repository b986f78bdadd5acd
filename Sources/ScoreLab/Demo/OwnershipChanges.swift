// A new owner of a bucket may repeat what the owner before it had sent and not recorded.

import Postgres
import ScoreTypes
import Synchronization

/// Observes in the database which nodes own the buckets.
final class OwnershipChanges: Sendable {
    private let seen = Mutex<[ClosedRange<Instant>]>([])

    /// The changes so far in order, each with the times of the looks before and after it.
    var all: [ClosedRange<Instant>] { seen.withLock { $0 } }

    /// Looks until cancelled.
    func watch(_ pool: Pool) async {
        let clock = ServiceClock()
        var known: [[Int64]] = []
        var looked = clock.wall
        while !Task.isCancelled {
            let now = clock.wall
            let owners = try? await pool.query(SQL.owners) { row in [try row.int(0), try row.int(1)] }
            if let owners {
                if owners != known, !known.isEmpty { seen.withLock { $0.append(looked...max(looked, clock.wall)) } }
                (known, looked) = (owners, now)
            }
            try? await Task.sleep(for: LabLimits.demoPoll)
        }
    }

    private enum SQL {
        static let owners = Statement("select term, count(*) from bucket_owner group by term order by term")
    }
}
