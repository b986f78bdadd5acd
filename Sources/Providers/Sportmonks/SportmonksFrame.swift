// The match information: teams, format, toss, venue and time.

internal import MatchEngine
internal import ScoreTypes

/// Reads the match information of a fixture.
struct SportmonksFrame {
    let fixture: SportmonksFixture
    var squads = SportmonksSquads()

    /// The format; it decides how everything else is read.
    func format() throws(AdapterError) -> Format {
        guard let format = Format(word: fixture.type) else {
            throw .unknownWord(path: "data.type", word: fixture.type)
        }
        return format
    }

    func teams() throws(AdapterError) -> [TeamInfo] {
        [
            try team(fixture.localteam?.thing, fixture.localteamId, at: "data.localteam"),
            try team(fixture.visitorteam?.thing, fixture.visitorteamId, at: "data.visitorteam"),
        ]
    }

    func info(_ format: Format, teams: [TeamInfo], people: SportmonksPeople) throws(AdapterError) -> MatchInfo {
        MatchInfo(
            format: format,
            competition: fixture.league?.thing.name.map(SafeText.clean),
            season: fixture.season?.thing.name.map(SafeText.clean),
            isWomens: teams.allSatisfy { $0.name.lowercased().hasSuffix("women") },
            ballLimit: try ballLimit(format),
            teams: teams,
            venue: fixture.venue?.thing.name.map(SafeText.clean),
            startsAt: fixture.startingAt.flatMap(ISO8601.seconds),
            days: fixture.startingAt.map { [SafeText.clean(String($0.prefix(10)))] } ?? [],
            toss: try toss(people)
        )
    }

    /// The limit of the format, or a shorter one that the fixture has without a target.
    private func ballLimit(_ format: Format) throws(AdapterError) -> Int? {
        guard let usual = format.ballLimit, fixture.rpcTarget == nil, let overs = fixture.rpcOvers else {
            return format.ballLimit
        }
        let balls = try AdapterError.balls(
            ofOvers: overs.value,
            ballsPerOver: format.ballsPerOver,
            at: "data.rpc_overs"
        )
        return balls > 0 ? balls : usual
    }

    private func team(
        _ team: SportmonksFixture.Team?,
        _ id: Int,
        at path: @autoclosure () -> String
    ) throws(AdapterError) -> TeamInfo {
        guard let team else { throw .missing(path: path()) }
        guard team.id == id else { throw .contradiction(path: "\(path()).id", expected: "the id of the fixture") }
        let lineup = (fixture.lineup?.rows ?? []).filter {
            $0.lineup?.teamId == id && $0.lineup?.substitution?.value != true
        }
        // Until the first of the eleven is named, the squad counts.
        let players = lineup.isEmpty ? squads.players(of: id) : lineup
        let keepers = lineup.filter { $0.lineup?.wicketkeeper?.value == true }
        return TeamInfo(
            id: String(id),
            name: SafeText.clean(team.name),
            abbreviation: team.code.map(SafeText.clean).flatMap { $0.isEmpty ? nil : $0 },
            players: players.map { Player(id: String($0.id), name: SafeText.clean($0.name ?? "Player \($0.id)")) },
            // With two marked keepers neither counts: the scorecard would show the wrong one.
            keeper: keepers.count == 1 ? String(keepers[0].id) : nil
        )
    }

    private func toss(_ people: SportmonksPeople) throws(AdapterError) -> Toss? {
        guard let winner = fixture.tossWonTeamId, let word = fixture.elected, !word.isEmpty else { return nil }
        let side = try people.side(winner, at: "data.toss_won_team_id")
        switch word.lowercased() {
        case "batting", "bat": return Toss(winner: side, decision: .bat)
        case "bowling", "bowl", "fielding", "field": return Toss(winner: side, decision: .field)
        default: throw .unknownWord(path: "data.elected", word: word)
        }
    }
}
