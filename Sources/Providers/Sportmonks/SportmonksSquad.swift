// A line-up is named an hour before play; until then the squads of the season have the players.

internal import MatchEngine
internal import ScoreTypes

/// The reply to `/teams/{id}/squad/{season}`.
struct SportmonksSquad: Decodable {
    let id: Int
    let squad: SportmonksList<SportmonksPlayer>?

    var players: [SportmonksPlayer] { squad?.rows ?? [] }
}

/// The squads of a fixture's teams that are held.
struct SportmonksSquads {
    /// The players, by the id of their team.
    private let players: [Int: [SportmonksPlayer]]

    /// No squads.
    init() { players = [:] }

    /// Takes the squads that are held and can be read; a match does not wait for them.
    init(of fixture: SportmonksFixture, _ replies: ProviderReplies) {
        var found: [Int: [SportmonksPlayer]] = [:]
        for team in [fixture.localteamId, fixture.visitorteamId] {
            found[team] = fixture.seasonId.flatMap { Self.squad(of: team, season: $0, replies)?.players }
        }
        players = found
    }

    /// The players of a team; empty when unknown.
    func players(of team: Int) -> [SportmonksPlayer] { players[team] ?? [] }

    /// The players of both teams.
    var all: [SportmonksPlayer] { players.values.flatMap(\.self) }

    /// The teams whose squads are requested, each with its season.
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

    /// The name of a squad's reply; other teams under the same match id have others.
    static func part(of team: Int, season: Int) -> ReplyPart { ReplyPart(rawValue: "squad.\(team).\(season)") }

    /// A squad that is held; nil for none, for one of another team, and for too many people.
    private static func squad(of team: Int, season: Int, _ replies: ProviderReplies) -> SportmonksSquad? {
        guard
            let squad = try? replies.read(
                SportmonksReply<SportmonksSquad>.self,
                part(of: team, season: season)
            ).content(),
            squad.id == team, squad.players.count <= AdapterLimits.people
        else { return nil }
        return squad
    }
}
