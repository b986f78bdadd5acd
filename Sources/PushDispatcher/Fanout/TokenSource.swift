// The target that holds the tokens conforms to this protocol.

public import ScoreTypes

/// Where the fan-out finds the activity tokens of a match; all functions must return at once, on any thread.
public protocol TokenSource: Sendable {
    /// The buckets of a match that this node serves.
    func buckets(of match: MatchID) -> [Bucket]

    /// Adds up to 256 tokens of a bucket in one environment to an empty slice, walking backwards.
    ///
    /// Walking backwards keeps a removal during the walk from hiding a token (it can only show one twice).
    ///
    /// - Parameters:
    ///   - match: The match.
    ///   - bucket: The bucket that is walked.
    ///   - environment: Tokens of the other one are passed over.
    ///   - cursor: `.start` at the beginning of a walk, later the cursor of the last call.
    ///   - slice: Receives the tokens.
    /// - Returns: The cursor for the next call; nil if the tokens are not in memory, or were loaded again since the
    ///   walk began. Such a walk is incomplete, and its bucket must not be recorded.
    func copyTokens(
        of match: MatchID,
        bucket: Bucket,
        environment: PushEnvironment,
        before cursor: WalkCursor,
        into slice: inout TokenSlice
    ) -> WalkCursor?

    /// The token of one device, for a repeated send; nil if it was removed or has another generation.
    func token(of match: MatchID, device: DeviceID, generation: Int32) -> PushToken?

    /// A device's current registration, as of a phone that shows nothing yet; nil if there is none.
    func newest(of match: MatchID, device: DeviceID) -> LateToken?

    /// Removes a token that APNs rejected permanently; each rejection is reported once.
    func evict(_ rejected: RejectedToken)
}
