// The numbers of open streams are bounded for the node, for each device and for each address.

import Metrics
import ScoreTypes
import Synchronization

/// Names one stream of this process.
struct StreamID: Sendable, Hashable, Comparable {
    let number: UInt64

    static func < (left: StreamID, right: StreamID) -> Bool { left.number < right.number }
}

/// The open streams by client and by match.
final class StreamAdmission: Sendable {
    /// The reasons why a stream does not open.
    enum Refusal: Error, Sendable, Hashable {
        case draining
        case full
        /// The client has as many as it may have; the oldest of them is named.
        case client(oldest: StreamID?, cap: Int)
    }

    private struct Registry {
        var count = 0
        var newest: UInt64 = 0
        var watchers: [MatchID: Int] = [:]
        /// The streams of each client, oldest first.
        var parties: [ClientParty: [StreamID]] = [:]
        var isDraining = false
    }

    /// Set as soon as a draining node has no stream.
    let emptied = FirstValue<Void>()
    private let caps: StreamCaps
    private let metrics: StreamMetrics
    private let registry = Mutex(Registry())

    init(caps: StreamCaps, metrics: StreamMetrics) { (self.caps, self.metrics) = (caps, metrics) }

    /// How many streams are open.
    var count: Int { registry.withLock { $0.count } }

    /// How many streams watch each match.
    var watchers: [MatchID: Int] { registry.withLock { $0.watchers } }

    /// Whether a stream watches a match.
    func hasWatchers(of match: MatchID) -> Bool { registry.withLock { $0.watchers[match] != nil } }

    /// All streams, in no order.
    var all: [StreamID] { registry.withLock { $0.parties.values.flatMap(\.self) } }

    /// The streams of a client, oldest first.
    func streams(of party: ClientParty) -> [StreamID] { registry.withLock { $0.parties[party] ?? [] } }

    /// The client of each stream.
    var parties: [StreamID: ClientParty] {
        let parties = registry.withLock { $0.parties }
        var clients: [StreamID: ClientParty] = [:]
        for (party, streams) in parties { for stream in streams { clients[stream] = party } }
        return clients
    }

    /// Counts a new stream until its ticket is released.
    ///
    /// - `factor`: Times by which an address may have more streams.
    func enter(_ matches: [MatchID], _ party: ClientParty, factor: Int = 1) throws(Refusal) -> StreamTicket {
        let cap = if case .device = party { caps.device } else { caps.address * factor }
        let result: Result<StreamID, Refusal> = registry.withLock { registry in
            if registry.isDraining { return .failure(.draining) }
            if registry.count >= caps.node { return .failure(.full) }
            let own = registry.parties[party] ?? []
            if own.count >= cap { return .failure(.client(oldest: own.first, cap: cap)) }
            registry.count += 1
            registry.newest += 1
            let id = StreamID(number: registry.newest)
            for match in matches { registry.watchers[match, default: 0] += 1 }
            registry.parties[party, default: []].append(id)
            return .success(id)
        }
        let id = try result.get()
        metrics.connections.set(Double(count))
        return StreamTicket(id) { [self] in leave(id, matches, party) }
    }

    /// Admits no further streams.
    func drain() {
        let isEmpty = registry.withLock { registry in
            registry.isDraining = true
            return registry.count == 0
        }
        if isEmpty { emptied.set(()) }
    }

    private func leave(_ id: StreamID, _ matches: [MatchID], _ party: ClientParty) {
        let (count, isDraining) = registry.withLock { registry in
            registry.count -= 1
            for match in matches {
                let rest = (registry.watchers[match] ?? 0) - 1
                registry.watchers[match] = rest > 0 ? rest : nil
            }
            registry.parties[party]?.removeAll { $0 == id }
            if registry.parties[party]?.isEmpty == true { registry.parties[party] = nil }
            return (registry.count, registry.isDraining)
        }
        metrics.connections.set(Double(count))
        if isDraining && count == 0 { emptied.set(()) }
    }
}

/// The entry of one open stream; removed when its holder is released, on every path.
final class StreamTicket: Sendable {
    let id: StreamID
    private let remove: @Sendable () -> Void

    init(_ id: StreamID, _ remove: @escaping @Sendable () -> Void) { (self.id, self.remove) = (id, remove) }

    deinit { remove() }
}
