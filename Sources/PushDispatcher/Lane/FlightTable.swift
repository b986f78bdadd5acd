// The open requests of a lane, one small entry each, in slots that are reused.

internal import ScoreTypes

/// One open request.
struct Flight {
    /// The match of a fan-out's request; nil for a directed request.
    let match: MatchLane?
    let send: FanoutSend?
    let kind: PayloadKind
    /// The revision that it carries; nil for a directed request.
    let revision: Int64?
    /// When that revision was committed.
    let committedAt: Instant?
    /// The seed of its id.
    let seed: RequestSeed
    let sentAt: Duration
    /// Version of the provider token that it carries.
    let tokenVersion: Int
    /// Boxed, since flights of a fan-out are copied a million times and have none.
    private let parcel: Parcel?

    private final class Parcel {
        let push: DirectedPush

        init(_ push: DirectedPush) { self.push = push }
    }

    /// A request of a fan-out.
    init(_ send: FanoutSend, of encoded: EncodedPublication, _ match: MatchLane, sentAt: Duration, tokenVersion: Int) {
        self.match = match
        self.send = send
        self.sentAt = sentAt
        self.tokenVersion = tokenVersion
        (kind, revision, seed) = (encoded.kind, encoded.revision, encoded.seed)
        committedAt = encoded.publication.committedAt
        parcel = nil
    }

    /// A directed request.
    init(_ push: DirectedPush, sentAt: Duration, tokenVersion: Int) {
        (match, send) = (nil, nil)
        self.sentAt = sentAt
        self.tokenVersion = tokenVersion
        (kind, revision, committedAt, seed) = (push.kind, nil, nil, push.seed)
        parcel = Parcel(push)
    }

    var directed: DirectedPush? { parcel?.push }
    /// Number of the try, from 0.
    var attempt: UInt8 { send?.token.attempt ?? directed?.attempt ?? 0 }
}

/// Open requests by tag.
struct FlightTable {
    private var flights: [Flight?] = []
    private var free: [Int] = []

    mutating func add(_ flight: Flight) -> UInt64 {
        guard let place = free.popLast() else {
            flights.append(flight)
            return UInt64(flights.count - 1)
        }
        flights[place] = flight
        return UInt64(place)
    }

    /// Removes and returns all open requests.
    mutating func takeAll() -> [Flight] {
        flights.indices.compactMap { take(UInt64($0)) }
    }

    mutating func take(_ tag: UInt64) -> Flight? {
        guard let place = Int(exactly: tag), flights.indices.contains(place), let flight = flights[place].take()
        else { return nil }
        free.append(place)
        return flight
    }
}
