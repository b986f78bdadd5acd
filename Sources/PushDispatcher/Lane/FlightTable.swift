// What is in the air: one small entry for each request under way, in places that are used again.

internal import ScoreTypes

/// One request under way.
struct Flight {
    /// The fan-out that asked for it; nil for a directed request.
    let match: MatchLane?
    let send: FanoutSend?
    let directed: DirectedPush?
    let kind: PayloadKind
    let sentAt: Duration
    /// Which provider token it carried.
    let tokenVersion: Int
}

/// Requests under way by tag.
struct FlightTable {
    private var flights: [Flight?] = []
    private var free: [Int] = []

    var count: Int { flights.count - free.count }

    mutating func add(_ flight: Flight) -> UInt64 {
        guard let place = free.popLast() else {
            flights.append(flight)
            return UInt64(flights.count - 1)
        }
        flights[place] = flight
        return UInt64(place)
    }

    mutating func take(_ tag: UInt64) -> Flight? {
        guard let place = Int(exactly: tag), flights.indices.contains(place), let flight = flights[place] else {
            return nil
        }
        flights[place] = nil
        free.append(place)
        return flight
    }
}
