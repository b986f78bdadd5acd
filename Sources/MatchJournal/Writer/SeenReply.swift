// A journal entry names its feed, and a capture holds the bytes of the reply.

public import MatchEngine
public import ScoreTypes

/// A snapshot that was read from replies of one feed.
public struct SeenReply: Sendable {
    /// The snapshot.
    public var snapshot: MatchSnapshot
    /// When the reply had arrived, before it was parsed.
    public let seenAt: Instant
    /// The feed.
    public let source: JournalSource
    /// The bytes, for captures; nil when nothing is captured.
    public let raw: RawReply?
    /// Set when an operator has ordered to rebuild the match from this reply: the gate does not judge it, and where the
    /// reply contradicts the journal, the match goes on in this epoch.
    public var resyncEpoch: Epoch?

    /// Makes a reply.
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

/// The bytes that a snapshot was read from.
public struct RawReply: Sendable, Hashable {
    /// The match as the provider names it.
    public let id: ProviderMatchID
    /// The parts that have come since the last reading.
    public let parts: [ReplyPart: [UInt8]]
    /// Whether they are all parts of the snapshot.
    public let isWhole: Bool

    /// Makes a reply out of parts.
    public init(id: ProviderMatchID, parts: [ReplyPart: [UInt8]], isWhole: Bool) {
        self.id = id
        self.parts = parts
        self.isWhole = isWhole
    }
}
