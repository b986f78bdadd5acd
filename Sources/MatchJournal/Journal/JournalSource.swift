// A wrong score is traced to who said it, so every row of the journal carries that.

public import ScoreTypes

/// Who said what a row of the journal holds.
public struct JournalSource: Sendable, Hashable {
    /// The provider's word, `operator` or `server`.
    public let provider: String
    /// The feed; empty for what no feed said.
    public let feed: String

    /// What a provider said through a feed.
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

    /// Whether a feed has spoken, so that its match is not silent any more.
    public var endsSilence: Bool { !feed.isEmpty }

    /// What time alone made certain.
    public static let server = JournalSource(provider: "server", feed: "")
    /// What an operator said in place of the feeds.
    public static let `operator` = JournalSource(provider: "operator", feed: "")
}
