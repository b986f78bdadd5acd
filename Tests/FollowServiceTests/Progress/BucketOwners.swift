import Postgres
import ScoreTypes

extension Store {
    /// Gives buckets to a term, as a claim does.
    func own(_ buckets: [Bucket], _ term: Term) async throws {
        try await pool.execute(
            Statement("update bucket_owner set term = $1 where bucket = any($2)"),
            [.int(term.number), .smallints(buckets.map(\.number))]
        )
    }
}
