// When the matches in play want more than the plan allows they are served in turn: which task wakes first is chance.

internal import ScoreTypes

/// The matches that wait for a request of the plan, in the order of their first refusal.
struct BudgetQueue: Sendable, Hashable {
    private struct Place: Sendable, Hashable {
        let number: Int
        /// When the place is given up, by the monotonic clock: a match may end while it waits.
        var until: Duration
    }

    private var places: [MatchID: Place] = [:]
    private var lastNumber = 0

    /// How many matches are before this one.
    mutating func ahead(of match: MatchID, now: Duration) -> Int {
        places = places.filter { $0.value.until >= now }
        let number = places[match]?.number ?? .max
        return places.values.count { $0.number < number }
    }

    /// A match was refused and comes back after a real time; it keeps its place, or gets the last one.
    mutating func refused(_ match: MatchID, for wait: Duration, now: Duration) {
        // Waits are extended by up to a tenth.
        let until = now + wait * 1.2 + IngestLimits.budgetPlaceGrace
        if places[match] == nil { lastNumber += 1 }
        places[match] = Place(number: places[match]?.number ?? lastNumber, until: until)
    }

    /// A match got its request.
    mutating func served(_ match: MatchID) { places[match] = nil }
}
