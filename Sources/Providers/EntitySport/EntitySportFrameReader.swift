// The frame of a match: sides, format, place and time, and how it ended.

internal import MatchEngine

/// Reads everything but innings and balls.
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
        guard match.teamA.id.whole != nil, match.teamB.id.whole != nil, match.teamA.id != match.teamB.id else {
            throw .outOfRange(path: "match:response.teama.team_id", expected: "two different teams")
        }
    }

    /// The frame.
    func info() throws(AdapterError) -> MatchInfo {
        MatchInfo(
            format: format,
            competition: match.competition?.title.map(FeedText.clean),
            season: match.competition?.season.map { FeedText.clean($0.characters) },
            isWomens: EntitySportFormat.isWomens(match),
            ballLimit: ballLimit,
            teams: [team(match.teamA), team(match.teamB)],
            venue: match.venue?.name.flatMap { $0.isEmpty ? nil : FeedText.clean($0) },
            startsAt: match.timestampStart?.whole.map(Int64.init),
            days: days,
            toss: try toss()
        )
    }

    /// The limit of the first innings where it is told; a cut chase has one of its own.
    ///
    /// Before there is an innings it is not known: a length assumed then would look like overs lost later.
    private var ballLimit: Int? {
        guard let first = match.innings?.first else { return nil }
        return format.ballLimit.map { first.limit(ballsPerOver: format.ballsPerOver) ?? $0 }
    }

    /// Days of a match are at most this many: five, a reserve day, and room.
    private static let daysMax: Int64 = 10

    private var days: [String] {
        let ends = [match.dateStart, match.dateEnd].map { $0.flatMap(FeedTime.seconds).map { $0 / 86_400 } }
        guard let first = ends[0] else { return [] }
        let last = min(max(first, ends[1] ?? first), first + Self.daysMax - 1)
        return (first...last).map(FeedTime.day)
    }

    private func team(_ team: EntitySportMatch.Team) -> TeamInfo {
        let squad = [squads?.teamA, squads?.teamB].compactMap(\.self).first { $0.teamID == team.id }
        let playing = squad?.playing ?? []
        // Days ahead nobody of the eleven is named: until somebody is, the squad is who may play.
        let players = (playing.isEmpty ? squad?.squads ?? [] : playing).prefix(EntitySportLimits.playersMax)
        let short = team.shortName.map(FeedText.clean)
        return TeamInfo(
            id: team.id.whole.map { String($0) } ?? "",
            name: FeedText.clean(team.name),
            abbreviation: short.flatMap { (2...4).contains($0.count) ? $0 : nil },
            players: players.compactMap { member in member.id.whole.map { people.player($0) } },
            keeper: playing.first { $0.role == "wk" || $0.role == "wkcap" }?.id.whole.map { String($0) }
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

    /// The side of a team's number; nil for one that does not play.
    func side(of team: Int?) -> Side? {
        guard let team else { return nil }
        return team == match.teamA.id.whole ? .first : team == match.teamB.id.whole ? .second : nil
    }

    /// How the match ended; nil while it has not, and when nobody can tell which side has won: then the balls tell.
    func result() -> ProviderResult? {
        guard match.status.whole == 2 else { return nil }
        let told = side(of: match.winningTeamID?.whole)
        guard let sentence = EntitySportStatus.sentence(of: match), let kind = sentence.kind else {
            return told.map { ProviderResult(kind: .won, winner: $0, playersOfMatch: honoured) }
        }
        let winner = kind.isWin || kind == .awarded ? sentence.winner(told: told) : nil
        if kind.isWin, winner == nil { return nil }
        let tieBreaker = kind == .tie ? told ?? sentence.tieBreakSide : nil
        return ProviderResult(
            kind: kind,
            winner: winner,
            method: sentence.method,
            tieBreakWinner: tieBreaker,
            tieBreak: tieBreaker == nil ? nil : sentence.tieBreak,
            playersOfMatch: honoured
        )
    }

    private var honoured: [String] {
        [match.manOfTheMatch?.name].compactMap { name in name.flatMap { $0.isEmpty ? nil : FeedText.clean($0) } }
    }
}

extension EntitySportInning {
    /// The balls that it may last: `20` or `8.4`, where what stands behind the point counts balls.
    func limit(ballsPerOver: Int) -> Int? {
        guard let overs = maxOver?.value, overs > 0, overs <= Double(EntitySportLimits.oversMax) else { return nil }
        let whole = overs.rounded(.down)
        let balls = ((overs - whole) * 10).rounded()
        return Int(whole) * ballsPerOver + Int(balls)
    }
}
