// A team's name may hold what a sentence is parted by, as `Hyderabad (India)` does; so names are taken out first.

internal import MatchEngine

extension ResultSentence {
    /// Words that stand for the teams once their names are taken out.
    private static let words = ["first", "second"]

    /// Reads a sentence about two teams; a winner is then a side.
    ///
    /// Whole names are found anywhere, further ones only in front: short names may be part of other words.
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

    /// Who has won by a field of the feed's own and by the sentence; nil when they name two sides, or none.
    func winner(told: Side?) -> Side? {
        guard let told, let winningSide else { return told ?? winningSide }
        return told == winningSide ? told : nil
    }

    /// The side that a name in lower case means: all of a team's name, or what one of them alone begins or ends with,
    /// as `patriots` does for `St Kitts and Nevis Patriots`.
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
    /// It is nil when both are missing, and when the winner of a win is unclear: the result follows from the balls then.
    init?(_ sentence: ResultSentence?, winner reported: Side?, playersOfMatch: [String] = []) {
        guard let sentence, let kind = sentence.kind else {
            guard let reported else { return nil }
            self.init(kind: .won, winner: reported, playersOfMatch: playersOfMatch)
            return
        }
        let winner = kind.isWin || kind == .awarded ? sentence.winner(told: reported) : nil
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
    /// Whether one side has won by playing, so that a result of this kind has a winner.
    var isWin: Bool {
        switch self {
        case .runs, .wickets, .innings, .fewerWickets, .won: true
        case .awarded, .tie, .draw, .noResult: false
        }
    }
}
