// Most providers report the margin of a win in a sentence only, in much the same words (cricket.md C.9).

internal import MatchEngine
internal import ScoreTypes

/// The result in a sentence such as `India won by 6 wickets (D/L method)`.
struct ResultSentence: Sendable, Hashable {
    /// How the match ended; nil when the sentence is no result.
    private(set) var kind: ProviderResult.Kind?
    /// The name before `won` or after `awarded to`, in lower case.
    private(set) var winner: String?
    /// The method as written, such as `D/L`, `DLS` or `VJD`.
    private(set) var method: String?
    /// The name of the winner of what broke the tie, in lower case.
    private(set) var tieBreakWinner: String?
    /// `superOver`, `bowlOut` or `boundaryCount`.
    private(set) var tieBreak: String?
    /// The side of the winner; nil unless the sentence was read with the teams.
    var winningSide: Side?
    /// The side of the winner of what broke the tie.
    var tieBreakSide: Side?

    /// Reads a sentence; all is nil for one of another form.
    init(_ sentence: String) {
        let text = String(sentence.prefix(AdapterLimits.sentence))
        method = Self.method(in: text)
        let words = Self.trimmed(text.lowercased())
        guard !words.isEmpty else { return }
        if words.hasPrefix("match tied") || words == "tied" || words.hasPrefix("tie ") || words == "tie" {
            kind = .tie
            readTieBreak(words)
        } else if words.hasPrefix("match drawn") || words == "draw" || words == "drawn" {
            kind = .draw
        } else if words.hasPrefix("no result") || words.hasPrefix("match abandoned") {
            kind = .noResult
        } else if let (_, name) = Self.halves(of: words, at: "awarded to ") {
            (kind, winner) = (.awarded, Self.trimmed(name))
        } else {
            readWin(words)
            kind = kind ?? Self.withoutWinner(words)
        }
    }

    /// The kind of a result without a winner, in freer words; a sentence about a day or a session has none.
    private static func withoutWinner(_ words: String) -> ProviderResult.Kind? {
        let parts = words.split { !$0.isLetter }
        guard !parts.contains("day"), !parts.contains("session") else { return nil }
        let text = " \(parts.joined(separator: " ")) "
        return endings.first { text.contains(" \($0.0) ") }?.1
    }

    private static let endings: [(String, ProviderResult.Kind)] = [
        ("match tied", .tie), ("in a tie", .tie), ("match drawn", .draw), ("in a draw", .draw),
        ("no result", .noResult), ("without result", .noResult), ("without a result", .noResult),
        ("abandoned", .noResult), ("called off", .noResult), ("washed out", .noResult), ("no play", .noResult),
        ("cancelled", .noResult), ("canceled", .noResult),
    ]

    private mutating func readWin(_ words: String) {
        guard let (name, behind) = Self.halves(of: words, at: " won") else { return }
        // Parentheses have the balls left, or the method.
        let rest = behind.prefix { $0 != "(" }
        // The winner of the toss has not won the match.
        guard !rest.hasPrefix(" the toss") else { return }
        winner = name
        let parts = rest.split(whereSeparator: { $0 == " " || $0 == "." || $0 == "," }).map(String.init)
        kind = .won
        guard parts.first == "by" else { return }
        if parts.contains("fewer") { kind = .fewerWickets }
        if parts.contains("award") || parts.contains("forfeit") || parts.contains("walkover") { kind = .awarded }
        guard let number = parts.lazy.compactMap({ Int($0) }).first, (0...99_999).contains(number) else { return }
        if parts.contains("innings") {
            kind = .innings(number)
        } else if parts.contains(where: { $0.hasPrefix("wicket") || $0.hasPrefix("wkt") }) {
            kind = .wickets(number)
        } else if parts.contains(where: { $0.hasPrefix("run") }) {
            kind = .runs(number)
        }
    }

    private mutating func readTieBreak(_ words: String) {
        guard let (before, rest) = Self.halves(of: words, at: " won "),
            let (_, name) = Self.halves(of: before, at: "(")
        else { return }
        tieBreakWinner = Self.trimmed(name)
        if rest.contains("bowl-out") || rest.contains("bowl out") {
            tieBreak = "bowlOut"
        } else if rest.contains("boundar") {
            tieBreak = "boundaryCount"
        } else {
            tieBreak = "superOver"
        }
    }

    /// The text before ` method)`, or a well-known name alone in parentheses.
    private static func method(in text: String) -> String? {
        for part in text.split(separator: "(").dropFirst() {
            guard let inside = part.split(separator: ")", omittingEmptySubsequences: false).first else { continue }
            let words = trimmed(String(inside))
            if words.lowercased().hasSuffix(" method") {
                return SafeText.clean(trimmed(String(words.dropLast(7))))
            }
            if ["DLS", "D/L", "VJD"].contains(words.uppercased()) { return words.uppercased() }
        }
        return nil
    }

    /// The text before and after the first occurrence of a mark.
    private static func halves(of text: String, at mark: String) -> (String, String)? {
        text.firstRange(of: mark).map { (String(text[..<$0.lowerBound]), String(text[$0.upperBound...])) }
    }

    private static func trimmed(_ text: String) -> String {
        var slice = Substring(text)
        while let last = slice.last, last == " " || last == "." { slice.removeLast() }
        return String(slice.drop { $0 == " " })
    }
}
