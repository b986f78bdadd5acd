// Wides, substitutes and retirements are only in the name of a score, which is parsed and never guessed.

internal import MatchEngine
internal import ScoreTypes

/// The effect of a score of Sportmonks' table on the innings, in disjoint parts.
struct SportmonksMeaning: Sendable, Hashable {
    private(set) var runs = DeliveryRuns()
    /// The kind of dismissal; nil for none.
    private(set) var dismissal: DismissalKind?
    /// Whether a substitute took part in the dismissal.
    private(set) var isBySubstitute = false
    /// Whether a batter was absent.
    private(set) var isAbsence = false
    /// Whether the ball reached the rope off the bat.
    private(set) var isBoundary = false
    /// Whether a ball was bowled; a retirement between balls and penalty runs alone are rows without a ball.
    private(set) var isBall = true

    /// Whether the ball counts towards the over.
    var isLegal: Bool { runs.wides == 0 && runs.noBalls == 0 }

    /// Reads an entry of the table; nil when its name is unknown or contradicts its numbers.
    init?(_ score: SportmonksScore) {
        var loose = 0
        for part in score.name.lowercased().split(separator: "+") {
            guard let part = Part(part) else { return nil }
            guard add(part, loose: &loose) else { return nil }
        }
        // Runs with an extra are of its kind: an overthrow off a leg bye, runs on a wide.
        if runs.legByes > 0 {
            runs.legByes += loose
        } else if runs.byes > 0 {
            runs.byes += loose
        } else if runs.wides > 0 {
            runs.wides += loose
        } else {
            runs.bat += loose
        }
        isBoundary = score.four.value && runs.bat == 4 || score.six.value && runs.bat == 6
        isBall = score.ball.value || !isLegal
        guard agrees(with: score, loose: loose) else { return nil }
    }

    private mutating func add(_ part: Part, loose: inout Int) -> Bool {
        switch part {
        case .runs(let count): loose += count
        case .wides(let count): runs.wides += count
        case .noBalls(let count): runs.noBalls += count
        case .byes(let count): runs.byes += count
        case .legByes(let count): runs.legByes += count
        case .penalty(let count): runs.penalty += count
        case .nobodyLeft: break
        case .absence: isAbsence = true
        case .dismissal(let kind, let isBySubstitute):
            guard dismissal == nil else { return false }
            dismissal = kind
            self.isBySubstitute = isBySubstitute
        }
        return true
    }

    /// Whether the numbers of the entry agree with its name.
    private func agrees(with score: SportmonksScore, loose: Int) -> Bool {
        guard score.bye == runs.byes, score.legBye == runs.legByes, score.noballRuns == runs.noBalls else {
            return false
        }
        // Runs exclude byes and leg byes, but include those of an overthrow.
        let counted = runs.bat + runs.wides + runs.noBalls + runs.penalty
        let isOverthrow = runs.byes + runs.legByes > 0 && score.runs == counted + loose
        guard score.runs == counted || isOverthrow else { return false }
        if score.isWicket.value && dismissal == nil && !isAbsence { return false }
        // Extras may reach the rope, too; with bat runs the flags have to agree.
        if runs.bat > 0 && (score.four.value || score.six.value) && !isBoundary { return false }
        // Without a ball there are no runs.
        return isBall || counted == runs.penalty && runs.byes + runs.legByes == 0
    }

    /// One of the parts that a name joins by `+`.
    private enum Part {
        case runs(Int)
        case wides(Int)
        case noBalls(Int)
        case byes(Int)
        case legByes(Int)
        case penalty(Int)
        case dismissal(DismissalKind, isBySubstitute: Bool)
        case nobodyLeft
        case absence

        init?(_ text: Substring) {
            var words = text.split(separator: " ").map(String.init)
            let isBySubstitute = words.last == "(sub)" || words.last == "(subs)"
            if isBySubstitute { words.removeLast() }
            var count: Int?
            if let first = words.first, let number = Int(first) {
                guard (0...AdapterLimits.runsOfScorePart).contains(number) else { return nil }
                count = number
                words.removeFirst()
            }
            let name = words.joined(separator: " ")
            if let kind = DismissalKind(word: name) {
                guard count == nil else { return nil }
                self = .dismissal(kind, isBySubstitute: isBySubstitute)
                return
            }
            guard !isBySubstitute, let part = Self.counted(name, count) else { return nil }
            self = part
        }

        private static func counted(_ name: String, _ count: Int?) -> Part? {
            switch name {
            case "no run", "dot", "dot ball": count == nil ? .runs(0) : nil
            case "", "run", "runs": count.map(Part.runs)
            case "four": count == nil ? .runs(4) : nil
            case "six": count == nil ? .runs(6) : nil
            case "wide", "wides": .wides(count ?? 1)
            case "no ball", "no balls", "noball": .noBalls(count ?? 1)
            case "bye", "byes": .byes(count ?? 1)
            case "leg bye", "leg byes": .legByes(count ?? 1)
            case "penalty", "penalty run", "penalty runs": count.map(Part.penalty)
            case "not out": count == nil ? .nobodyLeft : nil
            case "absent", "absent hurt": count == nil ? .absence : nil
            default: nil
            }
        }
    }
}
