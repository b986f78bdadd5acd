// A writer has to know whose word it writes down, and a capture has to hold the bytes behind it.

public import MatchEngine
public import ScoreTypes

/// One reading of a match out of replies of one feed.
public struct SeenReply: Sendable {
    /// The picture.
    public var snapshot: MatchSnapshot
    /// When the reply had been read.
    public let seenAt: Instant
    /// Who said it.
    public let source: JournalSource
    /// The bytes behind it, for captures; nil when nobody keeps them.
    public let raw: RawReply?

    /// Joins a picture and where it comes from.
    public init(
        _ snapshot: MatchSnapshot,
        seenAt: Instant,
        source: JournalSource,
        raw: RawReply? = nil
    ) {
        self.snapshot = snapshot
        self.seenAt = seenAt
        self.source = source
        self.raw = raw
    }
}

/// The bytes that a picture was read from.
public struct RawReply: Sendable, Hashable {
    /// The match as the provider names it.
    public let id: ProviderMatchID
    /// The parts that have come anew.
    public let parts: [ReplyPart: [UInt8]]
    /// Whether they are all parts that the picture was read from.
    public let isWhole: Bool

    /// Keeps parts.
    public init(id: ProviderMatchID, parts: [ReplyPart: [UInt8]], isWhole: Bool) {
        self.id = id
        self.parts = parts
        self.isWhole = isWhole
    }
}
