// The frame of a fixture: teams, kind of cricket, toss, place and time.

internal import MatchEngine

/// Reads what stands on the fixture itself.
struct SportmonksFrame {
    let fixture: SportmonksFixture
    var squads = SportmonksSquads()

    /// The kind of cricket by the provider's word.
    static func format(_ word: String) -> Format? {
        switch word.lowercased() {
        case "t20": .t20
        case "t20i": .t20i
        case "odi": .odi
        case "t10": .t10
        case "test", "test/5day", "5day": .test
        case "4day", "3day": .firstClass
        case "list a": .listA
        case "100-ball", "100 ball": .hundred
        default: nil
        }
    }

    /// The kind of cricket; it decides how everything else is read.
    func format() throws(AdapterError) -> Format {
        guard let format = Self.format(fixture.type) else {
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
            competition: fixture.league?.thing.name.map(FeedText.clean),
            season: fixture.season?.thing.name.map(FeedText.clean),
            isWomens: teams.allSatisfy { $0.name.lowercased().hasSuffix("women") },
            ballLimit: try ballLimit(format),
            teams: teams,
            venue: fixture.venue?.thing.name.map(FeedText.clean),
            startsAt: fixture.startingAt.flatMap(FeedTime.seconds),
            days: fixture.startingAt.map { [FeedText.clean(String($0.prefix(10)))] } ?? [],
            toss: try toss(people)
        )
    }

    /// The limit by the kind of cricket, unless the fixture has a shorter one without a target of its own.
    private func ballLimit(_ format: Format) throws(AdapterError) -> Int? {
        guard let usual = format.ballLimit, fixture.rpcTarget == nil, let overs = fixture.rpcOvers else {
            return format.ballLimit
        }
        let balls = try SportmonksOvers.balls(overs, ballsPerOver: format.ballsPerOver, at: "data.rpc_overs")
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
        // Until somebody of the side is named, the squad is who may play.
        let players = lineup.isEmpty ? squads.players(of: id) : lineup
        let keepers = lineup.filter { $0.lineup?.wicketkeeper?.value == true }
        return TeamInfo(
            id: String(id),
            name: FeedText.clean(team.name),
            abbreviation: team.code.map(FeedText.clean).flatMap { $0.isEmpty ? nil : $0 },
            players: players.map { Player(id: String($0.id), name: FeedText.clean($0.name ?? "Player \($0.id)")) },
            // Two gloves are none: the card would mark the wrong one.
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
