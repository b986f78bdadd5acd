// APNs in the simulated day: connections that fail, tokens that die, phones that check.

import Foundation
import HTTP2
import ScoreTypes

@testable import PushDispatcher

/// The faults of a day, drawn from the seed.
struct SimulatedLuck {
    /// A day without faults.
    static var none: SimulatedLuck { SimulatedLuck() }

    var refuse = 0.0
    var serverFault = 0.0
    var throttle = 0.0
    /// Lost after the request was read, half of them delivered.
    var cut = 0.0
    var silence = 0.0
    var goAway = 0.0
    var unreachable = 0.0
    /// Accepted pushes to a token that reach the phone seconds later, perhaps after newer ones.
    var late = 0.0
    var latency: ClosedRange<Int> = 20...80

    private init() {}

    init(_ world: SimulatedWorld) {
        func some(_ most: Double) -> Double { world.roll(0.5) ? world.chance.unit() * most : 0 }
        refuse = some(0.05)
        serverFault = some(0.05)
        throttle = some(0.02)
        cut = some(0.01)
        silence = some(0.005)
        goAway = some(0.005)
        unreachable = some(0.3)
        late = some(0.02)
        let slowest = world.number(50...900)
        latency = 10...slowest
    }
}

/// A submitted request.
struct SimulatedRequest {
    /// The path of a token, or the id of a channel.
    let recipient: String
    let priority: Int?
    /// In seconds since 1970; 0 for none.
    let expiration: Int64
    let body: [UInt8]
    /// When it was sent, since the beginning of the day.
    let at: Duration
}

/// The peer of all connections of a node's lanes.
final class SimulatedApple: LaneRuntime, @unchecked Sendable {
    private let world: SimulatedWorld
    /// May change during the day.
    var luck: SimulatedLuck
    /// Fixed answers of single tokens, by path.
    var fates: [String: Fate] = [:]
    private let phones: SimulatedPhones
    /// Streams of a connection after its first answer, drawn for each.
    var streamsAllowed = 2...400
    /// A killed node receives nothing, but what it sent still arrives.
    var isNodeDead = false
    private(set) var inFlight = 0
    /// When each connection was dialled, and how many were being dialled at once.
    private(set) var dials: [Duration] = []
    private(set) var dialling = (now: 0, most: 0)
    /// Receives each request when it leaves the node.
    var observer: ((SimulatedRequest) -> Void)?

    init(_ world: SimulatedWorld, _ luck: SimulatedLuck, _ phones: SimulatedPhones) {
        self.world = world
        self.luck = luck
        self.phones = phones
    }

    var now: Duration { world.now }
    /// Virtual work takes no time.
    var asleep: Duration { world.now }
    /// Whether a push has not reached its phone yet.
    var isDelivering: Bool { phones.expected > 0 }

    func schedule(after interval: Duration, _ body: @escaping () -> Void) {
        guard interval < .seconds(100_000) else { return }
        world.after(interval, body)
    }

    func dial(_ configuration: ClientConfiguration, for link: Link) -> any LinkConnection {
        let wire = SimulatedWire(link, self)
        let isReachable = !world.roll(luck.unreachable)
        dials.append(world.elapsed)
        dialling = (dialling.now + 1, max(dialling.most, dialling.now + 1))
        world.after(world.wait(luck.latency)) { [self] in
            dialling.now -= 1
            guard !isNodeDead else { return }
            if isReachable { wire.open() } else { wire.end(.unreachable("simulated")) }
        }
        return wire
    }

    /// Delivers a request.
    func take(_ path: String, _ fixed: HeaderTemplate, _ body: BodyBytes, _ tag: UInt64, on wire: SimulatedWire) {
        inFlight += 1
        let channel = fixed.value(of: "apns-channel-id")
        let arrives = world.wait(luck.latency)
        let answers = arrives + world.wait(luck.latency)
        let fate = fates[path] ?? draw()
        let bytes = Array(body.bytes)
        let priority = fixed.value(of: "apns-priority").flatMap { Int($0) }
        let request = SimulatedRequest(
            recipient: channel ?? path,
            priority: priority,
            expiration: fixed.value(of: "apns-expiration").flatMap { Int64($0) } ?? 0,
            body: bytes,
            at: world.elapsed
        )
        observer?(request)
        if fate == .served || fate == .lostAfter {
            let isLate = channel == nil && world.roll(luck.late)
            let delay = isLate ? world.wait(1_000...20_000) : .zero
            phones.expect()
            world.after(arrives + delay) { [phones] in phones.arrive(path, channel, bytes, priority: priority) }
        }
        world.after(fate == .silent ? .seconds(8) : answers) { [self] in
            inFlight -= 1
            guard !isNodeDead else { return }
            settle(fate, path, tag, wire)
        }
    }

    enum Fate { case served, refused, faulty, throttled, malformed, lostBefore, lostAfter, silent, gone }

    private func draw() -> Fate {
        if world.roll(luck.refuse) { return .refused }
        if world.roll(luck.serverFault) { return .faulty }
        if world.roll(luck.throttle) { return .throttled }
        if world.roll(luck.cut) { return world.roll(0.5) ? .lostBefore : .lostAfter }
        if world.roll(luck.silence) { return .silent }
        if world.roll(luck.goAway) { return .gone }
        return .served
    }

    private func settle(_ fate: Fate, _ path: String, _ tag: UInt64, _ wire: SimulatedWire) {
        switch fate {
        case .served:
            if let deadSince = phones.deadSince(path) {
                wire.answer(tag, 410, #"{"reason":"Unregistered","timestamp":\#(deadSince)}"#)
            } else {
                wire.answer(tag, 200)
                if wire.peerStreamLimit == 1 { wire.widen(to: world.number(streamsAllowed)) }
            }
        case .refused: wire.fail(tag, .refused)
        case .faulty: wire.answer(tag, 503, #"{"reason":"ServiceUnavailable"}"#)
        case .throttled: wire.answer(tag, 429, #"{"reason":"TooManyRequests"}"#)
        case .malformed: wire.answer(tag, 400, #"{"reason":"BadDeviceToken"}"#)
        case .lostBefore, .lostAfter: wire.end(.lost("simulated"))
        case .silent: wire.fail(tag, .timeout)
        case .gone:
            wire.fail(tag, .refused)
            wire.end(.goneAway(code: 0, debug: "simulated"))
        }
    }
}

/// One simulated connection.
final class SimulatedWire: LinkConnection {
    private weak var link: Link?
    private let apple: SimulatedApple
    private var opened = false
    private var isDraining = false
    private var tags: Set<UInt64> = []
    private(set) var peerStreamLimit = 1

    init(_ link: Link, _ apple: SimulatedApple) {
        self.link = link
        self.apple = apple
    }

    var isOpen: Bool { opened && !isDraining }
    var openStreams: Int { tags.count }
    var capacity: Int { isOpen ? max(0, peerStreamLimit - tags.count) : 0 }

    func submit(
        path: UnsafeRawBufferPointer,
        fixed: HeaderTemplate,
        extra: ExtraHeader?,
        body: BodyBytes?,
        tag: UInt64
    ) -> Bool {
        guard capacity > 0, let body else { return false }
        tags.insert(tag)
        apple.take(String(decoding: path, as: UTF8.self), fixed, body, tag, on: self)
        return true
    }

    func drain() {
        isDraining = true
        if tags.isEmpty { end(.closed) }
    }

    func close() { end(.closed) }

    func open() {
        opened = true
        link?.connectionDidOpen()
    }

    func widen(to limit: Int) {
        peerStreamLimit = limit
        link?.connectionHasCapacity()
    }

    func answer(_ tag: UInt64, _ status: Int, _ body: String = "") {
        guard tags.remove(tag) != nil else { return }
        Array(body.utf8).withUnsafeBytes { link?.answered(tag, LinkResponse(status: status, body: $0)) }
        finishTurn()
    }

    func fail(_ tag: UInt64, _ failure: StreamFailure) {
        guard tags.remove(tag) != nil else { return }
        link?.connectionFailed(tag, failure)
        finishTurn()
    }

    func end(_ reason: ConnectionEnd) {
        let lost = tags.sorted()
        tags = []
        let wasThere = link != nil
        opened = false
        for tag in lost { link?.connectionFailed(tag, .ambiguous) }
        let owner = link
        link = nil
        if wasThere { owner?.connectionDidClose(reason) }
    }

    private func finishTurn() {
        if isDraining, tags.isEmpty { return end(.closed) }
        link?.connectionHasCapacity()
    }
}
