// Spreads each state to everybody who watches its match; nobody's slowness reaches anybody else.

import Metrics
import NIOCore
import ScoreTypes
import ServiceLifecycle
import Synchronization

/// All open streams of this node.
final class StreamHub: Service {
    /// Who a stream counts for.
    struct Party: Hashable, Sendable {
        let name: String
        let isDevice: Bool
    }

    private struct Member: Sendable {
        let subscriber: StreamSubscriber
        let channel: any Channel
        let party: Party
    }

    private struct Registry {
        var members: [ObjectIdentifier: Member] = [:]
        var watchers: [MatchID: [ObjectIdentifier: StreamSubscriber]] = [:]
        /// The streams of each party, oldest first.
        var parties: [Party: [StreamSubscriber]] = [:]
        var isDraining = false
    }

    let timing: StreamTiming
    private let caps: StreamCaps
    private let clock: ServiceClock
    private let registry = Mutex(Registry())
    let meters = StreamMeters()

    init(caps: StreamCaps = StreamCaps(), timing: StreamTiming = StreamTiming(), clock: ServiceClock) {
        self.caps = caps
        self.timing = timing
        self.clock = clock
    }

    /// How many streams are open.
    var connectionCount: Int { registry.withLock { $0.members.count } }

    /// How many streams watch each match.
    var watcherCounts: [MatchID: Int] { registry.withLock { $0.watchers.mapValues(\.count) } }

    /// Takes a stream in.
    ///
    /// - Throws: 503 when the node is full or draining; 429 when the party has too many, and then its oldest one ends.
    func enter(_ subscriber: StreamSubscriber, channel: any Channel, party: Party) throws(ServiceProblem) -> StreamSeat
    {
        let id = ObjectIdentifier(subscriber)
        let cap = party.isDevice ? caps.device : caps.address
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
            if party.isDevice { oldest?.close(.overload) }
            var problem = ServiceProblem(.quotaExceeded, extras: ["violatedPolicies": .array([.text("streams")])])
            problem.retryAfter = .seconds(1)
            throw problem
        case nil: break
        }
        meters.connections.set(Double(connectionCount))
        return StreamSeat { [self] in leave(subscriber) }
    }

    /// Offers a match's newest state to everybody who watches it.
    func publish(_ view: MatchView) {
        guard let watchers = registry.withLock({ $0.watchers[view.match] }), !watchers.isEmpty else { return }
        let started = clock.monotonic
        let frame = StreamFrame(view)
        var skipped = 0
        for subscriber in watchers.values where subscriber.offer(frame) { skipped += 1 }
        if skipped > 0 { meters.conflated.increment(by: skipped) }
        meters.fanOut.record(duration: clock.monotonic - started)
    }

    /// Tells the watchers of a match that an operator froze it, or let it go again.
    func publishHeld(_ match: MatchID, _ hold: MatchHold?) {
        let event = EventText.held(match, hold)
        let watchers = registry.withLock { $0.watchers[match] } ?? [:]
        for subscriber in watchers.values { subscriber.notify(event) }
    }

    /// Tells the watchers of a match that nobody reports it, or that somebody does again.
    func publishStale(_ match: MatchID, since: Instant?) {
        let event = EventText.stale(match, since: since, now: clock.wall)
        let watchers = registry.withLock { $0.watchers[match] } ?? [:]
        for subscriber in watchers.values { subscriber.notify(event) }
    }

    /// Ends all streams and takes no more; clients come back elsewhere, spread over the time that accepting them takes.
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

    /// Watches the clock until shutdown.
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
            if member.subscriber.tick(now: now, ping: ping) == .stalled {
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
        meters.connections.set(Double(connectionCount))
    }
}

/// A place among the open streams; given back when its holder goes, whatever happened to it.
final class StreamSeat: Sendable {
    private let giveBack: @Sendable () -> Void

    init(_ giveBack: @escaping @Sendable () -> Void) { self.giveBack = giveBack }

    deinit { giveBack() }
}
