// The connections to one of Apple's endpoints: opened when needed, replaced when gone, the least busy one used.

internal import HTTP2
internal import ScoreTypes

/// Connections of one lane to one endpoint; confined to the loop.
final class Door {
    /// Longest wait between two tries to connect.
    static let backoffMax = Duration.seconds(30)
    /// Least time between two dials of one place: rapid dialling looks like an attack to Apple.
    static let dialDistance = Duration.seconds(1)

    private struct Place {
        var connection: ClientConnection?
        var isOpen = false
        /// Accepted once: until then only one stream is opened (Apple's rule for provider tokens).
        var isWarm = false
        var failures = 0
        var mayDialAt: Duration = .zero
    }

    private let endpoint: PushEndpoint
    private var places: [Place]
    private unowned let lane: Lane
    private var isClosed = false

    init(_ endpoint: PushEndpoint, connections: Int, lane: Lane) {
        self.endpoint = endpoint
        places = Array(repeating: Place(), count: connections)
        self.lane = lane
    }

    /// Connections that are open.
    var openCount: Int { places.count { $0.isOpen } }

    /// The open connection with the most room, nil when no stream may be opened now; dials where there is none.
    var connection: ClientConnection? {
        dial()
        var best: (connection: ClientConnection, room: Int)?
        for place in places {
            guard place.isOpen, let connection = place.connection else { continue }
            let room = place.isWarm ? connection.capacity : min(connection.capacity, 1 - connection.openStreams)
            if room > best?.room ?? 0 { best = (connection, room) }
        }
        return best?.connection
    }

    /// Closes all connections; what is under way fails, and new ones are dialled when needed.
    func renew() { for place in places { place.connection?.close() } }

    func close() {
        isClosed = true
        renew()
    }

    private func dial() {
        guard !isClosed else { return }
        let now = lane.clock.monotonic
        // The second connection waits until the first is known to work.
        let wanted = places.contains { $0.isWarm } ? places.count : 1
        for index in places.indices.prefix(wanted)
        where places[index].connection == nil && now >= places[index].mayDialAt {
            var configuration = ClientConfiguration(
                host: endpoint.host,
                port: endpoint.port,
                tls: TLSClientConfiguration(trust: lane.configuration.trust, serverName: endpoint.host)
            )
            configuration.pingAfterIdle = .seconds(3_600)
            places[index].mayDialAt = now + Self.dialDistance
            places[index].connection = ClientConnection.open(configuration, in: lane.loop, delegate: self)
        }
    }

    private func index(of connection: ClientConnection) -> Int? {
        places.firstIndex { $0.connection === connection }
    }
}

extension Door: ClientDelegate {
    func connectionDidOpen(_ connection: ClientConnection) {
        guard let index = index(of: connection) else { return }
        places[index].isOpen = true
        places[index].failures = 0
        lane.pump()
    }

    func connectionHasCapacity(_ connection: ClientConnection) { lane.pump() }

    func connection(
        _ connection: ClientConnection,
        didAnswer tag: UInt64,
        status: Int,
        headers: borrowing ResponseHeaders,
        body: UnsafeRawBufferPointer
    ) {
        if status == 200, let index = index(of: connection) { places[index].isWarm = true }
        lane.settle(tag, status: status, body: body)
    }

    func connection(_ connection: ClientConnection, didFail tag: UInt64, with failure: StreamFailure) {
        lane.settle(tag, failure)
    }

    func connectionDidClose(_ connection: ClientConnection, reason: ConnectionEnd) {
        guard let index = index(of: connection) else { return }
        let failures = places[index].failures + (places[index].isOpen ? 0 : 1)
        let wait = min(Self.backoffMax, Self.dialDistance * (1 << min(failures, 5)))
        places[index] = Place(
            failures: failures,
            mayDialAt: lane.clock.monotonic + wait * (0.8 + 0.4 * lane.chance.unit())
        )
        // Nothing else may happen on the loop until then.
        lane.loop.schedule(after: wait * 1.3) { [weak lane] in lane?.pump() }
    }
}
