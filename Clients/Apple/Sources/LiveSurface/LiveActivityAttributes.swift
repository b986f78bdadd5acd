// The immutable data of an activity; app and server share the type, so that their keys agree.
#if canImport(ActivityKit) && os(iOS)
    public import ActivityKit

    @available(iOS 16.1, *)
    extension LiveActivityAttributes: ActivityAttributes {}
#endif

/// The static part of a match's Live Activity.
public struct LiveActivityAttributes: Codable, Hashable, Sendable {
    /// One side, as it is named for the whole match.
    public struct Team: Codable, Hashable, Sendable {
        /// The id in the API.
        public var id: String
        /// The full name.
        public var name: String
        /// Two to four characters; the content state refers to the side by it.
        public var abbr: String
        /// `#rrggbb`, when known.
        public var color: String?

        /// Makes a team from its parts.
        public init(id: String, name: String, abbr: String, color: String? = nil) {
            self.id = id
            self.name = name
            self.abbr = abbr
            self.color = color
        }
    }

    /// The match's id in the API.
    public var matchId: String
    /// Two teams; the rows of the content state have the same order.
    public var teams: [Team]
    /// The league or event; nil when unknown.
    public var competition: String?
    /// `test`, `firstClass`, `odi`, `listA`, `t20i`, `t20`, `t10` or `hundred`.
    public var format: String
    /// The broadcast channel that updates the activity, since ActivityKit does not name it; nil for a token.
    public var channelId: String?
    /// The URL that a tap opens: `<scheme>://match/<id>`.
    public var deepLink: String

    /// Makes attributes from their parts.
    public init(
        matchId: String,
        teams: [Team],
        competition: String? = nil,
        format: String,
        channelId: String? = nil,
        deepLink: String
    ) {
        self.matchId = matchId
        self.teams = teams
        self.competition = competition
        self.format = format
        self.channelId = channelId
        self.deepLink = deepLink
    }
}
