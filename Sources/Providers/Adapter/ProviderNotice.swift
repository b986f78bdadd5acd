// A provider that pushes says what changed before any poll could see it, and which ball it takes back.

public import ScoreTypes

/// One small notice of a provider: something about a match is new, put right or taken back.
public struct ProviderNotice: Sendable, Hashable {
    /// Why it was sent.
    public enum Reason: String, Sendable, Hashable {
        /// A ball was added, or the last one changed.
        case newOrLast
        /// An earlier ball was put right.
        case update
        /// Anything else.
        case other
    }

    /// What it is about.
    public enum Kind: String, Sendable, Hashable {
        /// A ball.
        case ball
        /// The toss.
        case toss
        /// The frame of the match: squads, times, place.
        case info
        /// Anything else.
        case other
    }

    /// The ball that it is about.
    public struct Ball: Sendable, Hashable {
        /// The key that the delivery has in a snapshot.
        public let key: String
        /// The innings, from 1.
        public let innings: Int
        /// The over, from 0.
        public let over: Int
        /// Whether the ball was taken back.
        public let isDelete: Bool

        /// Names a ball.
        public init(key: String, innings: Int, over: Int, isDelete: Bool) {
            self.key = key
            self.innings = innings
            self.over = over
            self.isDelete = isDelete
        }
    }

    /// Who sent it.
    public let provider: Provider
    /// The match.
    public let match: ProviderMatchID
    /// The ball, when it is about one.
    public let ball: Ball?
    /// Why it was sent.
    public let reason: Reason
    /// What it is about.
    public let kind: Kind
    /// When it was sent, in seconds since 1970; tells a repeated notice from a new one.
    public let sentAt: Int64?

    /// Describes a notice.
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

/// What a push brings.
public enum ProviderPush: Sendable, Hashable {
    /// A notice: what it is about has to be asked for.
    case notice(ProviderNotice)
    /// Replies that need not be asked for any more.
    case replies(ProviderMatchID, ProviderReplies)
}
