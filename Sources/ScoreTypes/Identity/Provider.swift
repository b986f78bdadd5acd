// The provider of a reply decides how it is read; its name is used in configuration, metrics and the alias table.

/// A source of scores whose format is known.
public enum Provider: String, Sendable, Hashable, Codable, CaseIterable {
    /// Sportmonks Cricket API v2: whole matches with balls, polled.
    case sportmonks
    /// Roanuz Cricket API v5: matches and balls, pushed and polled.
    case roanuz
    /// EntitySport v2: balls without ids.
    case entitySport = "entitysport"
    /// CricketData (CricAPI) v1: totals without balls.
    case cricketData = "cricketdata"
    /// Files of Cricsheet, played as a feed.
    case cricsheet

    /// Requests in an hour that every plan allows (cricket.md B.1); nil where they differ, or count by the day.
    public var hourlyRequests: Int? { self == .sportmonks ? 2_000 : nil }
}

/// A match as its provider names it; two providers name one match differently.
public struct ProviderMatchID: TextID {
    /// The characters of the id.
    public let text: String
    /// Wraps characters that were already checked.
    public init(unchecked text: String) { self.text = text }

    /// The match of that name, as long as no alias says otherwise.
    public var match: MatchID { MatchID(unchecked: text) }
}
