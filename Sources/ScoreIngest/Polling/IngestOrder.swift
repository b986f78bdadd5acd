// Requests and webhooks reach any node, but one node polls a feed: this is how the others tell it.

public import ScoreTypes

/// What a node asks of the one that polls; the payload of a NOTIFY, so it may be lost and carries no only news.
public enum IngestOrder: Sendable, Hashable {
    /// The channel of the notifications.
    public static let channel = "ingest"

    /// Ask for a match of a feed at once.
    case poll(FeedID, ProviderMatchID)
    /// What operators ask of a feed, wherever it is polled.
    case feed(FeedID, FeedVerb)
    /// What operators say of a match has changed.
    case steer(MatchID)
    /// The alias table has changed.
    case aliases

    /// The text that is sent.
    public var payload: String {
        switch self {
        case .poll(let feed, let match): "poll \(feed) \(match)"
        case .feed(let feed, let verb): "feed \(feed) \(verb.rawValue)"
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
        case ("feed", 3):
            guard let feed = FeedID(words[1]), let verb = FeedVerb(rawValue: words[2]) else { return nil }
            self = .feed(feed, verb)
        case ("steer", 2):
            guard let match = MatchID(words[1]) else { return nil }
            self = .steer(match)
        case ("aliases", 1): self = .aliases
        default: return nil
        }
    }
}

/// What an operator may want of a feed.
public enum FeedVerb: String, Sendable, Hashable, CaseIterable {
    /// The table of paused feeds has changed.
    case turn
    /// Ask for everything at once.
    case poll
    /// Close the breaker and ask at once.
    case reset
}
