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
    }

    /// The side that the sentence names as winner.
    var winningSide: Side? { winner.flatMap(Self.words.firstIndex).flatMap(Side.init) }

    /// The side that the sentence names as winner of what broke the tie.
    var tieBreakSide: Side? { tieBreakWinner.flatMap(Self.words.firstIndex).flatMap(Side.init) }
}
