// Who won stands in numbers, by how much only in a sentence.

internal import MatchEngine

/// Reads the result of a fixture.
struct SportmonksOutcomeReader {
    let fixture: SportmonksFixture
    let people: SportmonksPeople
    let teams: [TeamInfo]

    /// The result; nil while the match is not over.
    func result() throws(AdapterError) -> ProviderResult? {
        let word = SportmonksStatus.word(fixture.status)
        if word == .abandoned { return result(.noResult, ResultSentence("")) }
        guard word == .result else { return nil }
        let sentence = ResultSentence(fixture.note ?? "")
        if let drawn = try withoutWinner() { return result(drawn, sentence) }
        let winner = try fixture.winnerTeamId.map { id throws(AdapterError) in
            try people.side(id, at: "data.winner_team_id")
        }
        if fixture.superOver?.value == true || sentence.kind == .tie { return tie(sentence, brokenBy: winner) }
        guard let winner else { return sentence.kind == .awarded ? result(.awarded, sentence) : nil }
        switch sentence.kind {
        case .runs, .wickets, .innings, .fewerWickets, .awarded:
            guard let kind = sentence.kind else { return nil }
            return result(kind, sentence, winner: winner)
        default: return result(.won, sentence, winner: winner)
        }
    }

    private func withoutWinner() throws(AdapterError) -> ProviderResult.Kind? {
        guard let word = fixture.drawNoresult?.text, !word.isEmpty else { return nil }
        switch word.lowercased().filter({ $0.isLetter }) {
        case "draw", "drawn": return .draw
        case "noresult", "nr": return .noResult
        case "tie", "tied": return .tie
        // Only a yes: the sentence has to say which.
        case "true":
            guard let kind = ResultSentence(fixture.note ?? "").kind, kind == .draw || kind == .noResult else {
                throw .unknownWord(path: "data.draw_noresult", word: word)
            }
            return kind
        default: throw .unknownWord(path: "data.draw_noresult", word: word)
        }
    }

    private func tie(_ sentence: ResultSentence, brokenBy winner: Side?) -> ProviderResult {
        let named = SportmonksPeople.side(named: sentence.tieBreakWinner, teams)
        return ProviderResult(
            kind: .tie,
            method: sentence.method,
            tieBreakWinner: winner ?? named,
            tieBreak: (winner ?? named) == nil ? nil : sentence.tieBreak,
            playersOfMatch: honoured
        )
    }

    private func result(
        _ kind: ProviderResult.Kind,
        _ sentence: ResultSentence,
        winner: Side? = nil
    ) -> ProviderResult {
        ProviderResult(kind: kind, winner: winner, method: sentence.method, playersOfMatch: honoured)
    }

    private var honoured: [String] { fixture.manOfMatchId.map { [people.player($0).name] } ?? [] }
}
