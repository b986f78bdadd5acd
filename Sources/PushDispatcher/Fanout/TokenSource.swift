// The keeper of the tokens belongs to another room; this is the door to it.

public import ScoreTypes

/// Where the fan-out finds the activity tokens of a match; all functions must return at once, on any thread.
public protocol TokenSource: Sendable {
    /// The buckets of a match that this node serves.
    func buckets(of match: MatchID) -> [Bucket]

    /// Adds up to 256 tokens of a bucket to an empty slice, walking backwards.
    ///
    /// Walking backwards keeps a removal during the walk from hiding a token (it can only show one twice).
    ///
    /// - Parameters:
    ///   - match: The match.
    ///   - bucket: The bucket that is walked.
    ///   - cursor: `.start` at the beginning of a walk, later what the last call returned.
    ///   - slice: Where the tokens go.
    /// - Returns: The cursor for the next call; nil when the tokens are not held here, or not those any more that the
    ///   walk began with. A walk that ends so has not seen all, and its bucket must not be recorded.
    func copyTokens(
        of match: MatchID,
        bucket: Bucket,
        before cursor: WalkCursor,
        into slice: inout TokenSlice
    ) -> WalkCursor?

    /// The token of one device, for a repeated send; nil when it is gone or of another generation.
    func token(of match: MatchID, device: DeviceID, generation: Int32) -> PushToken?

    /// A device's registration as it is now, as one that shows nothing yet; nil when there is none.
    func newest(of match: MatchID, device: DeviceID) -> LateToken?

    /// Removes a token that APNs rejected permanently; each rejection is reported once.
    func evict(_ rejected: RejectedToken)
}
