// What the public API needs to know of feeds that tell by themselves; the composition joins it to the pollers.

import ScoreTypes

/// What became of a webhook's call.
enum NoticeOutcome: String, Sendable, CaseIterable {
    /// The match is looked at at once.
    case taken
    /// Another node polls the feed; it was told.
    case forwarded
    /// It was here before.
    case repeated
    /// Newer ones came before it.
    case late
}

/// Takes what providers post.
protocol NoticeInbox: Sendable {
    /// What a call for a feed has to carry; nil for a feed that takes none.
    func secret(of feed: FeedID) -> SecretDigest?

    /// Takes a body.
    ///
    /// - Throws: `invalid-request` for a body that cannot be read.
    func take(_ body: [UInt8], feed: FeedID) async throws -> NoticeOutcome
}
