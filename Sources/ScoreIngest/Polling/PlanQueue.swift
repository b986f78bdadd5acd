// When a plan has less than the matches in play want, they are served in turn: who wakes first is chance.

internal import ScoreTypes

/// The matches that wait for a request of the plan, in the order in which they came.
struct PlanQueue: Sendable, Hashable {
    /// How much later than it was told a match may come before its place is another's: waits are spread by a tenth, and
    /// a machine may stand still.
    private static let patience: Duration = .seconds(2)

    private struct Place: Sendable, Hashable {
        let number: Int
        /// When it is let go of, by the monotonic clock: a match may end while it waits.
        var until: Duration
    }

    private var places: [MatchID: Place] = [:]
    private var given = 0

    /// How many have come before a match and still wait.
    mutating func ahead(of match: MatchID, now: Duration) -> Int {
        places = places.filter { $0.value.until >= now }
        let number = places[match]?.number ?? .max
        return places.values.count { $0.number < number }
    }

    /// A match waits so long in real time; it keeps its place, or gets the last one.
    mutating func waits(_ match: MatchID, for wait: Duration, now: Duration) {
        let until = now + wait * 1.2 + Self.patience
        if places[match] == nil { given += 1 }
        places[match] = Place(number: places[match]?.number ?? given, until: until)
    }

    /// A match has got its request.
    mutating func served(_ match: MatchID) { places[match] = nil }
}
