// Who won stands as a side, how as a word, by how much in a sentence.

internal import MatchEngine

/// Reads the result of a match.
struct RoanuzOutcomeReader {
    let match: RoanuzMatch
    let teams: [TeamInfo]
    let people: RoanuzPeople

    /// The result; nil while the match is open.
    func result() throws(AdapterError) -> ProviderResult? {
        guard let given = match.play?.result else { return nil }
        let sentence = ResultSentence(given.msg ?? "")
        let winner = try given.winner.flatMap { letter throws(AdapterError) -> Side? in
            if letter.isEmpty { return nil }
            guard let side = Side(roanuz: letter) else {
                throw .unknownWord(path: "data.play.result.winner", word: letter)
            }
            return side
        }
        let honoured = (given.pom ?? []).prefix(20).map { people.player($0).name }
        if sentence.kind == .tie || given.resultType == "tie" || given.resultType == "tied" {
            let named = sentence.tieBreakWinner.flatMap { name in
                teams.firstIndex { $0.name.lowercased() == name }.flatMap(Side.init)
            }
            return ProviderResult(
                kind: .tie,
                method: sentence.method,
                tieBreakWinner: winner ?? named,
                tieBreak: (winner ?? named) == nil ? nil : sentence.tieBreak,
                playersOfMatch: honoured
            )
        }
        guard let kind = kind(given.resultType, sentence, hasWinner: winner != nil) else { return nil }
        return ProviderResult(kind: kind, winner: winner, method: sentence.method, playersOfMatch: honoured)
    }

    private func kind(_ word: String?, _ sentence: ResultSentence, hasWinner: Bool) -> ProviderResult.Kind? {
        if hasWinner {
            switch sentence.kind {
            case .runs, .wickets, .innings, .fewerWickets, .awarded: return sentence.kind
            default: return .won
            }
        }
        switch word {
        case "draw", "drawn": return .draw
        case "no_result", "noresult", "abandoned", "canceled": return .noResult
        case "awarded": return .awarded
        default: return sentence.kind == .won ? nil : sentence.kind
        }
    }
}
