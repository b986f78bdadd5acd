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
    /// Do what an operator wants of a feed.
    case feed(FeedID, FeedVerb)
    /// The overrides of a match have changed.
    case steer(MatchID)
    /// The alias table has changed.
    case aliases

    /// The payload.
    public var payload: String {
        switch self {
        case .poll(let feed, let match): "poll \(feed) \(match)"
        case .notice(let feed, let notice): "notice \(feed) \(notice.words.joined(separator: " "))"
        case .feed(let feed, let verb): "feed \(feed) \(verb.rawValue)"
        case .steer(let match): OverrideNotification.payload(of: match)
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
            guard let feed = FeedID(words[1]), let notice = ProviderNotice(words: words.dropFirst(2)) else {
                return nil
            }
            self = .notice(feed, notice)
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

/// What an operator wants of a feed.
public enum FeedVerb: String, Sendable, Hashable, CaseIterable {
    /// The table of paused feeds has changed.
    case turn
    /// Poll everything at once.
    case poll
    /// Close the breaker and poll at once.
    case reset
}

extension ProviderNotice {
    /// Five words, and those of its ball.
    fileprivate var words: [String] {
        [provider.rawValue, match.text, reason.rawValue, kind.rawValue, sentAt.map { String($0) } ?? "-"]
            + (ball?.words ?? [])
    }

    /// Reads words; nil when they are no notice.
    fileprivate init?(words: ArraySlice<String>) {
        let words = Array(words)
        guard words.count >= 5, let provider = Provider(rawValue: words[0]), let match = ProviderMatchID(words[1]),
            let reason = Reason(rawValue: words[2]), let kind = Kind(rawValue: words[3])
        else { return nil }
        let (sentAt, ball) = (Int64(words[4]), Ball(words: Array(words.dropFirst(5))))
        guard sentAt != nil || words[4] == "-", ball != nil || words.count == 5 else { return nil }
        self.init(provider: provider, match: match, ball: ball, reason: reason, kind: kind, sentAt: sentAt)
    }
}

extension ProviderNotice.Ball {
    /// Four words; none when its key is no word.
    fileprivate var words: [String] {
        let isWord =
            !key.isEmpty && key.utf8.count <= IngestLimits.noticeKeyBytesMax && key.allSatisfy { !$0.isWhitespace }
        return isWord ? [key, String(innings), String(over), isDelete ? "delete" : "keep"] : []
    }

    /// Reads words; nil when they are no ball.
    fileprivate init?(words: [String]) {
        guard words.count == 4, words[0].utf8.count <= IngestLimits.noticeKeyBytesMax, let innings = Int(words[1]),
            (1...99).contains(innings), let over = Int(words[2]), (0...9_999).contains(over),
            words[3] == "delete" || words[3] == "keep"
        else { return nil }
        self.init(key: words[0], innings: innings, over: over, isDelete: words[3] == "delete")
    }
}
