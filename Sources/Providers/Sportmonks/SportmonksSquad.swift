// A line-up is named an hour before play; until then who may play stands in the squads of the season.

internal import MatchEngine
internal import ScoreTypes

/// The reply to `/teams/{id}/squad/{season}`.
struct SportmonksSquad: FeedReadable {
    let teamId: Int
    let players: [SportmonksPlayer]

    init(feed: FeedValue) throws(AdapterError) {
        teamId = try feed.need("id")
        players = try (feed.given("squad") as SportmonksList<SportmonksPlayer>?)?.rows ?? []
    }
}

/// The squads of a fixture's sides, as far as they are held.
struct SportmonksSquads {
    /// Those who may play, by the number of their team.
    private let players: [Int: [SportmonksPlayer]]

    /// Nobody.
    init() { players = [:] }

    /// Takes what is held and can be read: nothing else of a match waits for its squads.
    init(of fixture: SportmonksFixture, _ replies: ProviderReplies) {
        var found: [Int: [SportmonksPlayer]] = [:]
        for team in [fixture.localteamId, fixture.visitorteamId] {
            found[team] = fixture.seasonId.flatMap { Self.squad(of: team, season: $0, replies)?.players }
        }
        players = found
    }

    /// Those of a team; empty when they are not known.
    func players(of team: Int) -> [SportmonksPlayer] { players[team] ?? [] }

    /// All of both sides.
    var all: [SportmonksPlayer] { players.values.flatMap(\.self) }

    /// The teams whose squads have to be asked for, each with its season.
    ///
    /// They are those without a line-up in a match that is not over. An empty reply stands for a squad that the
    /// provider does not have.
    static func missing(of fixture: SportmonksFixture, _ replies: ProviderReplies) -> [(team: Int, season: Int)] {
        let phase = SportmonksStatus.word(fixture.status).map(PlayPhase.init(of:))
        guard let season = fixture.seasonId, phase != .over else { return [] }
        let named = Set((fixture.lineup?.rows ?? []).compactMap { $0.lineup?.teamId })
        return [fixture.localteamId, fixture.visitorteamId].filter { team in
            !named.contains(team) && replies[part(of: team, season: season)]?.isEmpty != true
                && squad(of: team, season: season, replies) == nil
        }
        .map { ($0, season) }
    }

    /// The name of a squad's reply: other sides under the same id have others.
    static func part(of team: Int, season: Int) -> ReplyPart { ReplyPart(rawValue: "squad.\(team).\(season)") }

    /// A squad that is held; nil for none, for one of another team, and for more people than a squad has.
    private static func squad(of team: Int, season: Int, _ replies: ProviderReplies) -> SportmonksSquad? {
        guard
            let squad = try? replies.read(
                SportmonksReply<SportmonksSquad>.self,
                part(of: team, season: season)
            ).content(),
            squad.teamId == team, squad.players.count <= SportmonksPeople.peopleMax
        else { return nil }
        return squad
    }
}
