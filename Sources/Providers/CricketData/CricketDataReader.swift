// The provider has totals only; no ball, batter or wicket is invented.

internal import MatchEngine
internal import ScoreTypes

/// Reads one match.
struct CricketDataReader {
    let match: CricketDataMatch
    private let format: Format

    init(_ match: CricketDataMatch) throws(AdapterError) {
        guard match.teams.count == 2, match.teams[0] != match.teams[1] else {
            throw .outOfRange(path: "match:data.teams", expected: "two different teams")
        }
        self.match = match
        guard let word = match.matchType, !word.isEmpty else { throw .missing(path: "match:data.matchType") }
        guard let format = Format(word: word) else { throw .unknownWord(path: "match:data.matchType", word: word) }
        self.format = format
    }

    /// The match so far.
    func snapshot() throws(AdapterError) -> MatchSnapshot {
        let innings = try innings()
        let status = CricketDataStatus.status(of: match, hasBalls: innings.contains { $0.reported?.isBegun == true })
        return MatchSnapshot(
            info: MatchInfo(
                format: format,
                isWomens: match.teams.allSatisfy { $0.hasSuffix(" Women") },
                ballLimit: format.ballLimit,
                teams: match.teams.map(team),
                venue: match.venue.map(SafeText.clean),
                startsAt: startsAt,
                days: match.date.map { [SafeText.clean($0)] } ?? [],
                toss: toss
            ),
            innings: innings,
            status: status,
            result: result(status.status)
        ).awaitingResult(revisedBy: CricketDataStatus.sentence(of: match)?.method)
    }

    /// Start of play; the reply gives it in UTC without a zone.
    var startsAt: Int64? { match.dateTimeGMT.flatMap(ISO8601.seconds) }

    private func team(_ name: String) -> TeamInfo {
        let short = match.teamInfo?.first { $0.name == name }?.shortname.map(SafeText.clean)
        let cleaned = SafeText.clean(name)
        return TeamInfo(
            id: cleaned,
            name: cleaned,
            abbreviation: short.flatMap { (2...4).contains($0.count) ? $0 : nil }
        )
    }

    private var toss: Toss? {
        guard let winner = match.tossWinner.flatMap(side) else { return nil }
        switch match.tossChoice?.lowercased() {
        case "bat": return Toss(winner: winner, decision: .bat)
        case "bowl", "field": return Toss(winner: winner, decision: .field)
        default: return nil
        }
    }

    /// The side of a name in any case; nil for a team of another match.
    private func side(_ name: String) -> Side? {
        let name = name.lowercased()
        if let index = match.teams.firstIndex(where: { $0.lowercased() == name }) { return Side(rawValue: index) }
        let short = match.teamInfo?.first { $0.shortname?.lowercased() == name }?.name
        return short.flatMap { short in match.teams.firstIndex(of: short) }.flatMap(Side.init)
    }

    // MARK: Innings

    private func innings() throws(AdapterError) -> [InningsInfo] {
        let totals = match.score ?? []
        try AdapterError.check(totals, atMost: AdapterLimits.innings, at: "match:data.score")
        var found: [InningsInfo] = []
        for (index, total) in totals.enumerated() {
            let path = "match:data.score[\(index)]"
            guard let batting = side(Self.name(in: total.inning)) else {
                throw .contradiction(path: "\(path).inning", expected: "the name of one of the two teams")
            }
            let isLast = index == totals.count - 1
            found.append(
                InningsInfo(
                    ordinal: index + 1,
                    batting: batting,
                    // No limited match has a third innings: it is a super over.
                    superOver: format.isLimitedOvers && index > 1 ? index / 2 : nil,
                    isClosed: !isLast || CricketDataStatus.isInningsBreak(match),
                    reported: try reported(total, at: path)
                )
            )
        }
        return found
    }

    private func reported(_ total: CricketDataMatch.Total, at path: String) throws(AdapterError) -> ReportedTotal {
        ReportedTotal(
            runs: try AdapterError.check(total.runs.whole, in: 0...AdapterLimits.runsOfInnings, at: "\(path).r"),
            wickets: try AdapterError.check(total.wickets.whole, in: 0...RuleSet.lastWicket, at: "\(path).w"),
            balls: try AdapterError.balls(
                ofOvers: total.overs.value,
                ballsPerOver: format.ballsPerOver,
                at: "\(path).o"
            )
        )
    }

    /// The team in a title such as `England Women Inning 1`.
    private static func name(in title: String) -> String {
        guard let mark = title.lowercased().ranges(of: " inning").last else { return title }
        let lowercased = title.lowercased()
        return String(title.prefix(lowercased.distance(from: lowercased.startIndex, to: mark.lowerBound)))
    }

    // MARK: Result

    private func result(_ status: MatchStatus) -> ProviderResult? {
        guard status.isFinal else { return nil }
        let sentence = CricketDataStatus.sentence(of: match)
        // Without a sentence only a match with a result has a winner.
        let winner = sentence?.kind != nil || status == .result ? match.matchWinner.flatMap(side) : nil
        return ProviderResult(sentence, winner: winner)
    }
}
