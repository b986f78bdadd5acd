// Requests and webhooks reach any node, but one node polls a feed: this is how the others tell it.

public import ScoreTypes

/// What a node asks of the one that polls; the payload of a NOTIFY, so it may be lost and carries no only news.
public enum IngestOrder: Sendable, Hashable {
    /// The channel of the notifications.
    public static let channel = "ingest"

    /// Ask for a match of a feed at once.
    case poll(FeedID, ProviderMatchID)
    /// What operators say of a match has changed.
    case steer(MatchID)
    /// The alias table has changed.
    case aliases

    /// The text that is sent.
    public var payload: String {
        switch self {
        case .poll(let feed, let match): "poll \(feed) \(match)"
        case .steer(let match): "steer \(match)"
        case .aliases: "aliases"
        }
    }

    /// Reads a text; nil for one of a newer server.
    public init?(_ payload: String) {
        let words = payload.split(separator: " ").map(String.init)
        switch (words.first, words.count) {
        case ("poll", 3):
            guard let feed = FeedID(words[1]), let match = ProviderMatchID(words[2]) else { return nil }
            self = .poll(feed, match)
        case ("steer", 2):
            guard let match = MatchID(words[1]) else { return nil }
            self = .steer(match)
        case ("aliases", 1): self = .aliases
        default: return nil
        }
    }
}
