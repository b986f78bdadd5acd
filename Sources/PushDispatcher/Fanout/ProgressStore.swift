// Progress is recorded by bucket, never by push, so that a successor continues from there.

public import ScoreTypes

/// Where the progress of a match's buckets is kept; what is written is fenced by the node's term.
public protocol ProgressStore: Sendable {
    /// Takes over buckets and says up to which revision each was sent; a bucket that is missing in the answer belongs
    /// to another node and must not be sent.
    func resume(_ match: MatchID, buckets: [Bucket]) async throws -> [Bucket: Int64]

    /// The devices that buckets were recorded without, for who has just taken them over.
    func owed(_ match: MatchID, buckets: [Bucket]) async throws -> [DeviceID]

    /// Notes that all tokens of the buckets have got a revision or a newer one.
    ///
    /// - Parameters:
    ///   - match: The match.
    ///   - buckets: The buckets.
    ///   - revision: The revision that their tokens have received.
    ///   - owed: Devices of these buckets that have not, at most 200 in a bucket; they take the place of those noted
    ///     before.
    ///   - at: When.
    /// - Returns: False when the node was fenced: another node serves these buckets now.
    /// - Throws: Whatever keeps the store from answering; the call is made again.
    func record(
        match: MatchID,
        buckets: [Bucket],
        revision: Int64,
        owed: [DeviceID],
        at: Instant
    ) async throws -> Bool
}
