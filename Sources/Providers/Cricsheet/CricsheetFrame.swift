// The match information; Cricsheet spreads the format over four members.

internal import MatchEngine
internal import ScoreTypes

/// Reads `info`.
struct CricsheetFrame {
    let info: MatchInfo

    init(_ document: CricsheetDocument, sides: CricsheetSides) throws(AdapterError) {
        let source = document.info
        let ballsPerOver = try AdapterError.check(
            source.ballsPerOver ?? RuleSet.usualBallsPerOver,
            in: RuleSet.ballsPerOverRange,
            at: "info.balls_per_over"
        )
        try AdapterError.check(source.overs ?? 1, in: 1...AdapterLimits.overs, at: "info.overs")
        let format = Self.format(of: source, ballsPerOver: ballsPerOver)
        info = MatchInfo(
            format: format,
            competition: source.event?.name.map(SafeText.clean),
            season: source.season.map { SafeText.clean($0.characters) },
            isWomens: source.gender == "female",
            ballsPerOver: ballsPerOver,
            ballLimit: Self.ballLimit(of: format, overs: source.overs, ballsPerOver: ballsPerOver),
            teams: try Self.teams(of: source, sides: sides),
            venue: source.venue.map(SafeText.clean),
            startsAt: document.live?.startsAt,
            days: (source.dates ?? []).map(SafeText.clean),
            toss: try Self.toss(of: source, sides: sides)
        )
    }

    private static func format(of info: CricsheetInfo, ballsPerOver: Int) -> Format {
        switch info.matchType {
        case "Test": .test
        case "MDM": .firstClass
        case "ODI": .odi
        case "ODM": .listA
        case "IT20": .t20
        case "T20": shortFormat(of: info, ballsPerOver: ballsPerOver)
        default: formatByLength(of: info)
        }
    }

    private static func shortFormat(of info: CricsheetInfo, ballsPerOver: Int) -> Format {
        if ballsPerOver == Format.hundred.ballsPerOver || info.event?.name?.hasPrefix("The Hundred") == true {
            return .hundred
        }
        if let overs = info.overs, overs <= 10 { return .t10 }
        return info.teamType == "international" ? .t20i : .t20
    }

    /// The format of an unknown match type: that whose innings has about the same length.
    private static func formatByLength(of info: CricsheetInfo) -> Format {
        switch info.overs {
        case nil: .firstClass
        case .some(...10): .t10
        case .some(...25): .t20
        default: .listA
        }
    }

    /// One published T20 file has 50 overs, so the rules of the format bound the value.
    private static func ballLimit(of format: Format, overs: Int?, ballsPerOver: Int) -> Int? {
        switch format {
        case .test, .firstClass, .hundred: format.ballLimit
        case .t20, .t20i, .t10: format.oversPerInnings.map { min(overs ?? $0, $0) * ballsPerOver }
        case .odi, .listA: format.oversPerInnings.map { (overs ?? $0) * ballsPerOver }
        }
    }

    private static func teams(of info: CricsheetInfo, sides: CricsheetSides) throws(AdapterError) -> [TeamInfo] {
        try sides.names.map { name throws(AdapterError) in
            let players = info.players?[name] ?? []
            try AdapterError.check(players, atMost: AdapterLimits.names, at: "info.players")
            let cleaned = SafeText.clean(name)
            return TeamInfo(id: cleaned, name: cleaned, players: players.map(sides.player))
        }
    }

    private static func toss(of info: CricsheetInfo, sides: CricsheetSides) throws(AdapterError) -> Toss? {
        guard let toss = info.toss else { return nil }
        let winner = try sides.side(toss.winner, at: "info.toss.winner")
        if toss.uncontested == true { return Toss(winner: winner, decision: .uncontested) }
        switch toss.decision {
        case "bat": return Toss(winner: winner, decision: .bat)
        case "field": return Toss(winner: winner, decision: .field)
        default: throw .wrongForm(path: "info.toss.decision", expected: "bat or field")
        }
    }
}
