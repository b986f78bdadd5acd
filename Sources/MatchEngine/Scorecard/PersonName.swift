// Forms of a player's name, in the lengths for which scorecard, alert and Dynamic Island have space.

/// Forms of one name.
///
/// Works on bytes and returns each form as one slice of the text: a fold reads names at each wicket and milestone.
struct PersonName {
    private let body: Substring

    /// Reads a name; a number in brackets, which some feeds add to names that occur twice, is removed.
    init(_ text: String) {
        let body = Self.trimmed(text[...])
        if body.utf8.last == UInt8(ascii: ")"), let space = body.utf8.lastIndex(of: Self.space),
            body.utf8[body.utf8.index(after: space)] == UInt8(ascii: "(")
        {
            self.body = Self.trimmed(body[..<space])
        } else {
            self.body = body
        }
    }

    /// The name without additions.
    var full: String { String(body) }

    /// `Sharma` of `Rohit Sharma`, `de Villiers` of `AB de Villiers`, `Wasim Jr` of `Mohammad Wasim Jr`.
    var surname: String { String(body[surnameStart...]) }

    /// `R Sharma`.
    var initialed: String {
        let given = body[..<surnameStart].utf8.split(separator: Self.space).map(Substring.init)
        guard let first = given.first else { return full }
        if Self.isInitials(first) { return full }
        return (given.compactMap { $0.first.map(String.init) } + [surname]).joined(separator: " ")
    }

    /// The longest form of at most `limit` Unicode scalars; the surname is cut when no form fits.
    func fitting(_ limit: Int) -> String {
        for form in [full, initialed, surname] where Clip.fits(form, limit) && !form.isEmpty { return form }
        return Clip.text(surname.isEmpty ? full : surname, limit)
    }

    private static let space = UInt8(ascii: " ")

    /// Start of the surname: the last word before a suffix, or the particles before that word; of several such words
    /// never the first.
    private var surnameStart: Substring.Index {
        let name = Self.withoutSuffix(body)
        let bytes = name.utf8
        guard let firstEnd = bytes.firstIndex(of: Self.space) else { return name.startIndex }
        if Self.isInitials(name[..<firstEnd]) { return Self.trimmed(name[firstEnd...]).startIndex }
        guard var space = bytes.lastIndex(of: Self.space) else { return name.startIndex }
        while true {
            let before = Self.trimmed(name[..<space])
            guard let next = before.utf8.lastIndex(of: Self.space),
                Self.particles.contains(before[before.utf8.index(after: next)...])
            else { return bytes.index(after: space) }
            space = next
        }
    }

    /// The name before a suffix, with or without a full stop; the whole name when it has none.
    private static func withoutSuffix(_ name: Substring) -> Substring {
        guard let space = name.utf8.lastIndex(of: Self.space) else { return name }
        var word = name[name.utf8.index(after: space)...]
        if word.utf8.last == UInt8(ascii: ".") { word = word[..<word.utf8.index(before: word.endIndex)] }
        return suffixes.contains(word) ? trimmed(name[..<space]) : name
    }

    private static func trimmed(_ text: Substring) -> Substring {
        var rest = text
        while rest.utf8.first == space { rest = rest[rest.utf8.index(after: rest.startIndex)...] }
        while rest.utf8.last == space { rest = rest[..<rest.utf8.index(before: rest.endIndex)] }
        return rest
    }

    /// One to five capitals, with or without full stops: `PVD`, `M.S.`.
    private static func isInitials(_ word: Substring) -> Bool {
        var letters = 0
        for byte in word.utf8 {
            if byte == UInt8(ascii: ".") { continue }
            guard (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) else { return false }
            letters += 1
        }
        return (1...5).contains(letters)
    }

    /// Words after the surname, which distinguish people of one name.
    private static let suffixes: Set<Substring> = ["Jr", "Jnr", "Sr", "Snr", "II", "III"]

    private static let particles: Set<Substring> = [
        "de", "De", "van", "Van", "der", "den", "von", "la", "le", "du", "da", "dos", "ter", "ten", "al", "Al", "ul",
        "Ul",
        "bin", "el", "El", "St",
    ]
}

extension Player {
    /// The name as it is printed in a sentence.
    var fullName: String { PersonName(name).full }
}

/// Finds the surnames that two players of a side share, which are not printed alone.
struct PlayerNames: Sendable, Hashable {
    private var shared: [Set<String>] = [[], []]
    private var keepers: [String?] = [nil, nil]

    init() {}

    /// Reads both sides' players.
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

    /// The surname of a player of a side; the full name when another player of the side has the same surname.
    func short(_ name: String, of side: Side) -> String {
        let person = PersonName(name)
        let surname = person.surname
        return shared[side.rawValue].contains(surname) ? person.full : surname
    }

    /// The name of a fielder, with the mark of the wicket-keeper when the feed states who keeps wicket.
    func fielder(_ name: String, of side: Side) -> String {
        name == keepers[side.rawValue] ? Self.marked(short(name, of: side)) : short(name, of: side)
    }

    /// The name with the mark of the wicket-keeper, once.
    static func marked(_ name: String) -> String { name.hasPrefix("†") ? name : "†\(name)" }
}
