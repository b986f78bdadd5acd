// A wrong score is traced to its origin, which every row of the journal names.

public import ScoreTypes

/// The origin of a row of the journal.
public struct JournalSource: Sendable, Hashable {
    /// The provider's name, `operator` or `server`.
    public let provider: String
    /// The feed; empty for a row that came from no feed.
    public let feed: String

    /// A provider's feed.
    public init(_ provider: Provider, _ feed: FeedID) {
        self.provider = provider.rawValue
        self.feed = feed.text
    }

    /// A source as the journal stores it.
    ///
    /// - Parameters:
    ///   - provider: The provider's name, `operator` or `server`.
    ///   - feed: The feed's id; empty for none.
    public init(provider: String, feed: String) {
        self.provider = provider
        self.feed = feed
    }

    /// Whether a feed has answered, which ends a silence.
    var endsSilence: Bool { !feed.isEmpty }

    /// The server itself: time confirmed a moment.
    public static let server = JournalSource(provider: "server", feed: "")
    /// An operator's override.
    public static let `operator` = JournalSource(provider: "operator", feed: "")
}
