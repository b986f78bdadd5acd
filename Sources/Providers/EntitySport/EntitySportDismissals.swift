// A dismissal is a text such as `c X b Y`; the batter's row of the scorecard has a code and the ids of fielders.

internal import MatchEngine
internal import ScoreTypes

/// Reads dismissals.
struct EntitySportDismissals {
    let people: EntitySportPeople
    /// Rows of the batting card by number.
    let rows: [Int: EntitySportInning.Batsman]

    init(people: EntitySportPeople, inning: EntitySportInning) {
        self.people = people
        rows = Dictionary((inning.batsmen ?? []).compactMap { row in row.batsmanId.whole.map { ($0, row) } }) {
            _,
            last in last
        }
    }

    /// The dismissal of an event.
    func dismissal(_ event: EntitySportCommentary.Event, at path: () -> String) throws(AdapterError) -> Dismissal {
        guard let id = event.wicketBatsmanId?.whole ?? event.batsmanId?.whole else {
            throw .missing(path: "\(path()).wicket_batsman_id")
        }
        let text = (event.howOut ?? "").split(separator: " ").joined(separator: " ")
        // A batter who retired and returned has one row for two dismissals: the row counts only when its text is this
        // one.
        let row = rows[id].flatMap { row in
            (row.howOut ?? "").lowercased() == text.lowercased() || text.isEmpty ? row : nil
        }
        guard let kind = Self.kind(text) ?? row?.dismissal.flatMap(DismissalKind.init(word:)) else {
            throw .unknownWord(path: "\(path()).how_out", word: text.isEmpty ? row?.dismissal ?? "" : text)
        }
        return Dismissal(kind: kind, out: people.player(id), fielders: fielders(kind, text: text, row: row))
    }

    /// The kind, by the beginning of the text; nil when unknown.
    static func kind(_ text: String) -> DismissalKind? {
        if let kind = DismissalKind(word: text) { return kind }
        let lower = text.lowercased()
        return starts.first { lower.hasPrefix($0.0) }?.1
    }

    /// The fielders that the text names; ids in the row give full names, but unnamed substitutes have none.
    private func fielders(_ kind: DismissalKind, text: String, row: EntitySportInning.Batsman?) -> [Fielder] {
        let reported: [Substring]
        switch kind {
        case .caught: reported = [Self.between("c ", " b ", in: text)].compactMap(\.self)
        case .stumped: reported = [Self.between("st ", " b ", in: text)].compactMap(\.self)
        case .runOut, .obstructingTheField, .handledTheBall:
            reported = Self.inside(text).map { $0.split(separator: "/") } ?? []
        default: reported = []
        }
        let ids = row?.fielders ?? []
        return reported.enumerated().map { index, name in
            fielder(String(name).trimmed, id: reported.count == ids.count ? ids[index] : nil)
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

    /// The text between a prefix and the last occurrence of a mark; nil without the prefix.
    private static func between(_ start: String, _ mark: String, in text: String) -> Substring? {
        guard text.hasPrefix(start) else { return nil }
        let rest = text.dropFirst(start.count)
        guard let end = rest.ranges(of: mark).last?.lowerBound else { return rest }
        return rest[..<end]
    }

    /// The text between the first opening and the last closing parenthesis.
    private static func inside(_ text: String) -> Substring? {
        guard let start = text.firstIndex(of: "("), let end = text.lastIndex(of: ")"), start < end else { return nil }
        return text[text.index(after: start)..<end]
    }

    /// Prefixes of texts; a prefix of another prefix comes after it.
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
    /// The text without blanks at both ends.
    fileprivate var trimmed: String {
        var slice = Substring(self)
        while slice.last == " " { slice.removeLast() }
        return String(slice.drop { $0 == " " })
    }
}

extension DismissalKind {
    /// Whether it happens between balls, so that its event is never a ball.
    var needsNoBall: Bool {
        switch self {
        case .retiredHurt, .retiredOut, .retiredNotOut, .timedOut: true
        default: false
        }
    }
}
