// What an adapter makes of one reply: the whole match so far, in neutral terms.

/// A full neutral picture of a match as one reply of a provider shows it.
public struct MatchSnapshot: Sendable, Hashable, Codable {
    /// The frame of the match.
    public var info: MatchInfo
    /// In order of `ordinal`.
    public var innings: [InningsInfo]
    /// In order of `order`.
    public var deliveries: [Delivery]
    /// What the match is doing, in the feed's word.
    public var status: StatusReport
    /// The result as officials state it; nil while open.
    public var result: ProviderResult?
    /// The provider's own version or update time of the reply; an older one is dropped.
    public var version: Int64?
    /// Whether balls or runs are missing that the provider itself counts: one of the replies that make the picture is
    /// an old copy, or empty.
    public var isIncomplete: Bool

    /// Joins the parts of one reply.
    public init(
        info: MatchInfo,
        innings: [InningsInfo] = [],
        deliveries: [Delivery] = [],
        status: StatusReport = StatusReport(status: .scheduled),
        result: ProviderResult? = nil,
        version: Int64? = nil,
        isIncomplete: Bool = false
    ) {
        self.info = info
        self.innings = innings
        self.deliveries = deliveries
        self.status = status
        self.result = result
        self.version = version
        self.isIncomplete = isIncomplete
    }
}

/// One entry of a match's journal; folding all of them in order gives the match.
public enum Change: Sendable, Hashable, Codable {
    case info(MatchInfo)
    /// An innings appeared or its frame changed.
    case innings(InningsInfo)
    case inningsWithdrawn(ordinal: Int)
    case inserted(Delivery)
    case amended(Delivery)
    case withdrawn(DeliveryKey)
    case status(StatusReport)
    /// nil when a mistaken result was taken back.
    case result(ProviderResult?)
    /// Moments that are now certain and may be told.
    case confirmed([MomentKey])
    /// Nothing changed, but who waits must be told so (PUBLICATION section 3).
    case keepAlive
}

/// The stable name of a moment inside its match, such as `w:2:6` or `b100:1:Kohli` (cricket.md B.8).
public struct MomentKey: Sendable, Hashable, Codable, CustomStringConvertible {
    /// The characters of the key.
    public let text: String
    /// Wraps a key.
    public init(_ text: String) { self.text = text }
    /// Joins the parts of one reply.
    public init(from decoder: any Decoder) throws { text = try decoder.singleValueContainer().decode(String.self) }
    /// Encodes the bare value.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }
    /// The text that people see.
    public var description: String { text }
}
