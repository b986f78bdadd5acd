// An adapter's result for one reply: the whole match so far, independent of the provider.

/// The whole match as one reply of a provider states it.
public struct MatchSnapshot: Sendable, Hashable, Codable {
    /// The facts of the match.
    public var info: MatchInfo
    /// In order of `ordinal`.
    public var innings: [InningsInfo]
    /// In order of `order`.
    public var deliveries: [Delivery]
    /// The status that the feed reports.
    public var status: StatusReport
    /// The result as the officials state it; nil while the match is open.
    public var result: ProviderResult?
    /// The provider's own version or update time of the reply; an older one is dropped.
    public var version: Int64?
    /// Whether balls or runs are missing that the provider itself counts, because one of the replies combined here is
    /// an outdated copy or empty.
    public var isIncomplete: Bool

    /// Combines the parts of one reply.
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

/// One entry of a match's journal; applying all of them in order gives the match.
public enum Change: Sendable, Hashable, Codable {
    case info(MatchInfo)
    /// The facts of an innings appeared or changed.
    case innings(InningsInfo)
    case inningsWithdrawn(ordinal: Int)
    case inserted(Delivery)
    case amended(Delivery)
    case withdrawn(DeliveryKey)
    case status(StatusReport)
    /// nil when the officials withdrew a result.
    case result(ProviderResult?)
    /// Moments that are confirmed and may be announced.
    case confirmed([MomentKey])
    /// Nothing changed; the entry only gives clients a new revision (PUBLICATION section 3).
    case keepAlive
}

/// The stable name of a moment inside its match, such as `w:2:6` or `b100:1:Kohli` (cricket.md B.8).
public struct MomentKey: Sendable, Hashable, Codable, CustomStringConvertible {
    /// The characters of the key.
    public let text: String
    /// Wraps a key.
    public init(_ text: String) { self.text = text }
    /// Decodes a bare string.
    ///
    /// - Throws: `DecodingError`.
    public init(from decoder: any Decoder) throws { text = try decoder.singleValueContainer().decode(String.self) }
    /// Encodes the bare string.
    ///
    /// - Throws: The encoder's errors.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }
    /// The characters of the key.
    public var description: String { text }
}
