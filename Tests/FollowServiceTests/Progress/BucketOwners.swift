import Postgres
import ScoreTypes
import TestSupport

@testable import FollowService

extension Store {
    /// Assigns buckets to a term, as a claim does.
    func own(_ buckets: [Bucket], _ term: Term) async throws {
        try await pool.execute(
            Statement("update bucket_owner set term = $1 where bucket = any($2)"),
            [.int(term.number), .smallints(buckets.map(\.number))]
        )
    }

    /// The progress store of a node with a term; nil for a node without a term.
    func progress(_ term: Term?) -> ProgressRecords { ProgressRecords(pool: pool, clock: time.clock()) { term } }
}
