// A provider's list of matches tells which of them to poll, and how often.

public import MatchEngine
public import ScoreTypes

/// One match in a provider's list.
public struct Fixture: Sendable, Hashable {
    /// The match.
    public let match: MatchID
    /// Start of play in seconds since 1970, when the provider says.
    public let startsAt: Int64?
    /// What the match is doing; nil when the provider gives no word, or one that nobody knows.
    public let status: MatchStatus?

    /// Makes an entry of the list.
    public init(match: MatchID, startsAt: Int64? = nil, status: MatchStatus? = nil) {
        self.match = match
        self.startsAt = startsAt
        self.status = status
    }
}
