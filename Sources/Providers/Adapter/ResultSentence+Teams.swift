// A team's name may have a separator of the sentence, such as `Hyderabad (India)`, so names are replaced first.

internal import MatchEngine

extension ResultSentence {
    /// Words that replace the names of the teams.
    private static let words = ["first", "second"]

    /// Reads a sentence about two teams; a winner is then a side.
    ///
    /// Full names are found anywhere, short ones only at the start: they may be part of other words.
    init(_ sentence: String, teams: [String], shortNames: [String?]) {
        var text = sentence
        let names = zip(teams, Self.words).filter { !$0.0.isEmpty }.sorted { $0.0.count > $1.0.count }
        for (name, word) in names { text = text.replacing(name, with: word) }
        for (name, word) in zip(shortNames, Self.words) {
            guard let name, !name.isEmpty, text.hasPrefix("\(name) ") else { continue }
            text = word + text.dropFirst(name.count)
        }
        self.init(text)
        winningSide = winner.flatMap { Self.side(named: $0, teams, shortNames) }
        tieBreakSide = tieBreakWinner.flatMap { Self.side(named: $0, teams, shortNames) }
    }

    /// The winner by a member of the reply and by the sentence; nil when they differ, or name none.
    func winner(reported: Side?) -> Side? {
        guard let reported, let winningSide else { return reported ?? winningSide }
        return reported == winningSide ? reported : nil
    }

    /// The side of a name in lower case: a team's whole name, or a beginning or an end that only one team has, such as
    /// `patriots` of `St Kitts and Nevis Patriots`.
    private static func side(named name: String, _ teams: [String], _ shortNames: [String?]) -> Side? {
        if let index = words.firstIndex(of: name) { return Side(rawValue: index) }
        let names = teams.map { $0.lowercased() }
        let shorts = shortNames.map { $0?.lowercased() }
        return only { names[$0] == name || shorts[$0] == name }
            ?? only { names[$0].hasPrefix("\(name) ") || names[$0].hasSuffix(" \(name)") }

        func only(_ isMeant: (Int) -> Bool) -> Side? {
            let found = names.indices.filter(isMeant)
            return found.count == 1 ? Side(rawValue: found[0]) : nil
        }
    }
}

extension ProviderResult {
    /// The result by a sentence and by the winner that a feed has in a member of its own.
    ///
    /// It is nil when both are missing, and when the winner of a win is unclear: the balls give the result then.
    init?(_ sentence: ResultSentence?, winner reported: Side?, playersOfMatch: [String] = []) {
        guard let sentence, let kind = sentence.kind else {
            guard let reported else { return nil }
            self.init(kind: .won, winner: reported, playersOfMatch: playersOfMatch)
            return
        }
        let winner = kind.isWin || kind == .awarded ? sentence.winner(reported: reported) : nil
        if kind.isWin, winner == nil { return nil }
        let tieBreaker = kind == .tie ? reported ?? sentence.tieBreakSide : nil
        self.init(
            kind: kind,
            winner: winner,
            method: sentence.method,
            tieBreakWinner: tieBreaker,
            tieBreak: tieBreaker == nil ? nil : sentence.tieBreak,
            playersOfMatch: playersOfMatch
        )
    }
}

extension ProviderResult.Kind {
    /// Whether one side has won by play, so that a result of this kind has a winner.
    var isWin: Bool {
        switch self {
        case .runs, .wickets, .innings, .fewerWickets, .won: true
        case .awarded, .tie, .draw, .noResult: false
        }
    }
}
