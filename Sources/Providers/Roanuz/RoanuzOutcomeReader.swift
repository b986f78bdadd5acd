// The winner is a side, the kind of result a value, the margin a sentence.

internal import MatchEngine

/// Reads the result of a match.
struct RoanuzOutcomeReader {
    let match: RoanuzMatch
    let teams: [TeamInfo]
    let people: RoanuzPeople
    /// The second innings of a limited match.
    let chase: RoanuzChase?

    /// The result; nil while the match is open, and for a margin without a winner: it follows from the balls then.
    func result() throws(AdapterError) -> ProviderResult? {
        guard let given = match.play?.result else { return nil }
        let sentence = ResultSentence(
            given.msg ?? "",
            teams: teams.map(\.name),
            shortNames: teams.map(\.abbreviation)
        )
        let side = try given.winner.flatMap { letter throws(AdapterError) -> Side? in
            if letter.isEmpty { return nil }
            guard let side = Side(roanuz: letter) else {
                throw .unknownWord(path: "data.play.result.winner", word: letter)
            }
            return side
        }
        let playersOfMatch = (given.pom ?? []).prefix(20).map { people.player($0).name }
        if isTie(given.resultType, sentence) {
            let winner = side ?? sentence.tieBreakSide ?? sentence.winningSide
            return ProviderResult(
                kind: .tie,
                method: sentence.method,
                tieBreakWinner: winner,
                tieBreak: winner == nil ? nil : sentence.tieBreak ?? Self.tieBreak(given.resultType),
                playersOfMatch: playersOfMatch
            )
        }
        let winner = side ?? (Self.withoutWinner(given.resultType) == nil ? sentence.winningSide : nil)
        guard let kind = kind(given.resultType, sentence, hasWinner: winner != nil) else { return nil }
        return ProviderResult(kind: kind, winner: winner, method: sentence.method, playersOfMatch: playersOfMatch)
    }

    /// The provider reports level scores in limited matches as a draw, too.
    private func isTie(_ word: String?, _ sentence: ResultSentence) -> Bool {
        switch word {
        case "tie", "tied", "tie_breaker": true
        case "draw", "drawn": sentence.kind == .tie || chase?.isLevel == true
        default: sentence.kind == .tie
        }
    }

    /// The tie-break when no sentence reports it; nil when the rules of the match's date decide.
    private static func tieBreak(_ word: String?) -> String? { word == "tie_breaker" ? "superOver" : nil }

    private func kind(_ word: String?, _ sentence: ResultSentence, hasWinner: Bool) -> ProviderResult.Kind? {
        if hasWinner {
            switch sentence.kind {
            case .runs, .wickets, .innings, .fewerWickets, .awarded: return sentence.kind
            default: return word == "awarded" ? .awarded : .won
            }
        }
        if let kind = Self.withoutWinner(word) { return kind }
        switch sentence.kind {
        case .draw, .noResult, .awarded: return sentence.kind
        default: return word == "awarded" ? .awarded : nil
        }
    }

    private static func withoutWinner(_ word: String?) -> ProviderResult.Kind? {
        switch word {
        case "draw", "drawn": .draw
        case "no_result", "noresult", "abandoned", "canceled": .noResult
        default: nil
        }
    }
}
