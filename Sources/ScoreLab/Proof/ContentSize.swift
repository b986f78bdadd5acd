// A score may fall only where the feed's own score fell: balls come and go at several places at once.

import MatchEngine

/// The balls of each over of a match, or the runs of each innings of one that has totals alone.
struct ContentSize {
    private struct Place: Hashable {
        let innings: Int
        /// nil for the total of the innings.
        let over: Int?
    }

    private var amounts: [Place: Int] = [:]

    /// The size of a match that is followed.
    init(_ balls: [Delivery], _ innings: [InningsInfo]) {
        self.init(balls, hasTotalsAlone: false)
        guard balls.isEmpty else { return }
        for innings in innings {
            amounts[Place(innings: innings.ordinal, over: nil)] = innings.reported?.runs
        }
    }

    /// The size of a match with all its balls.
    init(_ balls: [Delivery], hasTotalsAlone: Bool) {
        for ball in balls {
            let place = Place(innings: ball.innings, over: hasTotalsAlone ? nil : ball.over)
            amounts[place, default: 0] += hasTotalsAlone ? ball.runs.total : 1
        }
    }

    /// Lowers each amount to that of another size.
    mutating func lower(to other: ContentSize) {
        amounts = amounts.reduce(into: [:]) { $0[$1.key] = min($1.value, other.amounts[$1.key] ?? 0) }
    }

    /// The places that have less than in another size, in words.
    func places(below other: ContentSize) -> [String] {
        other.amounts.filter { (amounts[$0.key] ?? 0) < $0.value }
            .map { place, amount in
                "innings \(place.innings)" + (place.over.map { ", over \($0)" } ?? "")
                    + " from \(amount) to \(amounts[place] ?? 0)"
            }
            .sorted()
    }
}
