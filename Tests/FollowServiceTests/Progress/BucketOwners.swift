import FollowService
import Postgres
import ScoreTypes
import TestSupport

extension Store {
    /// Assigns buckets to a term, as a claim does.
    func own(_ buckets: [Bucket], _ term: Term) async throws {
        try await pool.execute(
            Statement("update bucket_owner set term = $1 where bucket = any($2)"),
            [.int(term.number), .smallints(buckets.map(\.number))]
        )
    }

    /// The store of progress as a node of a term uses it; nil for a node without a term.
    func progress(_ term: Term?) -> ProgressRecords { ProgressRecords(pool: pool, clock: time.clock()) { term } }
}
