// The frame of a match: teams, kind of cricket, toss, place and time.

internal import MatchEngine

/// Reads what stands on the match itself.
struct RoanuzFrame {
    /// Most names of one side.
    private static let namesMax = 100

    let match: RoanuzMatch

    func info() throws(AdapterError) -> MatchInfo {
        let teams = try teams()
        let format = try format()
        let startsAt = match.startAt.flatMap { Int64(exactly: $0.value.rounded()) }
        return MatchInfo(
            format: format,
            competition: match.tournament?.name.map(FeedText.clean),
            isWomens: match.gender == "female",
            ballLimit: try ballLimit(format),
            teams: teams,
            venue: match.venue?.name.map(FeedText.clean),
            startsAt: startsAt,
            days: startsAt.map { [FeedTime.day($0 / 86_400)] } ?? [],
            toss: try toss()
        )
    }

    /// The list's view of the kind of cricket; nil where it needs what lists do not have.
    func formatIfKnown() -> Format? { try? format() }

    /// One word stands for internationals and for leagues; the sides tell which.
    private func format() throws(AdapterError) -> Format {
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

    /// Whether nations play.
    ///
    /// They are those of a match of the International Cricket Council, or have a country and are well known, or have
    /// its code for a key; the key need not be it: South Africa is `rsa`, and its country `ZAF`.
    private var isInternational: Bool {
        guard let sides = match.teams else { return false }
        let teams = Side.allCases.map { TeamInfo(id: sides[$0].key, name: FeedText.clean(sides[$0].name)) }
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
            guard names.count <= Self.namesMax else {
                throw .outOfRange(path: "data.squad", expected: "at most \(Self.namesMax) players a side")
            }
            let people = RoanuzPeople(match)
            return TeamInfo(
                id: FeedText.clean(team.key),
                name: FeedText.clean(team.name),
                abbreviation: team.code.map(FeedText.clean).flatMap { $0.isEmpty ? nil : $0 },
                players: names.map(people.player),
                keeper: squad?.keeper.map(FeedText.clean).flatMap { $0.isEmpty ? nil : $0 }
            )
        }
    }

    /// Legal balls of an innings: of a cut match those that it was cut to.
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
        guard overs.count <= 2, (0...9_999).contains(overs[0]), (0...20).contains(rest) else {
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
struct RoanuzPeople: Sendable {
    private let known: [String: Player]
    private let elevens: Set<String>

    init(_ match: RoanuzMatch) {
        known = Dictionary(
            uniqueKeysWithValues: (match.players ?? [:]).map { key, entry in
                (key, Player(id: FeedText.clean(key), name: FeedText.clean(entry.player?.name ?? key)))
            }
        )
        elevens = Set(Side.allCases.flatMap { match.squad?[$0].eleven ?? [] })
    }

    /// A person; one whom nothing names is called by key until something does.
    func player(_ key: String) -> Player {
        known[key] ?? Player(id: FeedText.clean(key), name: FeedText.clean(key))
    }

    /// A person who may not be given; nobody has an empty id.
    func player(ifGiven key: String?) -> Player { key.map(player) ?? Player(id: "", name: "") }

    /// Whether somebody fields for another: he or she is in neither eleven, once those are known, and replaces nobody.
    func isSubstitute(_ key: String) -> Bool { !elevens.isEmpty && !elevens.contains(key) }
}
