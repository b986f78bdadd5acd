// The winner is an id; the margin is only in a sentence.

internal import MatchEngine
internal import ScoreTypes

/// Reads the result of a fixture.
struct SportmonksOutcomeReader {
    let fixture: SportmonksFixture
    let people: SportmonksPeople
    let teams: [TeamInfo]
    let order: SportmonksInningsOrder

    /// The sentence with the result.
    var sentence: ResultSentence {
        ResultSentence(fixture.note ?? "", teams: teams.map(\.name), shortNames: teams.map(\.abbreviation))
    }

    /// The result; nil while the match is open, and when the winner is missing or contradicted: it follows from the
    /// balls then.
    func result() throws(AdapterError) -> ProviderResult? {
        let word = SportmonksStatus.word(fixture.status)
        if word == .abandoned { return result(.noResult, ResultSentence("")) }
        guard word == .result else { return nil }
        let sentence = self.sentence
        if let drawn = try withoutWinner() { return result(drawn, sentence) }
        var winner = try fixture.winnerTeamId.map { id throws(AdapterError) in
            try people.side(id, at: "data.winner_team_id")
        }
        if fixture.superOver?.value == true || sentence.kind == .tie { return tie(sentence, brokenBy: winner) }
        if winner == nil, let kind = sentence.kind {
            guard kind.isWin else { return result(kind, sentence, winner: sentence.winningSide) }
            winner = sentence.winningSide
        }
        guard let winner else { return nil }
        guard sentence.winner(reported: winner) != nil else { return nil }
        if sentence.winningSide == nil, sentence.kind != .awarded, totalsDeny(winner, sentence) { return nil }
        switch sentence.kind {
        case .runs, .wickets, .innings, .fewerWickets, .awarded:
            guard let kind = sentence.kind else { return nil }
            return result(kind, sentence, winner: winner)
        default: return result(.won, sentence, winner: winner)
        }
    }

    /// Whether the totals of a limited match without a revised target show the other side as winner.
    private func totalsDeny(_ winner: Side, _ sentence: ResultSentence) -> Bool {
        let isRevised =
            sentence.method != nil || fixture.rpcTarget != nil || fixture.rpcOvers != nil
            || fixture.localteamDlData?.score != nil || fixture.visitorteamDlData?.score != nil
        guard order.format.isLimitedOvers, !isRevised else { return false }
        let totals = (fixture.runs?.rows ?? []).filter { $0.inning == 1 || $0.inning == 2 }
        guard totals.count == 2, totals[0].teamId != totals[1].teamId, let one = totals[0].score,
            let other = totals[1].score, one != other
        else { return false }
        let most = one > other ? totals[0].teamId : totals[1].teamId
        return most != (winner == .first ? fixture.localteamId : fixture.visitorteamId)
    }

    private func withoutWinner() throws(AdapterError) -> ProviderResult.Kind? {
        guard let word = fixture.drawNoresult?.text, !word.isEmpty else { return nil }
        switch word.lowercased().filter({ $0.isLetter }) {
        case "draw", "drawn": return .draw
        case "noresult", "nr": return .noResult
        case "tie", "tied": return .tie
        // The flag is a boolean; the kind is in the sentence.
        case "true":
            guard let kind = ResultSentence(fixture.note ?? "").kind, kind == .draw || kind == .noResult else {
                throw .unknownWord(path: "data.draw_noresult", word: word)
            }
            return kind
        default: throw .unknownWord(path: "data.draw_noresult", word: word)
        }
    }

    private func tie(_ sentence: ResultSentence, brokenBy winner: Side?) -> ProviderResult {
        let named = sentence.tieBreakSide
        return ProviderResult(
            kind: .tie,
            method: sentence.method,
            tieBreakWinner: winner ?? named,
            tieBreak: (winner ?? named) == nil ? nil : sentence.tieBreak,
            playersOfMatch: playersOfMatch
        )
    }

    private func result(
        _ kind: ProviderResult.Kind,
        _ sentence: ResultSentence,
        winner: Side? = nil
    ) -> ProviderResult {
        ProviderResult(kind: kind, winner: winner, method: sentence.method, playersOfMatch: playersOfMatch)
    }

    private var playersOfMatch: [String] { fixture.manOfMatchId.map { [people.player($0).name] } ?? [] }
}
