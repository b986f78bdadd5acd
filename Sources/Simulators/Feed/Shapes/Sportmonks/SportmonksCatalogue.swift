// Sportmonks says what a ball was by the number of a score; this is the whole table, as `/scores` has it.

import MatchEngine

/// Every score that the shape can express, by number.
struct SportmonksCatalogue: Sendable {
    /// The meaning of one score.
    struct Meaning: Hashable, Sendable {
        var runs = DeliveryRuns()
        /// Whether the bat runs went over the rope.
        var isBoundary = false
        var kind: DismissalKind?
        var isBySubstitute = false
        var isAbsence = false
        /// Whether a ball was bowled.
        var isBall = true
    }

    /// An entry of the table.
    struct Entry: Sendable {
        let id: Int
        let name: String
        let meaning: Meaning
    }

    /// The one table of all matches.
    static let shared = SportmonksCatalogue()

    /// In order of their numbers as they were given.
    let entries: [Entry]
    private let ids: [Meaning: Int]
    private let places: [Int: Int]

    /// The number of a score; nil for one that the table does not have.
    func id(_ meaning: Meaning) -> Int? { ids[meaning] }

    /// The entry of a number; nil for one that no score has.
    func entry(_ id: Int) -> Entry? { places[id].map { entries[$0] } }

    private init() {
        var entries: [Entry] = []
        var ids: [Meaning: Int] = [:]
        var next = 1_001
        for meaning in Self.meanings where ids[meaning] == nil {
            let name = Self.name(meaning)
            // A row without a ball has the name of the one with a ball, so only the latter can have its number.
            let known = meaning.isBall ? Self.knownIDs[name] : nil
            let id = known ?? next
            if known == nil { next += 1 }
            ids[meaning] = id
            entries.append(Entry(id: id, name: name, meaning: meaning))
        }
        self.entries = entries
        self.ids = ids
        places = Dictionary(uniqueKeysWithValues: entries.enumerated().map { ($1.id, $0) })
    }

    /// Numbers that the provider's own table is known to have.
    private static let knownIDs = [
        "1 Bye": 1, "1 Bye + Retired Hurt": 2, "1 Bye + Run Out": 3, "1 Leg Bye": 4, "1 Leg Bye + Run Out": 5,
        "1 Wide": 17, "FOUR": 47, "5 Wides": 52, "Catch Out": 54, "Catch Out (Sub)": 55, "Stump Out": 56,
        "Run Out": 63, "Run Out (Sub)": 64, "1 Run": 69, "Clean Bowled": 79, "No Run": 82, "LBW OUT": 83,
        "Not Out": 84, "Hit Wicket": 87, "Retired Out": 138,
    ]

    // MARK: What there is

    private static var meanings: [Meaning] {
        let plain = outcomes
        var all = plain
        let ordinary = plain.filter {
            $0.runs.noBalls <= 2 && $0.runs.bat <= 6 && $0.runs.wides <= 5 && $0.runs.byes <= 5 && $0.runs.legByes <= 5
        }
        for kind in DismissalKind.allCases where kind != .other && kind != .caughtAndBowled {
            for isBySubstitute in [false, true] where !isBySubstitute || kind.mayBeBySubstitute {
                for var meaning in ordinary where kind.stands(on: meaning.runs) {
                    meaning.kind = kind
                    meaning.isBySubstitute = isBySubstitute
                    all.append(meaning)
                }
                all.append(Meaning(kind: kind, isBySubstitute: isBySubstitute, isBall: false))
            }
        }
        for penalty in 1...20 {
            all.append(Meaning(runs: DeliveryRuns(penalty: penalty), isBall: false))
        }
        return all + [Meaning(isAbsence: true)]
    }

    private static var outcomes: [Meaning] {
        var all = bats.map { Meaning(runs: DeliveryRuns(bat: $0.runs), isBoundary: $0.isBoundary) }
        for count in 1...20 {
            all.append(Meaning(runs: DeliveryRuns(wides: count)))
            all.append(Meaning(runs: DeliveryRuns(byes: count)))
            all.append(Meaning(runs: DeliveryRuns(legByes: count)))
        }
        // Until 2017 what was run on a no-ball was no-balls too.
        for penalty in 1...12 {
            for bat in bats where bat.runs <= 8 {
                let runs = DeliveryRuns(bat: bat.runs, noBalls: penalty)
                all.append(Meaning(runs: runs, isBoundary: bat.isBoundary))
            }
            for count in 1...12 where penalty <= 2 {
                all.append(Meaning(runs: DeliveryRuns(noBalls: penalty, byes: count)))
                all.append(Meaning(runs: DeliveryRuns(noBalls: penalty, legByes: count)))
            }
        }
        return all
    }

    private static var bats: [(runs: Int, isBoundary: Bool)] {
        (0...20).map { ($0, false) } + [(4, true), (6, true)]
    }

    // MARK: Names

    private static func name(_ meaning: Meaning) -> String {
        if meaning.isAbsence { return "Absent Hurt" }
        let runs = meaning.runs
        var parts: [String] = []
        if runs.wides > 0 { parts.append(counted(runs.wides, "Wide")) }
        if runs.noBalls > 0 { parts.append(counted(runs.noBalls, "No Ball")) }
        if runs.byes > 0 { parts.append(counted(runs.byes, "Bye")) }
        if runs.legByes > 0 { parts.append(counted(runs.legByes, "Leg Bye")) }
        if runs.penalty > 0 { parts.append("\(runs.penalty) Penalty Runs") }
        if meaning.isBoundary {
            parts.append(runs.bat == 4 ? "FOUR" : "SIX")
        } else if runs.bat > 0 {
            parts.append(counted(runs.bat, "Run"))
        }
        if let kind = meaning.kind {
            let name = kind.sportmonksName + (meaning.isBySubstitute ? " (Sub)" : "")
            // Runs stand behind a run out, and extras before it.
            if runs.bat > 0 && parts.count == 1 { parts.insert(name, at: 0) } else { parts.append(name) }
        }
        return parts.isEmpty ? "No Run" : parts.joined(separator: " + ")
    }

    private static func counted(_ count: Int, _ noun: String) -> String {
        count == 1 ? "1 \(noun)" : "\(count) \(noun)s"
    }
}

extension DismissalKind {
    fileprivate var sportmonksName: String {
        switch self {
        case .bowled: "Clean Bowled"
        case .lbw: "LBW OUT"
        case .caught, .caughtAndBowled: "Catch Out"
        case .stumped: "Stump Out"
        case .hitWicket: "Hit Wicket"
        case .runOut: "Run Out"
        case .obstructingTheField: "Obstructing the field Out"
        case .hitTheBallTwice: "Hit the ball twice"
        case .timedOut: "Timed Out"
        case .handledTheBall: "Handled the ball"
        case .retiredOut: "Retired Out"
        case .retiredHurt: "Retired Hurt"
        case .retiredNotOut: "Retired Not Out"
        case .other: "Out"
        }
    }

    fileprivate var mayBeBySubstitute: Bool { self == .caught || self == .stumped || self == .runOut }

    /// Whether the table has one score for both, as far as the provider is known to have one; else there are two rows.
    fileprivate func stands(on runs: DeliveryRuns) -> Bool {
        let isPlain = runs == DeliveryRuns()
        switch self {
        case .runOut: return true
        case .stumped, .hitWicket, .obstructingTheField: return isPlain || runs.wides > 0
        case .retiredHurt: return isPlain || runs.byes == 1 && runs.noBalls == 0
        case .timedOut: return false
        default: return isPlain
        }
    }
}
