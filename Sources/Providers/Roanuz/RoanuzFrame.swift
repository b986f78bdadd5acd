// The match information: teams, format, toss, venue and time.

internal import MatchEngine
internal import ScoreTypes

/// Reads the match information.
struct RoanuzFrame {
    let match: RoanuzMatch

    func info() throws(AdapterError) -> MatchInfo {
        let teams = try teams()
        let format = try format()
        let startsAt = match.startAt.flatMap { Int64(exactly: $0.value.rounded()) }
        return MatchInfo(
            format: format,
            competition: match.tournament?.name.map(SafeText.clean),
            isWomens: match.gender == "female",
            ballLimit: try ballLimit(format),
            teams: teams,
            venue: match.venue?.name.map(SafeText.clean),
            startsAt: startsAt,
            days: startsAt.map { [ISO8601.day($0 / 86_400)] } ?? [],
            toss: try toss()
        )
    }

    /// Internationals and leagues have one value; the teams decide.
    func format() throws(AdapterError) -> Format {
        guard let word = match.format else { throw .missing(path: "data.format") }
        switch word {
        case "test": return .test
        case "first_class": return .firstClass
        case "oneday": return isInternational ? .odi : .listA
        case "t20": return isInternational ? .t20i : .t20
        case "t10", "60-ball": return .t10
        case "100-ball", "hundred": return .hundred
        default: throw .unknownWord(path: "data.format", word: word)
        }
    }

    /// Whether the teams are nations.
    ///
    /// The match is one of the International Cricket Council, or the teams have a country and are well known, or have
    /// its code as key; the key may differ: South Africa is `rsa`, its country `ZAF`.
    private var isInternational: Bool {
        guard let sides = match.teams else { return false }
        let teams = Side.allCases.map { TeamInfo(id: sides[$0].key, name: SafeText.clean(sides[$0].name)) }
        guard !teams.contains(where: \.isLesserSide) else { return false }
        if match.association?.code == "ICC" { return true }
        return zip(Side.allCases, teams).allSatisfy { side, team in
            guard let country = sides[side].countryCode?.lowercased(), !country.isEmpty else { return false }
            return team.isNation || [country, country + "_w", country + "w"].contains(team.id.lowercased())
        }
    }

    func teams() throws(AdapterError) -> [TeamInfo] {
        guard let teams = match.teams else { throw .missing(path: "data.teams") }
        return try Side.allCases.map { side throws(AdapterError) in
            let team = teams[side]
            let squad = match.squad?[side]
            let names = squad?.players ?? []
            try AdapterError.check(names, atMost: AdapterLimits.names, at: "data.squad")
            let people = RoanuzPeople(match)
            return TeamInfo(
                id: SafeText.clean(team.key),
                name: SafeText.clean(team.name),
                abbreviation: team.code.map(SafeText.clean).flatMap { $0.isEmpty ? nil : $0 },
                players: names.map(people.player),
                keeper: squad?.keeper.map(SafeText.clean).flatMap { $0.isEmpty ? nil : $0 }
            )
        }
    }

    /// Legal balls of an innings; in a shortened match the shortened number.
    private func ballLimit(_ format: Format) throws(AdapterError) -> Int? {
        guard format.isLimitedOvers else { return nil }
        if let reduced = match.play?.reducedOvers, !reduced.isEmpty {
            return try balls(reduced, format.ballsPerOver, at: "data.play.reduced_overs")
        }
        if let overs = match.play?.oversPerInnings, !overs.isEmpty {
            return try balls(overs, format.ballsPerOver, at: "data.play.overs_per_innings")
        }
        return format.ballLimit
    }

    private func balls(_ overs: [Int], _ ballsPerOver: Int, at path: String) throws(AdapterError) -> Int? {
        let rest = overs.count > 1 ? overs[1] : 0
        guard overs.count <= 2, (0...AdapterLimits.overs).contains(overs[0]), (0...20).contains(rest) else {
            throw .outOfRange(path: path, expected: "overs and balls")
        }
        let count = overs[0] * ballsPerOver + rest
        return count > 0 ? count : nil
    }

    private func toss() throws(AdapterError) -> Toss? {
        guard let winner = match.toss?.winner, let word = match.toss?.elected else { return nil }
        guard let side = Side(roanuz: winner) else {
            throw .unknownWord(path: "data.toss.winner", word: winner)
        }
        switch word {
        case "bat": return Toss(winner: side, decision: .bat)
        case "bowl", "field": return Toss(winner: side, decision: .field)
        default: throw .unknownWord(path: "data.toss.elected", word: word)
        }
    }
}

/// The people of a match by their keys.
struct RoanuzPeople: Sendable, Hashable {
    private let known: [String: Player]
    private let elevens: Set<String>

    init(_ match: RoanuzMatch) {
        known = Dictionary(
            uniqueKeysWithValues: (match.players ?? [:]).map { key, entry in
                (key, Player(id: SafeText.clean(key), name: SafeText.clean(entry.player?.name ?? key)))
            }
        )
        elevens = Set(Side.allCases.flatMap { match.squad?[$0].eleven ?? [] })
    }

    /// A person; without a name the key is the name.
    func player(_ key: String) -> Player {
        known[key] ?? Player(id: SafeText.clean(key), name: SafeText.clean(key))
    }

    /// A person; an empty id and name for nil.
    func player(ifGiven key: String?) -> Player { key.map(player) ?? Player(id: "", name: "") }

    /// Whether a fielder is a substitute: in neither eleven, once both are known, and no replacement.
    func isSubstitute(_ key: String) -> Bool { !elevens.isEmpty && !elevens.contains(key) }
}
