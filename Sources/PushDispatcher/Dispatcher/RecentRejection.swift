// The last rejections for operators; no row is stored for a push.

public import ScoreTypes

/// One rejected or failed push, for operators; contains no token.
public struct RecentRejection: Sendable, Hashable {
    /// Wall time of the answer.
    public let at: Instant
    /// APNs environment.
    public let environment: PushEnvironment
    /// The match.
    public let match: MatchID
    /// The kind of the request.
    public let kind: PayloadKind
    /// The token's fingerprint; nil for a channel, or if the token is no longer in memory.
    public let fingerprint: Fingerprint?
    /// HTTP status; 0 without an answer.
    public let status: Int
    /// APNs' reason.
    public let reason: APNsReason
}
