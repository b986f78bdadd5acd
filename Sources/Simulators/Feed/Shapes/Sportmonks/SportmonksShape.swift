// Any Cricsheet match in the format of Sportmonks' Cricket API v2.

import MatchEngine
import ScoreTypes

/// Serves `/scores`, `/livescores`, `/fixtures`, `/fixtures/{id}` and `/teams/{id}/squad/{season}`.
///
/// The format lacks some facts; the shape keeps the score right as follows:
/// - Penalty runs on a ball: a row of their own without a ball, `5 Penalty Runs`. Those before or after an innings
///   stand only in the extras of its scoreboard; the score at the fall of the first wicket shows which of the two they
///   were.
/// - A second wicket on a ball, and a way out that no score of the table joins with the runs of the ball: a row without
///   a ball, as retirements between balls are.
/// - Bat runs on a wide, which two recorded balls have, count as wides.
/// - A declaration and a forfeit have no name: in a match of two innings a side the next innings implies it; the last
///   innings is never declared.
/// - At most two fielders of a run out; a substitute is in the score's name, not named.
/// - The name of the method that revised a target stands only in the sentence of the result.
/// - An uncontested toss is one to bowl; reviews, replacements, powerplays that are no whole overs, and who bowled out
///   of turn are left out. None of them changes a score.
struct SportmonksShape: FeedShape {
    /// The required `api_token`; nil accepts all requests.
    let token: String?
    /// Whether includes stand inside `data`, as some replies have them, or bare.
    var wrapsIncludes = false
    private let scores = ShownScores()
    private let texts = ListTexts<SportmonksShownBall>()

    func answer(_ request: ShapeRequest, of matches: [ShownMatch]) -> ServedAnswer? {
        if let token, request.query["api_token"] != token {
            return ServedAnswer(status: 401, body: Array(#"{"message":"Unauthenticated."}"#.utf8))
        }
        let parts = request.segments
        let includes = Set((request.query["include"] ?? "").split(separator: ",").map(String.init))
        switch parts.first {
        case "scores" where parts.count == 1: return ServedAnswer(body: Self.scores())
        case "livescores" where parts.count == 1:
            return list(matches.filter(\.status.isInPlay), includes)
        case "fixtures" where parts.count == 1:
            let days = request.query["filter[starts_between]"]
            return list(matches.filter { Self.isWanted($0, between: days) }, includes)
        case "fixtures" where parts.count == 2:
            return matches.first { $0.id.text == parts[1] }.flatMap { one($0, includes) }
        case "teams" where parts.count == 4 && parts[2] == "squad":
            return matches.lazy.compactMap { squad(of: parts[1], in: parts[3], $0) }.first
        default: return nil
        }
    }

    /// The squad of a team; nil when it plays no such match in that season.
    private func squad(of team: String, in season: String, _ match: ShownMatch) -> ServedAnswer? {
        guard let writer = writer(match, []), season == String(writer.numbers.season),
            let side = Side.allCases.first(where: { String(writer.numbers.team($0)) == team })
        else { return nil }
        return ServedAnswer(body: JSONWriter.document { $0.object("data") { writer.writeSquad(of: side, to: &$0) } })
    }

    private func one(_ match: ShownMatch, _ includes: Set<String>) -> ServedAnswer? {
        guard let writer = writer(match, includes) else {
            return ServedAnswer(status: 500, body: Array(#"{"message":"This match cannot be shown."}"#.utf8))
        }
        return ServedAnswer(body: JSONWriter.document(reservingBytes: 512 * 1024) { $0.object("data", writer.write) })
    }

    private func list(_ matches: [ShownMatch], _ includes: Set<String>) -> ServedAnswer? {
        let writers = matches.compactMap { writer($0, includes) }
        return ServedAnswer(body: JSONWriter.document { $0.objects("data", writers) { $0.write(to: &$1) } })
    }

    private func writer(_ match: ShownMatch, _ includes: Set<String>) -> SportmonksWriter? {
        guard let score = scores.score(of: match), Self.canReport(score) else { return nil }
        return SportmonksWriter(
            match: match,
            score: score,
            numbers: ShapeNumbers(match.document),
            includes: includes,
            wraps: wrapsIncludes,
            texts: texts
        )
    }

    /// Whether the table has a score for each ball; a ball left out would be a silent lie.
    private static func canReport(_ score: ShownScore) -> Bool {
        score.snapshot.deliveries.allSatisfy { SportmonksBallRows.rows(of: $0, ballID: 1) != nil }
    }

    /// Whether the start lies between two days; the second is exclusive.
    private static func isWanted(_ match: ShownMatch, between days: String?) -> Bool {
        guard let ends = days?.split(separator: ",").map(String.init), ends.count == 2 else { return true }
        let day = String(ShapeTime.iso(match.startsAt).prefix(10))
        return ends[0] <= day && day < ends[1]
    }

    private static func scores() -> [UInt8] {
        JSONWriter.document(reservingBytes: 128 * 1024) { json in
            json.objects("data", SportmonksCatalogue.shared.entries) { $0.write(to: &$1) }
        }
    }
}
