// Requests and webhooks reach any node, but one node polls a feed: the others send it orders by NOTIFY.

internal import MatchJournal
public import Providers
public import ScoreTypes

/// An order to the node that polls a feed: the payload of a NOTIFY, which may be lost, so that nothing depends on it.
public enum IngestOrder: Sendable, Hashable {
    /// The channel of the notifications.
    public static let channel = "ingest"

    /// Poll a match of a feed at once.
    case poll(FeedID, ProviderMatchID)
    /// Act on a notice of the feed's provider: an older over may have to be requested.
    case notice(FeedID, ProviderNotice)
    /// Carry out an operator's order about a feed.
    case feed(FeedID, FeedVerb)
    /// The overrides of a match have changed.
    case steer(MatchID)
    /// Rebuild a match from the next reply of its feeds.
    case resync(MatchID)
    /// Publish the present state of a match again.
    case republish(MatchID)
    /// The alias table has changed.
    case aliases

    /// The payload.
    public var payload: String {
        switch self {
        case .poll(let feed, let match): "poll \(feed) \(match)"
        case .notice(let feed, let notice): "notice \(feed) \(notice.words.joined(separator: " "))"
        case .feed(let feed, let verb): "feed \(feed) \(verb.rawValue)"
        case .steer(let match): MatchOverride.notification(of: match)
        case .resync(let match): "resync \(match)"
        case .republish(let match): "republish \(match)"
        case .aliases: "aliases"
        }
    }

    /// Reads a payload; nil for one of a newer server.
    public init?(_ payload: String) {
        let words = payload.split(separator: " ").map(String.init)
        switch (words.first, words.count) {
        case ("poll", 3):
            guard let feed = FeedID(words[1]), let match = ProviderMatchID(words[2]) else { return nil }
            self = .poll(feed, match)
        case ("notice", 3...):
            guard let feed = FeedID(words[1]), let notice = ProviderNotice(words: Array(words.dropFirst(2))) else {
                return nil
            }
            self = .notice(feed, notice)
        case ("feed", 3):
            guard let feed = FeedID(words[1]), let verb = FeedVerb(rawValue: words[2]) else { return nil }
            self = .feed(feed, verb)
        case ("steer", 2):
            guard let match = MatchID(words[1]) else { return nil }
            self = .steer(match)
        case ("resync", 2):
            guard let match = MatchID(words[1]) else { return nil }
            self = .resync(match)
        case ("republish", 2):
            guard let match = MatchID(words[1]) else { return nil }
            self = .republish(match)
        case ("aliases", 1): self = .aliases
        default: return nil
        }
    }
}

/// An operator's order about a feed.
public enum FeedVerb: String, Sendable, Hashable, CaseIterable {
    /// The table of paused feeds has changed.
    case turn
    /// Poll everything at once.
    case poll
    /// Close the breaker and poll at once.
    case reset
}

extension ProviderNotice {
    /// Two words, and two of its ball.
    fileprivate var words: [String] {
        [match.text, sentAt.map { String($0) } ?? "-"] + (ball.map { [String($0.innings), String($0.over)] } ?? [])
    }

    /// Reads words; nil when they are no notice.
    fileprivate init?(words: [String]) {
        guard words.count == 2 || words.count == 4, let match = ProviderMatchID(words[0]) else { return nil }
        let sentAt = Int64(words[1])
        guard sentAt != nil || words[1] == "-" else { return nil }
        var ball: Ball?
        if words.count == 4 {
            guard let innings = Int(words[2]), (1...99).contains(innings), let over = Int(words[3]),
                (0...9_999).contains(over)
            else { return nil }
            ball = Ball(innings: innings, over: over)
        }
        self.init(match: match, ball: ball, sentAt: sentAt)
    }
}
