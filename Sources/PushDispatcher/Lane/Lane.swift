// The loop-confined shell of the fan-out: takes what the values decide and puts it on the wire.

internal import HTTP2
internal import ScoreTypes

/// Sends for one environment on one event loop; nothing in it leaves the loop's thread.
final class Lane {
    /// How often the lane looks at what is due although nothing happened.
    static let tickInterval = Duration.milliseconds(100)
    /// Requests outside the fan-out that may wait; beyond that the oldest goes, since its state is the oldest.
    static let requestsMax = 20_000
    /// Tokens sent before other matches get their turn.
    static let turnMax = 64

    struct Flight {
        enum Kind {
            case fanout(MatchID, FanoutSend)
            case request(LaneRequest)
        }
        let kind: Kind
        let token: StoredProviderToken
    }

    let loop: LoopContext
    let configuration: DispatcherConfiguration
    let source: any TokenSource
    let clock: ServiceClock
    let emit: @Sendable (LaneEvent) -> Void
    let share: @Sendable (LaneCounts) -> Void
    var fanouts: [MatchID: Fanout] = [:]
    var order: [MatchID] = []
    var requests: [LaneRequest] = []
    var flights: [UInt64: Flight] = [:]
    var lastTag: UInt64 = 0
    var counts = LaneCounts()
    var rejections: [Rejection] = []
    var chance: SplitMix64
    var breaker = Breaker()
    var isPaused = false
    var provider: StoredProviderToken?
    var writer: RequestWriter?
    lazy var pushDoor = Door(configuration.push, connections: configuration.connections, lane: self)
    lazy var broadcastDoor =
        configuration.broadcast == configuration.push
        ? pushDoor : Door(configuration.broadcast, connections: 1, lane: self)

    init(
        loop: LoopContext,
        configuration: DispatcherConfiguration,
        source: any TokenSource,
        clock: ServiceClock,
        seed: UInt64,
        emit: @escaping @Sendable (LaneEvent) -> Void,
        share: @escaping @Sendable (LaneCounts) -> Void
    ) {
        self.loop = loop
        self.configuration = configuration
        self.source = source
        self.clock = clock
        self.emit = emit
        self.share = share
        chance = SplitMix64(seed: seed)
        tick()
    }

    /// Takes a provider token; connections that knew an expired one are replaced by the caller.
    func use(_ token: StoredProviderToken) {
        guard writer == nil || provider?.text != token.text else { return }
        provider = token
        writer = RequestWriter(configuration: configuration, token: token)
        pump()
    }

    func offer(_ launch: Launch, resumed: [(bucket: Bucket, revision: Int64)]) {
        if fanouts[launch.match] == nil {
            fanouts[launch.match] = Fanout(match: launch.match, environment: configuration.environment)
            order.append(launch.match)
        }
        fanouts[launch.match]?.offer(launch, resumed: resumed)
        pump()
    }

    func late(_ match: MatchID, _ device: DeviceID, generation: Int32, knownRevision: Int64) {
        fanouts[match]?.late(device, generation: generation, knownRevision: knownRevision, at: clock.monotonic)
        pump()
    }

    func fence(_ match: MatchID, _ buckets: [Bucket]) { fanouts[match]?.fence(buckets) }

    func send(_ wanted: [LaneRequest]) {
        for request in wanted {
            // A broadcast that waits is replaced by a newer one of its channel.
            if case .channel = request.target {
                requests.removeAll { $0.target == request.target && $0.revision <= request.revision }
            }
            requests.append(request)
        }
        if requests.count > Self.requestsMax { requests.removeFirst(requests.count - Self.requestsMax) }
        pump()
    }

    func forget(_ match: MatchID) {
        fanouts[match] = nil
        order.removeAll { $0 == match }
    }

    func close() {
        isPaused = true
        pushDoor.close()
        broadcastDoor.close()
    }

    private func tick() {
        loop.schedule(after: Self.tickInterval) { [weak self] in
            guard let self else { return }
            pump()
            tick()
        }
    }

    /// Sends as much as connections, breaker and work allow.
    func pump() {
        defer { report() }
        guard !isPaused, let writer else { return }
        var allowance = breaker.allowance(at: clock.monotonic) ?? .max
        sendRequests(writer, &allowance)
        guard !order.isEmpty else { return }
        var idle = 0
        while idle < order.count, allowance > 0 {
            let match = order.removeFirst()
            order.append(match)
            let sent = sendTokens(of: match, writer, &allowance)
            if sent == nil { return }
            idle = sent == 0 ? idle + 1 : 0
        }
    }

    private func sendRequests(_ writer: RequestWriter, _ allowance: inout Int) {
        var kept: [LaneRequest] = []
        for request in requests {
            guard allowance > 0 else {
                kept.append(request)
                continue
            }
            let door: Door
            if case .channel = request.target { door = broadcastDoor } else { door = pushDoor }
            guard let connection = door.connection else {
                kept.append(request)
                continue
            }
            let tag = nextTag()
            guard writer.send(request, on: connection, tag: tag) else {
                kept.append(request)
                continue
            }
            flights[tag] = Flight(kind: .request(request), token: writer.token)
            breaker.sent()
            allowance -= 1
        }
        requests = kept
    }

    /// Sends some tokens of a match; nil when there is no connection with room.
    private func sendTokens(of match: MatchID, _ writer: RequestWriter, _ allowance: inout Int) -> Int? {
        guard var fanout = fanouts.removeValue(forKey: match) else { return 0 }
        defer { fanouts[match] = fanout }
        var sent = 0
        while sent < Self.turnMax, allowance > 0 {
            guard let connection = pushDoor.connection else { return nil }
            let now = clock.monotonic
            guard let launch = fanout.launch, let send = fanout.next(at: now, mayWalk: true, source: source) else {
                return fanout.wantsWalk && sent == 0 ? 1 : sent
            }
            let tag = nextTag()
            guard writer.send(send, of: launch, slice: fanout.slice, on: connection, tag: tag) else {
                fanout.takeBack(send, at: now)
                return nil
            }
            flights[tag] = Flight(kind: .fanout(match, send), token: writer.token)
            breaker.sent()
            allowance -= 1
            sent += 1
        }
        return sent
    }

    private func nextTag() -> UInt64 {
        lastTag &+= 1
        return lastTag
    }

    /// Tells the dispatcher what is complete, rejected and missed.
    func report() {
        for match in order {
            guard let fanout = fanouts[match] else { continue }
            if !fanout.completed.isEmpty {
                emit(.completed(match, fanout.completed))
                fanouts[match]?.completed = []
            }
            if !fanout.missed.isEmpty {
                emit(.missed(match, fanout.missed))
                fanouts[match]?.missed = []
            }
        }
        if !rejections.isEmpty {
            emit(.rejected(rejections))
            rejections = []
        }
        counts.superseded = fanouts.values.reduce(0) { $0 + $1.supersededCount }
        counts.connections = pushDoor.openCount
        counts.streamsInFlight = flights.count
        share(counts)
    }
}
