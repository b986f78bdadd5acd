// How somebody was out stands in a text, `c X b Y`, and, in the row of the card, in a word and ids beside it.

internal import MatchEngine

/// Reads dismissals.
struct EntitySportDismissals {
    let people: EntitySportPeople
    /// Rows of the batting card by number.
    let rows: [Int: EntitySportInning.Batsman]

    init(people: EntitySportPeople, inning: EntitySportInning) {
        self.people = people
        rows = Dictionary((inning.batsmen ?? []).compactMap { row in row.id.whole.map { ($0, row) } }) { _, last in last
        }
    }

    /// The dismissal of an event.
    func dismissal(_ event: EntitySportCommentary.Event, at path: () -> String) throws(AdapterError) -> Dismissal {
        guard let id = event.wicketBatsmanID?.whole ?? event.batsmanID?.whole else {
            throw .missing(path: "\(path()).wicket_batsman_id")
        }
        let text = (event.howOut ?? "").split(separator: " ").joined(separator: " ")
        // A batter who retired and came back has one row for two ends: the row counts only when it tells this one.
        let row = rows[id].flatMap { row in
            (row.howOut ?? "").lowercased() == text.lowercased() || text.isEmpty ? row : nil
        }
        guard let kind = Self.kind(text) ?? row?.dismissal.flatMap({ Self.words[$0.lowercased()] }) else {
            throw .unknownWord(path: "\(path()).how_out", word: text.isEmpty ? row?.dismissal ?? "" : text)
        }
        return Dismissal(kind: kind, out: people.player(id), fielders: fielders(kind, text: text, row: row))
    }

    /// The kind by the beginning of the text.
    static func kind(_ text: String) -> DismissalKind? {
        let lower = text.lowercased()
        if let kind = words[lower] { return kind }
        for (start, kind) in starts where lower.hasPrefix(start) { return kind }
        return nil
    }

    /// Those whom the text names; ids in the row name them better, but say nothing of substitutes without a name.
    private func fielders(_ kind: DismissalKind, text: String, row: EntitySportInning.Batsman?) -> [Fielder] {
        let told: [Substring]
        switch kind {
        case .caught: told = [Self.between("c ", " b ", in: text)].compactMap(\.self)
        case .stumped: told = [Self.between("st ", " b ", in: text)].compactMap(\.self)
        case .runOut, .obstructingTheField, .handledTheBall:
            told = Self.inside(text).map { $0.split(separator: "/") } ?? []
        default: told = []
        }
        let ids = row?.fielders ?? []
        return told.enumerated().map { index, name in
            fielder(String(name).trimmed, id: told.count == ids.count ? ids[index] : nil)
        }
    }

    private func fielder(_ text: String, id: Int?) -> Fielder {
        guard text.hasPrefix("sub") && (text.count == 3 || text.dropFirst(3).first == " ") else {
            return Fielder(name: id.flatMap(people.name) ?? people.name(calling: text))
        }
        let name = Self.inside(text).map(String.init) ?? String(text.dropFirst(3)).trimmed
        if name.isEmpty { return Fielder(name: nil, isSubstitute: true) }
        return Fielder(name: id.flatMap(people.name) ?? people.name(calling: name), isSubstitute: true)
    }

    /// What stands between a beginning and the last occurrence of a mark.
    private static func between(_ start: String, _ mark: String, in text: String) -> Substring? {
        guard text.hasPrefix(start) else { return nil }
        let rest = text.dropFirst(start.count)
        guard let end = rest.ranges(of: mark).last?.lowerBound else { return rest }
        return rest[..<end]
    }

    /// What stands between the first opening and the last closing parenthesis.
    private static func inside(_ text: String) -> Substring? {
        guard let start = text.firstIndex(of: "("), let end = text.lastIndex(of: ")"), start < end else { return nil }
        return text[text.index(after: start)..<end]
    }

    /// Words of the card, and texts that are whole words; `cought` is how the provider writes it.
    private static let words: [String: DismissalKind] = [
        "bowled": .bowled, "lbw": .lbw, "caught": .caught, "cought": .caught,
        "caught and bowled": .caughtAndBowled, "caughtandbowled": .caughtAndBowled, "stumped": .stumped,
        "hit wicket": .hitWicket, "hitwicket": .hitWicket, "run out": .runOut, "runout": .runOut,
        "obstructing the field": .obstructingTheField, "obstructingthefield": .obstructingTheField,
        "hit the ball twice": .hitTheBallTwice, "handled the ball": .handledTheBall, "timed out": .timedOut,
        "timedout": .timedOut, "retired out": .retiredOut, "retired hurt": .retiredHurt, "retired": .retiredHurt,
        "retiredhurt": .retiredHurt, "retired not out": .retiredNotOut,
    ]

    /// The longer ones first, since one begins like another.
    private static let starts: [(String, DismissalKind)] = [
        ("c & b ", .caughtAndBowled), ("c and b ", .caughtAndBowled), ("caught and ", .caughtAndBowled),
        ("c ", .caught),
        ("caught", .caught), ("b ", .bowled), ("stumped", .stumped),
        ("lbw b ", .lbw), ("lbw", .lbw), ("st ", .stumped), ("hit wicket", .hitWicket), ("run out", .runOut),
        ("runout", .runOut), ("obstruct", .obstructingTheField), ("hit the ball twice", .hitTheBallTwice),
        ("handled the ball", .handledTheBall), ("timed out", .timedOut), ("retired out", .retiredOut),
        ("retired not out", .retiredNotOut), ("retired", .retiredHurt),
    ]
}

extension String {
    /// Without blanks at both ends.
    fileprivate var trimmed: String {
        var slice = Substring(self)
        while slice.last == " " { slice.removeLast() }
        return String(slice.drop { $0 == " " })
    }
}

extension DismissalKind {
    /// Whether it happens between balls, so that an event that tells it is never a ball of its own.
    var needsNoBall: Bool {
        switch self {
        case .retiredHurt, .retiredOut, .retiredNotOut, .timedOut: true
        default: false
        }
    }
}
