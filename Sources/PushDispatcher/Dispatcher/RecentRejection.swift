// Operators look at the last refusals; there is no row per push anywhere.

public import ScoreTypes

/// One refused or failed push, for an operator's eyes: never the token.
public struct RecentRejection: Sendable, Hashable {
    /// When the answer came.
    public let at: Instant
    /// Apple's world.
    public let environment: PushEnvironment
    /// The match.
    public let match: MatchID
    /// What the push was.
    public let kind: PayloadKind
    /// The token's fingerprint; nil for a channel, or when the token is gone.
    public let fingerprint: Fingerprint?
    /// HTTP status; 0 when there was no answer.
    public let status: Int
    /// APNs' reason.
    public let reason: APNsReason
}

/// The newest rejections, at most so many.
struct RecentRejections: Sendable {
    private(set) var newest: [RecentRejection] = []

    mutating func add(_ rejections: [RecentRejection]) {
        newest += rejections
        if newest.count > PushLimits.recentRejections { newest.removeFirst(newest.count - PushLimits.recentRejections) }
    }
}
