// The route passes webhooks to the pollers through this protocol, so that its tests need no poller.

import ScoreTypes

/// The result of a webhook's call.
enum NoticeOutcome: String, Sendable, CaseIterable {
    /// The match is polled at once.
    case taken
    /// Another node polls the feed; the call was forwarded to it.
    case forwarded
    /// The same body was posted before.
    case repeated
    /// Newer bodies were posted before it.
    case late
}

/// Receives the bodies that providers post.
protocol NoticeReceiver: Sendable {
    /// The digest of the secret that calls for a feed must have; nil for a feed without webhooks.
    func secret(of feed: FeedID) -> SecretDigest?

    /// Processes a body; throws `invalid-request` for one that cannot be read, `payload-too-large` for one that unpacks
    /// to more than the adapter reads.
    func take(_ body: [UInt8], feed: FeedID) async throws -> NoticeOutcome
}
