// The parts of a match that an app needs to list it, to draw it and to start its activity.

public import LiveSurface

/// A match as `GET /v1/matches` and `GET /v1/matches/{id}` describe it.
public struct ListedMatch: Decodable, Sendable, Hashable {
    /// The id.
    public var id: String
    /// The epoch.
    public var epoch: String
    /// The revision.
    public var rev: Int64
    /// The display state; an unknown one counts as live.
    public var status: MatchDisplayState
    /// The competition; nil when unknown.
    public var competition: String?
    /// The start, RFC 3339; nil when unknown.
    public var startsAt: String?
    /// The two teams.
    public var teams: [LiveActivityAttributes.Team]
    /// The result; nil before the end.
    public var result: MatchOutcome?
}

/// The result of a match.
public struct MatchOutcome: Decodable, Sendable, Hashable {
    /// The sentence.
    public var text: String?
    /// The id of the winner.
    public var winnerId: String?
    /// Whether the feed states the result and not only the balls prove it; nil from a server that does not say it.
    public var official: Bool?
}

/// The flags of a match at the time of a read.
struct MatchProvenance: Decodable, Sendable, Hashable {
    /// Whether an operator holds the match.
    var held: Bool?
    /// Whether no feed reports the match.
    var stale: Bool?
}

/// A page of matches.
public struct MatchPage: Decodable, Sendable, Hashable {
    /// The matches.
    public var items: [ListedMatch]
    /// The cursor of the next page; nil at the end.
    public var nextCursor: String?
}

/// A match with its newest content state.
public struct MatchDetail: Decodable, Sendable, Hashable {
    /// The id.
    public var id: String
    /// The epoch; a new one invalidates what an app remembers of the match.
    public var epoch: String
    /// The revision.
    public var rev: Int64
    /// The format of the game.
    public var format: String
    /// The competition; nil when unknown.
    public var competition: String?
    /// The start, RFC 3339; nil when unknown.
    public var startsAt: String?
    /// The two teams.
    public var teams: [LiveActivityAttributes.Team]
    /// The content state.
    public var display: LiveActivityAttributes.ContentState
    /// The result; nil before the end.
    public var result: MatchOutcome?
    /// Milliseconds until the next read is useful.
    public var nextPollMs: Int64?
    /// The flags of the match; nil from a server that does not state them.
    var provenance: MatchProvenance?

    /// The start in milliseconds since 1970, for a scheduled activity; nil when unknown.
    public var startTime: Int64? {
        startsAt.flatMap { try? SurfaceTime($0) }.map { $0.secondsSince1970 * 1000 }
    }

    /// Whether no further state follows.
    ///
    /// A match also counts as finished when the balls prove a result; it goes on until the feed states the end.
    var isOver: Bool {
        switch display.matchDisplayState {
        case .abandoned: true
        case .finished: result?.official ?? true
        default: false
        }
    }

    /// The static part of the match's activity; the channel is in it, so that the app can read it at any later start.
    func attributes(scheme: String, channelID: String?) -> LiveActivityAttributes {
        LiveActivityAttributes(
            matchId: id,
            teams: teams,
            competition: competition,
            format: format,
            channelId: channelID,
            deepLink: "\(scheme)://match/\(id)"
        )
    }
}
