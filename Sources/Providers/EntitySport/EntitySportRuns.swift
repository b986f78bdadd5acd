// Newer replies have the runs of a ball by kind, older ones a text such as `1lb`.

internal import MatchEngine

/// The runs of one event.
struct EntitySportRuns {
    let runs: DeliveryRuns
    let isLegal: Bool
    var isAllRun = false
}

extension EntitySportRuns {
    /// Reads an event; `path` names it for errors.
    init(_ event: EntitySportCommentary.Event, at path: () -> String) throws(AdapterError) {
        if event.batRun != nil, let total = event.run?.value {
            self = try Self.parts(of: event, total: total, at: path)
        } else if let score = event.score {
            self = try Self.read(score.characters.lowercased(), at: path)
        } else {
            throw .missing(path: "\(path()).score")
        }
    }

    private static func parts(
        of event: EntitySportCommentary.Event,
        total: Double,
        at path: () -> String
    ) throws(AdapterError) -> EntitySportRuns {
        guard let total = count(total), let bat = count(event.batRun?.value), let wides = count(event.wideRun?.value),
            let noBalls = count(event.noballRun?.value), let byes = count(event.byeRun?.value),
            let legByes = count(event.legbyeRun?.value)
        else {
            throw .outOfRange(path: "\(path()).run", expected: "runs of 0 to \(AdapterLimits.runsOfBall)")
        }
        // Penalty runs have no member: they are the total less its parts.
        let penalty = total - bat - wides - noBalls - byes - legByes
        guard penalty >= 0 else {
            throw .contradiction(path: "\(path()).run", expected: "at least the runs of all kinds together")
        }
        let isNoBall = event.noball?.value ?? (noBalls > 0)
        let isWide = event.wideball?.value ?? (wides > 0)
        let isAllRun = bat == 4 && event.four?.value == false || bat == 6 && event.six?.value == false
        return EntitySportRuns(
            runs: DeliveryRuns(
                bat: bat,
                wides: wides,
                noBalls: noBalls,
                byes: byes,
                legByes: legByes,
                penalty: penalty
            ),
            isLegal: !isNoBall && !isWide,
            isAllRun: isAllRun
        )
    }

    /// Runs of one kind, 0 when absent; nil out of range.
    private static func count(_ number: Double?) -> Int? {
        guard let count = Int(exactly: number ?? 0), (0...AdapterLimits.runsOfBall).contains(count) else { return nil }
        return count
    }

    private static func read(_ text: String, at path: () -> String) throws(AdapterError) -> EntitySportRuns {
        let digits = text.prefix { $0.isNumber }
        let count = digits.isEmpty ? nil : Int(digits)
        guard digits.isEmpty || (0...AdapterLimits.runsOfBall).contains(count ?? -1) else {
            throw .outOfRange(path: "\(path()).score", expected: "runs of 0 to \(AdapterLimits.runsOfBall)")
        }
        switch text.dropFirst(digits.count) {
        case "" where count != nil: return EntitySportRuns(runs: DeliveryRuns(bat: count ?? 0), isLegal: true)
        case "w": return EntitySportRuns(runs: DeliveryRuns(bat: count ?? 0), isLegal: true)
        case "lb": return EntitySportRuns(runs: DeliveryRuns(legByes: count ?? 1), isLegal: true)
        case "b": return EntitySportRuns(runs: DeliveryRuns(byes: count ?? 1), isLegal: true)
        case "wd": return EntitySportRuns(runs: DeliveryRuns(wides: max(1, count ?? 1)), isLegal: false)
        case "nb":
            // The number includes the penalty, as with a wide: `1nb` is a no-ball without further runs.
            return EntitySportRuns(runs: DeliveryRuns(bat: max(0, (count ?? 1) - 1), noBalls: 1), isLegal: false)
        default: throw .unknownWord(path: "\(path()).score", word: text)
        }
    }
}
