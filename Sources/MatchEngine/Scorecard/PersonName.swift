// A player's name in the lengths that a scorecard, an alert and an island have room for.

/// Forms of one name as a feed writes it.
struct PersonName {
    private let text: String
    private let words: [Substring]

    /// Reads a name; a number in brackets, by which some feeds tell namesakes apart, is left out.
    init(_ text: String) {
        // By bytes: characters would cost the fold of a wicket more than all the rest of it.
        var words = text.utf8.split(separator: UInt8(ascii: " ")).map(Substring.init)
        if words.count > 1, let last = words.last?.utf8, last.first == UInt8(ascii: "("),
            last.last == UInt8(ascii: ")")
        {
            words.removeLast()
        }
        self.text = text
        self.words = words
    }

    /// The name without marks.
    var full: String { part(from: 0) }

    /// `Sharma` of `Rohit Sharma`, `de Villiers` of `AB de Villiers`.
    var surname: String { part(from: givenCount) }

    /// The name from one of its words to the last, cut out of the text in one piece.
    private func part(from index: Int) -> String {
        guard index < words.count else { return "" }
        return String(text[words[index].startIndex..<words[words.count - 1].endIndex])
    }

    /// `R Sharma`.
    var initialed: String {
        let given = words.prefix(givenCount)
        guard let first = given.first else { return full }
        if Self.isInitials(first) { return full }
        return (given.compactMap { $0.first.map(String.init) } + [surname]).joined(separator: " ")
    }

    /// The longest form of at most so many characters.
    func fitting(_ limit: Int) -> String {
        for form in [full, initialed, surname] where Clip.fits(form, limit) && !form.isEmpty { return form }
        return Clip.text(surname.isEmpty ? full : surname, limit)
    }

    /// Words before the surname.
    private var givenCount: Int {
        guard words.count > 1, let first = words.first else { return 0 }
        if Self.isInitials(first) { return 1 }
        var start = words.count - 1
        while start > 1, Self.particles.contains(words[start - 1]) { start -= 1 }
        return start
    }

    /// Up to five capitals, with or without stops: `PVD`, `M.S.`.
    private static func isInitials(_ word: Substring) -> Bool {
        var letters = 0
        for byte in word.utf8 {
            if byte == UInt8(ascii: ".") { continue }
            guard (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) else { return false }
            letters += 1
        }
        return (1...5).contains(letters)
    }

    private static let particles: Set<Substring> = [
        "de", "De", "van", "Van", "der", "den", "von", "la", "le", "du", "da", "dos", "ter", "ten", "al", "Al", "ul",
        "Ul",
        "bin", "el", "El", "St",
    ]
}

/// Which surnames are borne twice on a side, so that they are not printed alone.
struct NameBook: Sendable, Hashable {
    private var shared: [Set<String>] = [[], []]
    private var keepers: [String?] = [nil, nil]

    init() {}

    /// Looks through both sides' players.
    init(_ info: MatchInfo) {
        for side in Side.allCases {
            var seen: Set<String> = []
            for player in info.team(side).players {
                let surname = PersonName(player.name).surname
                if !seen.insert(surname).inserted { shared[side.rawValue].insert(surname) }
                if player.id == info.team(side).keeper { keepers[side.rawValue] = player.name }
            }
        }
    }

    /// The surname of a player of a side, or the whole name when another bears it too.
    func short(_ name: String, of side: Side) -> String {
        let person = PersonName(name)
        let surname = person.surname
        return shared[side.rawValue].contains(surname) ? person.full : surname
    }

    /// The same for a fielder: the keeper is marked, when the feed says who keeps.
    func fielder(_ name: String, of side: Side) -> String {
        name == keepers[side.rawValue] ? Self.marked(short(name, of: side)) : short(name, of: side)
    }

    /// A name with the keeper's mark, once.
    static func marked(_ name: String) -> String { name.hasPrefix("†") ? name : "†\(name)" }
}
