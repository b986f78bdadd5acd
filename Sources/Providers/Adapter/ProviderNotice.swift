// A webhook reports a change before the next poll, and names a ball that was withdrawn.

public import ScoreTypes

/// A notice of a provider that a match has changed.
public struct ProviderNotice: Sendable, Hashable {
    /// The reason for a notice.
    public enum Reason: String, Sendable, Hashable {
        /// A ball was added, or the last one changed.
        case newOrLast
        /// An earlier ball was corrected.
        case update
        /// Anything else.
        case other
    }

    /// The subject of a notice.
    public enum Kind: String, Sendable, Hashable {
        /// A ball.
        case ball
        /// The toss.
        case toss
        /// The match information: squads, times, venue.
        case info
        /// Anything else.
        case other
    }

    /// The ball of a notice.
    public struct Ball: Sendable, Hashable {
        /// The key of the delivery.
        public let key: String
        /// The innings, from 1.
        public let innings: Int
        /// The over, from 0.
        public let over: Int
        /// Whether the ball was withdrawn.
        public let isDelete: Bool

        /// Makes a ball.
        public init(key: String, innings: Int, over: Int, isDelete: Bool) {
            self.key = key
            self.innings = innings
            self.over = over
            self.isDelete = isDelete
        }
    }

    /// The sender.
    public let provider: Provider
    /// The match.
    public let match: ProviderMatchID
    /// The ball; nil for another subject.
    public let ball: Ball?
    /// The reason.
    public let reason: Reason
    /// The subject.
    public let kind: Kind
    /// When it was sent, in seconds since 1970; a repeated notice has the same time.
    public let sentAt: Int64?

    /// Makes a notice.
    public init(
        provider: Provider,
        match: ProviderMatchID,
        ball: Ball? = nil,
        reason: Reason = .other,
        kind: Kind = .other,
        sentAt: Int64? = nil
    ) {
        self.provider = provider
        self.match = match
        self.ball = ball
        self.reason = reason
        self.kind = kind
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
