// What was sent is remembered by bucket, never by push, so that a successor knows where to go on.

public import ScoreTypes

/// Where the progress of a match's buckets is kept; both calls are fenced by the node's term.
public protocol ProgressStore: Sendable {
    /// Takes over buckets and says up to which revision each was sent; a bucket that is missing in the answer belongs
    /// to somebody else and must not be sent.
    func resume(_ match: MatchID, buckets: [Bucket]) async throws -> [Bucket: Int64]

    /// Notes that all tokens of the buckets have got a revision or a newer one.
    ///
    /// - Returns: False when the node was fenced: somebody else serves these buckets now.
    func record(match: MatchID, buckets: [Bucket], revision: Int64, at: Instant) async throws -> Bool
}
