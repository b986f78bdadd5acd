// Each state goes to all streams of its match; a slow reader delays no other.

import Metrics
import NIOCore
import ScoreTypes
import ServiceLifecycle
import Synchronization

/// All open streams of this node.
final class StreamHub: Service {
    private struct Member: Sendable {
        let subscriber: StreamSubscriber
        let channel: any Channel
        let party: ClientParty
    }

    private struct Registry {
        var members: [ObjectIdentifier: Member] = [:]
        var watchers: [MatchID: [ObjectIdentifier: StreamSubscriber]] = [:]
        /// The streams of each client, oldest first.
        var parties: [ClientParty: [StreamSubscriber]] = [:]
        var isDraining = false
    }

    let timing: StreamTiming
    private let caps: StreamCaps
    private let clock: ServiceClock
    private let registry = Mutex(Registry())
    let metrics = StreamMetrics()

    init(caps: StreamCaps = StreamCaps(), timing: StreamTiming = StreamTiming(), clock: ServiceClock) {
        self.caps = caps
        self.timing = timing
        self.clock = clock
    }

    /// How many streams are open.
    var connectionCount: Int { registry.withLock { $0.members.count } }

    /// How many streams watch each match.
    var watcherCounts: [MatchID: Int] { registry.withLock { $0.watchers.mapValues(\.count) } }

    /// Registers a stream; throws 503 on a full or draining node, 429 for too many of a client, whose oldest one ends.
    func enter(_ subscriber: StreamSubscriber, channel: any Channel, party: ClientParty) throws(ServiceProblem)
        -> StreamRegistration
    {
        let id = ObjectIdentifier(subscriber)
        let isDevice = if case .device = party { true } else { false }
        let cap = isDevice ? caps.device : caps.address
        enum Refusal { case draining, full, party(oldest: StreamSubscriber?) }
        let refusal: Refusal? = registry.withLock { registry in
            if registry.isDraining { return .draining }
            if registry.members.count >= caps.node { return .full }
            let own = registry.parties[party] ?? []
            if own.count >= cap { return .party(oldest: own.first) }
            registry.members[id] = Member(subscriber: subscriber, channel: channel, party: party)
            for match in subscriber.matches { registry.watchers[match, default: [:]][id] = subscriber }
            registry.parties[party, default: []].append(subscriber)
            return nil
        }
        switch refusal {
        case .draining: throw .unavailable("draining")
        case .full: throw .unavailable("overload", seconds: 5...30)
        case .party(let oldest):
            if isDevice { oldest?.close(.overload) }
            var problem = ServiceProblem(.quotaExceeded, extras: ["violatedPolicies": .array([.text("streams")])])
            problem.retryAfter = .seconds(1)
            throw problem
        case nil: break
        }
        metrics.connections.set(Double(connectionCount))
        return StreamRegistration { [self] in leave(subscriber) }
    }

    /// Offers a match's newest state to all of its streams.
    func publish(_ view: MatchView) {
        guard let watchers = registry.withLock({ $0.watchers[view.match] }), !watchers.isEmpty else { return }
        let started = clock.monotonic
        let frame = StreamFrame(view)
        var skipped = 0
        for subscriber in watchers.values where subscriber.offer(frame) { skipped += 1 }
        if skipped > 0 { metrics.conflated.increment(by: skipped) }
        metrics.fanOut.record(duration: clock.monotonic - started)
    }

    /// Sends the hold of a match, or its release, to the streams of the match.
    func publishHeld(_ match: MatchID, _ hold: MatchHold?) { notify(match, EventText.held(match, hold)) }

    /// Sends to the streams of a match that no feed reports it, or that one does again.
    func publishStale(_ match: MatchID, since: Instant?) {
        notify(match, EventText.stale(match, since: since, now: clock.wall))
    }

    private func notify(_ match: MatchID, _ event: ByteBuffer) {
        let watchers = registry.withLock { $0.watchers[match] } ?? [:]
        for subscriber in watchers.values { subscriber.notify(event) }
    }

    /// Ends all streams and accepts no more; the clients reconnect to other nodes at random times within two ms each.
    func drain() {
        let members = registry.withLock { registry in
            registry.isDraining = true
            return registry.members
        }
        let spread = max(1_000, Int64(members.count) * 2)
        for member in members.values {
            member.subscriber.close(.draining, reconnectAfter: .milliseconds(Int64.random(in: 100...spread)))
        }
    }

    /// Checks the times of all streams until shutdown.
    func run() async throws {
        await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                try? await Task.sleep(for: self.timing.tick)
                self.tick()
            }
        }
    }

    private func tick() {
        let now = clock.monotonic
        let wall = clock.wall.milliseconds
        let ping = EventText.event("ping") { $0.field("t", wall) }
        for member in registry.withLock({ $0.members }).values {
            if !member.subscriber.tick(now: now, ping: ping) {
                member.subscriber.close(.slow)
                member.channel.close(promise: nil)
            }
        }
    }

    private func leave(_ subscriber: StreamSubscriber) {
        let id = ObjectIdentifier(subscriber)
        registry.withLock { registry in
            guard let member = registry.members.removeValue(forKey: id) else { return }
            for match in subscriber.matches {
                registry.watchers[match]?[id] = nil
                if registry.watchers[match]?.isEmpty == true { registry.watchers[match] = nil }
            }
            registry.parties[member.party]?.removeAll { $0 === subscriber }
            if registry.parties[member.party]?.isEmpty == true { registry.parties[member.party] = nil }
        }
        metrics.connections.set(Double(connectionCount))
    }
}

/// The entry of one open stream; removed when its holder is released, on every path.
final class StreamRegistration: Sendable {
    private let remove: @Sendable () -> Void

    init(_ remove: @escaping @Sendable () -> Void) { self.remove = remove }

    deinit { remove() }
}
