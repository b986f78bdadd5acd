// Progress is recorded by bucket, never by push, so that a successor continues from there.

public import ScoreTypes

/// Where the progress of a match's buckets is kept; what is written is fenced by the node's term.
public protocol ProgressStore: Sendable {
    /// Takes over buckets, and returns the revision up to which each was sent.
    ///
    /// A bucket without a revision belongs to another node and must not be sent.
    func resume(_ match: MatchID, buckets: [Bucket]) async throws -> [Bucket: Int64]

    /// The devices without which buckets were recorded, for the node that has just taken them over.
    func owed(_ match: MatchID, buckets: [Bucket]) async throws -> [DeviceID]

    /// Records that all tokens of the buckets have received a revision or a newer one.
    ///
    /// - Parameters:
    ///   - match: The match.
    ///   - buckets: The buckets.
    ///   - revision: The revision that their tokens have received.
    ///   - owed: Devices of these buckets that have not received it, at most 200 in a bucket; they replace those
    ///     recorded before.
    ///   - at: Wall time of the record.
    /// - Returns: False if the node was fenced: another node serves these buckets now.
    /// - Throws: The store's error; the call is repeated.
    func record(
        match: MatchID,
        buckets: [Bucket],
        revision: Int64,
        owed: [DeviceID],
        at: Instant
    ) async throws -> Bool
}
