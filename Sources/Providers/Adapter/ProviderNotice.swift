// A webhook reports a change before the next poll, and the over in which a ball has changed.

public import ScoreTypes

/// A notice of a provider that a match has changed.
public struct ProviderNotice: Sendable, Hashable {
    /// The place of a ball that was added, changed or withdrawn.
    public struct Ball: Sendable, Hashable {
        /// The innings, from 1.
        public let innings: Int
        /// The over, from 0.
        public let over: Int

        /// Makes a place.
        public init(innings: Int, over: Int) {
            self.innings = innings
            self.over = over
        }
    }

    /// The match.
    public let match: ProviderMatchID
    /// The ball; nil for another subject, such as the toss.
    public let ball: Ball?
    /// When it was sent, in seconds since 1970; a repeated notice has the same time.
    public let sentAt: Int64?

    /// Makes a notice.
    public init(match: ProviderMatchID, ball: Ball? = nil, sentAt: Int64? = nil) {
        self.match = match
        self.ball = ball
        self.sentAt = sentAt
    }
}

/// The content of a pushed body.
public enum ProviderPush: Sendable, Hashable {
    /// A notice; the change itself has to be requested.
    case notice(ProviderNotice)
    /// Replies, as if they had been requested.
    case replies(ProviderMatchID, ProviderReplies)
}
