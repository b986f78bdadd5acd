// The match without its innings and balls: teams, format, venue, time and result.

internal import MatchEngine
internal import ScoreTypes

/// Reads the match without its innings and balls.
struct EntitySportFrameReader {
    let match: EntitySportMatch
    let squads: EntitySportSquads?
    let people: EntitySportPeople
    let format: Format

    init(_ match: EntitySportMatch, squads: EntitySportSquads?, people: EntitySportPeople) throws(AdapterError) {
        self.match = match
        self.squads = squads
        self.people = people
        format = try EntitySportFormat.format(of: match)
        guard match.teama.teamId.whole != nil, match.teamb.teamId.whole != nil, match.teama.teamId != match.teamb.teamId
        else {
            throw .outOfRange(path: "match:response.teama.team_id", expected: "two different teams")
        }
    }

    /// The match information.
    func info() throws(AdapterError) -> MatchInfo {
        MatchInfo(
            format: format,
            competition: match.competition?.title.map(SafeText.clean),
            season: match.competition?.season.map { SafeText.clean($0.characters) },
            isWomens: EntitySportFormat.isWomens(match),
            ballLimit: ballLimit,
            teams: [team(match.teama), team(match.teamb)],
            venue: match.venue?.name.flatMap { $0.isEmpty ? nil : SafeText.clean($0) },
            startsAt: match.timestampStart?.whole.map(Int64.init),
            days: days,
            toss: try toss()
        )
    }

    /// The limit of the first innings where the reply has it; a shortened chase has its own limit.
    ///
    /// It is unknown before the first innings: a length assumed then would later look like lost overs.
    private var ballLimit: Int? {
        guard let first = match.innings?.first else { return nil }
        return format.ballLimit.map { first.limit(ballsPerOver: format.ballsPerOver) ?? $0 }
    }

    private var days: [String] {
        let ends = [match.dateStart, match.dateEnd].map { $0.flatMap(ISO8601.seconds).map { $0 / 86_400 } }
        guard let first = ends[0] else { return [] }
        let last = min(max(first, ends[1] ?? first), first + AdapterLimits.days - 1)
        return (first...last).map(ISO8601.day)
    }

    private func team(_ team: EntitySportMatch.Team) -> TeamInfo {
        let squad = [squads?.teama, squads?.teamb].compactMap(\.self).first { $0.teamId == team.teamId }
        let playing = squad?.playing ?? []
        // Until the first of the eleven is named, the squad counts.
        let players = (playing.isEmpty ? squad?.squads ?? [] : playing).prefix(AdapterLimits.people)
        let short = team.shortName.map(SafeText.clean)
        return TeamInfo(
            id: team.teamId.whole.map { String($0) } ?? "",
            name: SafeText.clean(team.name),
            abbreviation: short.flatMap { (2...4).contains($0.count) ? $0 : nil },
            players: players.compactMap { member in member.playerId.whole.map { people.player($0) } },
            keeper: playing.first { $0.role == "wk" || $0.role == "wkcap" }?.playerId.whole.map { String($0) }
        )
    }

    private func toss() throws(AdapterError) -> Toss? {
        guard let toss = match.toss, let winner = toss.winner?.whole, winner != 0, let word = toss.decision?.whole,
            word != 0
        else { return nil }
        guard let side = side(of: winner) else {
            throw .contradiction(path: "match:response.toss.winner", expected: "one of the two teams")
        }
        switch word {
        case 1: return Toss(winner: side, decision: .bat)
        case 2: return Toss(winner: side, decision: .field)
        default: throw .unknownWord(path: "match:response.toss.decision", word: String(word))
        }
    }

    /// The side of a team id; nil for a team of another match.
    func side(of team: Int?) -> Side? {
        guard let team else { return nil }
        return team == match.teama.teamId.whole ? .first : team == match.teamb.teamId.whole ? .second : nil
    }

    /// The result; nil while the match is open, and when the winner is unclear: the result follows from the balls then.
    func result() -> ProviderResult? {
        guard match.status.whole == 2 else { return nil }
        return ProviderResult(
            EntitySportStatus.sentence(of: match),
            winner: side(of: match.winningTeamId?.whole),
            playersOfMatch: playersOfMatch
        )
    }

    private var playersOfMatch: [String] {
        [match.manOfTheMatch?.name].compactMap { name in name.flatMap { $0.isEmpty ? nil : SafeText.clean($0) } }
    }
}

extension EntitySportInning {
    /// The limit of the innings in balls, from overs such as `20` or `8.4`, whose decimal counts balls.
    func limit(ballsPerOver: Int) -> Int? {
        guard let overs = maxOver?.value, overs > 0 else { return nil }
        return try? AdapterError.balls(ofOvers: overs, ballsPerOver: ballsPerOver, at: "max_over")
    }
}
