// A provider's list of matches decides which of them to poll, and how often.

public import ScoreTypes

/// One match in a provider's list.
public struct Fixture: Sendable, Hashable {
    /// The match as the provider names it.
    public let id: ProviderMatchID
    /// The match; the provider's own id unless an alias says otherwise.
    public var match: MatchID
    /// Start of play in seconds since 1970, when the provider says; one outside `MatchInfo.starts` is none.
    public let startsAt: Int64?
    /// The status; nil when the provider gives none, or an unknown one.
    public let status: MatchStatus?
    /// The sides, first the first one; empty when the list does not name them.
    public var teams: [TeamInfo]
    /// The league or tour, when the list has it.
    public let competition: String?
    /// The kind of cricket, when the list has it.
    public let format: Format?
    /// The ground, when the list has it.
    public let venue: String?

    /// Makes an entry of the list.
    public init(
        id: ProviderMatchID,
        match: MatchID? = nil,
        startsAt: Int64? = nil,
        status: MatchStatus? = nil,
        teams: [TeamInfo] = [],
        competition: String? = nil,
        format: Format? = nil,
        venue: String? = nil
    ) {
        self.id = id
        self.match = match ?? id.match
        self.startsAt = startsAt.flatMap { MatchInfo.starts.contains($0) ? $0 : nil }
        self.status = status
        self.teams = teams
        self.competition = competition
        self.format = format
        self.venue = venue
    }
}
