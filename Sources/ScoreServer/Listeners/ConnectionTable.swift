// Counts the connections of a listener, admits new ones, and checks the times of all connections of an event loop at
// once, since a timer for each of them would cost more than their requests.

import Metrics
import NIOCore
import ScoreTypes
import Synchronization

/// The place of a connection in the counts.
struct ConnectionTicket: Sendable {
    /// nil when the address has no cap of its own.
    fileprivate let address: IPAddress?
}

/// A connection is not admitted.
struct ConnectionRefusal: Error {
    let end: ClosingReason
}

/// The open connections of one listener.
final class ConnectionTable: Sendable {
    private struct Counts {
        var open = 0
        var addresses: [IPAddress: Int] = [:]
        var loops: [ObjectIdentifier: NIOLoopBound<LoopConnections>] = [:]
    }

    let limits: ConnectionLimits
    private let caps: ConnectionCaps
    /// Our own proxies, whose connections carry all clients.
    private let trusted: [AddressBlock]
    private let clientsLeft: @Sendable () -> Int
    private let counts = Mutex(Counts())
    private let open: Meter
    private let closed: [ClosingReason: Counter]

    /// `listener` is `public` or `internal`, for metrics; `clientsLeft` is how many clients fit beside the streams.
    init(
        listener: String,
        limits: ConnectionLimits = ConnectionLimits(),
        caps: ConnectionCaps = ConnectionCaps(),
        trusted: [AddressBlock] = [],
        clientsLeft: @escaping @Sendable () -> Int = { .max }
    ) {
        (self.limits, self.caps, self.trusted, self.clientsLeft) = (limits, caps, trusted, clientsLeft)
        open = Meter(label: "score_http_connections", dimensions: [("listener", listener)])
        closed = Dictionary(
            uniqueKeysWithValues: ClosingReason.allCases.map { end in
                let dimensions = [("listener", listener), ("reason", end.rawValue)]
                return (end, Counter(label: "score_http_connections_closed_total", dimensions: dimensions))
            }
        )
    }

    /// Counts a new connection in, unless the node or the address has too many.
    func admit(_ peer: SocketAddress?) -> Result<ConnectionTicket, ConnectionRefusal> {
        let address = IPAddress(peer).flatMap { address in
            trusted.contains { $0.contains(address) } ? nil : address.household
        }
        let most = min(caps.node, clientsLeft())
        let result: Result<Int, ConnectionRefusal> = counts.withLock { counts in
            guard counts.open < most else { return .failure(ConnectionRefusal(end: .node)) }
            if let address {
                let own = counts.addresses[address, default: 0]
                guard own < caps.address else { return .failure(ConnectionRefusal(end: .address)) }
                counts.addresses[address] = own + 1
            }
            counts.open += 1
            return .success(counts.open)
        }
        return result.map { count in
            open.set(count)
            return ConnectionTicket(address: address)
        }
    }

    /// Counts a closed connection out.
    func leave(_ ticket: ConnectionTicket, _ end: ClosingReason) {
        let count = counts.withLock { counts in
            counts.open -= 1
            if let address = ticket.address, let own = counts.addresses[address] {
                counts.addresses[address] = own > 1 ? own - 1 : nil
            }
            return counts.open
        }
        open.set(count)
        self.count(end)
    }

    /// Counts the reason why a connection ended.
    func count(_ end: ClosingReason) { closed[end]?.increment() }

    /// The connections of an event loop; called on it.
    func connections(on loop: any EventLoop) -> LoopConnections {
        counts.withLock { counts in
            let id = ObjectIdentifier(loop)
            if let known = counts.loops[id] { return known.value }
            let made = LoopConnections(loop, checkedEvery: limits.check)
            counts.loops[id] = NIOLoopBound(made, eventLoop: loop)
            return made
        }
    }
}

/// The open connections of one event loop, used on it only.
final class LoopConnections {
    private let interval: TimeAmount
    private let loop: any EventLoop
    private var handlers: [ObjectIdentifier: ConnectionHandler] = [:]
    private var isScheduled = false
    /// The time of the last check.
    private(set) var now: NIODeadline

    init(_ loop: any EventLoop, checkedEvery interval: TimeAmount) {
        (self.loop, self.interval) = (loop, interval)
        now = loop.now
    }

    /// Checks a connection's times from now on.
    func add(_ handler: ConnectionHandler) {
        handlers[ObjectIdentifier(handler)] = handler
        guard !isScheduled else { return }
        now = loop.now
        schedule()
    }

    /// Checks a connection's times no more.
    func remove(_ handler: ConnectionHandler) { handlers[ObjectIdentifier(handler)] = nil }

    private func schedule() {
        isScheduled = true
        _ = loop.assumeIsolated().scheduleTask(in: interval) { self.check() }
    }

    private func check() {
        now = loop.now
        for handler in handlers.values { handler.check(at: now) }
        isScheduled = false
        if !handlers.isEmpty { schedule() }
    }
}
