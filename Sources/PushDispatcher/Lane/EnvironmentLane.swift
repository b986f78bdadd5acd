// One of Apple's environments on one loop: decides between what waits, and keeps the streams full.

internal import HTTP2
internal import ScoreTypes

/// What all environments of a lane share; immutable.
struct LaneSetting: Sendable {
    let index: Int
    let laneCount: Int
    let configuration: DispatcherConfiguration
    let source: any TokenSource
    let outbox: LaneOutbox
    let clock: ServiceClock
    /// Whether this node may still send: its trust in its own term.
    let maySend: @Sendable () -> Bool
    /// What the node has sent and not recorded.
    let unrecorded: UnrecordedSends
    /// Who follows single requests; nil for nobody.
    let attempts: (any AttemptObserver)?
    let seed: UInt64
    /// How often waiting work, reports and connections are looked at.
    var tickInterval: Duration = .milliseconds(50)
    /// How often counts are handed over at most.
    var tallyInterval: Duration = .milliseconds(45)
}

/// Confined to the loop.
final class EnvironmentLane: LinkOwner {
    /// Requests made before another match or class gets its turn.
    static let turnSize = 32
    /// A broadcast that waited longer for a stream is not sent any more.
    static let broadcastAgeMax: Duration = .seconds(1)
    /// A directed request is tried again for this long.
    static let directedWindow: Duration = .seconds(30)

    let environment: PushEnvironment
    let endpoints: DispatcherConfiguration.Endpoints
    let setting: LaneSetting
    let context: any Surroundings
    let buffer = RequestBuffer()
    var generator: SplitMix64
    private(set) var pushPool: ConnectionPool?
    /// Nil when broadcasts go to the push server.
    private(set) var broadcastPool: ConnectionPool?
    /// One connection for tokens that were never sent to, made when the first of them comes: Apple narrows a connection
    /// that brings bad tokens to one stream.
    private(set) var suspectPool: ConnectionPool?
    private(set) var matches: [MatchLane] = []
    // These are touched for every push, and each access is over before anything else is called.
    @exclusivity(unchecked) var flights = FlightTable()
    var directed = DirectedQueue()
    /// Starts and ends.
    var patient = DirectedQueue()
    var broadcasts = DirectedQueue()
    @exclusivity(unchecked) var breaker = CircuitBreaker(EnvironmentBreaker.rules)
    @exclusivity(unchecked) var tally = Tally()
    /// When the counts were handed over last.
    var talliedAt: Duration = .zero
    var providerToken: StoredProviderToken?
    var tokenVersion = 0
    /// APNs called the token expired: nothing goes out until a new one comes.
    var isAwaitingToken = false
    var isPaused = false
    /// The node is going: nothing is begun any more, only buckets under way are walked to their end.
    var isLeaving = false
    var rejections: [Rejection] = []
    /// Tokens that were called bad; the dispatcher judges whether that is to be believed.
    var quarantines: [Rejection] = []
    var recent: [RecentRejection] = []
    /// Headers of the last directed request, since the next one's are often the same.
    var directedHeaders: (key: DirectedHeaders, template: HeaderTemplate)?
    /// Whether anybody wants to hear of what was accepted.
    let wantsAccepted: Bool
    private var rotation = 0
    private var turn = LaneTurn()
    private var isStopped = false

    init(
        _ environment: PushEnvironment,
        _ endpoints: DispatcherConfiguration.Endpoints,
        _ setting: LaneSetting,
        in context: any Surroundings
    ) {
        self.environment = environment
        self.endpoints = endpoints
        self.setting = setting
        self.context = context
        wantsAccepted = setting.attempts?.wantsAccepted ?? false
        generator = SplitMix64(seed: setting.seed)
        let configuration = setting.configuration
        let all = max(1, configuration.connectionsPerEnvironment)
        let share = all / setting.laneCount + (setting.index < all % setting.laneCount ? 1 : 0)
        pushPool = makePool(endpoints.push, slots: max(1, share))
        if endpoints.broadcast != endpoints.push, setting.index == 0 {
            broadcastPool = makePool(endpoints.broadcast, slots: 1)
        }
    }

    /// Begins to work; repeats itself until `stop`.
    func tick() {
        guard !isStopped else { return }
        look()
        context.schedule(after: setting.tickInterval) { self.tick() }
    }

    /// Sees to connections, to what waits, and to what has to be reported.
    func look() {
        dial()
        dropOldAlerts()
        pump()
        report()
    }

    /// Dials where a connection is missing and its time has come; without a token nobody would be let in.
    func dial() {
        guard !isStopped, !isPaused, providerToken != nil else { return }
        pushPool?.tick()
        broadcastPool?.tick()
        suspectPool?.tick()
    }

    func stop() {
        isStopped = true
        pushPool?.stop()
        broadcastPool?.stop()
        suspectPool?.stop()
    }

    func matchLane(_ match: MatchID) -> MatchLane {
        if let known = matches.first(where: { $0.match == match }) { return known }
        let made = MatchLane(match: match, environment: environment)
        matches.append(made)
        return made
    }

    func forget(_ match: MatchID) { matches.removeAll { $0.match == match } }

    /// Alerts ride for a minute, however long their fan-out takes and whether anything newer comes or not.
    func dropOldAlerts() {
        for match in matches { match.fanout.dropOldAlert(by: setting.clock) }
    }

    /// Replaces the connections, as after a change of the signing key.
    func renewConnections() {
        pushPool?.renew()
        broadcastPool?.renew()
        suspectPool?.renew()
    }

    /// Fills the streams with what waits, by turns (`LaneTurn`).
    func pump() {
        // Before all that may keep requests waiting, and so before any of them goes out.
        dropExpired()
        guard !isStopped, !isPaused, !isAwaitingToken, providerToken != nil, setting.maySend() else { return }
        if !isLeaving {
            pumpBroadcasts()
            pumpSuspects()
        }
        guard let pool = pushPool else { return }
        while let link = pool.leastLoaded() {
            let allowed = breaker.allowance(at: context.now) ?? .max
            let turn = min(link.room, Self.turnSize, allowed)
            guard turn > 0, take(turn, on: link) > 0 else { return }
            pool.served(link)
        }
    }

    private func pumpBroadcasts() {
        guard let pool = broadcastPool ?? pushPool else { return }
        while let link = pool.leastLoaded(), breaker.allowance(at: context.now) != 0,
            let push = broadcasts.next(at: context.now)
        {
            // A state that had to wait goes back unsent, since its owner has a newer one by now.
            guard push.repeatsWhenFailed || context.now - push.queuedAt <= Self.broadcastAgeMax else {
                finish(push, .unsent)
                continue
            }
            guard submit(push, on: link) else { return }
            pool.served(link)
        }
    }

    private func pumpSuspects() {
        guard matches.contains(where: { $0.fanout.hasSuspects }) else { return }
        if suspectPool == nil {
            suspectPool = makePool(endpoints.push, slots: 1)
            suspectPool?.tick()
        }
        for match in matches {
            while let link = suspectPool?.leastLoaded(), breaker.allowance(at: context.now) != 0,
                let send = match.fanout.nextSuspect(at: context.now, source: setting.source)
            {
                guard submit(send, of: match, on: link) else { return }
            }
        }
    }

    /// Makes up to so many requests; returns how many.
    private func take(_ limit: Int, on link: Link) -> Int {
        var count = 0
        turn.advance()
        for place in 0..<LaneTurn.placeCount where count < limit {
            switch turn.place(place) {
            case .urgent: count += takeFanouts(limit - count, urgent: true, on: link)
            case .ordinary: count += takeFanouts(limit - count, urgent: false, on: link)
            case .directed:
                while count < limit, !isLeaving, let push = directed.next(at: context.now) {
                    guard submit(push, on: link) else { return count }
                    count += 1
                }
            case .patient:
                while count < limit, !isLeaving, let push = patient.next(at: context.now) {
                    guard submit(push, on: link) else { return count }
                    count += 1
                }
            }
        }
        return count
    }

    /// Keeps a directed request until its turn, or until its time and then its turn; false when too many wait.
    func keep(_ push: DirectedPush, until due: Duration? = nil) -> Bool {
        if push.isBroadcast { return due.map { broadcasts.delay(push, until: $0) } ?? broadcasts.append(push) }
        if push.isPatient { return due.map { patient.delay(push, until: $0) } ?? patient.append(push) }
        return due.map { directed.delay(push, until: $0) } ?? directed.append(push)
    }

    private func takeFanouts(_ limit: Int, urgent: Bool, on link: Link) -> Int {
        guard !matches.isEmpty else { return 0 }
        let allowance = allowance
        if allowance == .nothing {
            // Buckets wait no longer for tokens that are tried again.
            for match in matches { match.fanout.releaseRepeats() }
        }
        var count = 0
        for step in 0..<matches.count {
            let index = (rotation + step) % matches.count
            let match = matches[index]
            guard match.isUrgent == urgent else { continue }
            while count < limit,
                let send = match.fanout.next(at: context.now, allowance, source: setting.source)
            {
                guard submit(send, of: match, on: link) else { return count }
                count += 1
            }
            if count >= limit {
                rotation = (index + 1) % matches.count
                return count
            }
        }
        return count
    }

    /// What walks may do now.
    private var allowance: WalkAllowance {
        guard !isLeaving else { return .bucketUnderWay }
        // Each lane keeps to its share, so that the node keeps to the bound.
        return WalkAllowance(
            bound: max(1, setting.configuration.unrecordedSendsMax),
            recording: setting.unrecorded.count,
            answered: matches.reduce(0) { $0 + $1.fanout.answeredUnreported } * setting.laneCount,
            underWay: matches.reduce(0) { $0 + $1.fanout.answeredUnderWay } * setting.laneCount
        )
    }

    private func makePool(_ endpoint: DispatcherConfiguration.Endpoint, slots: Int) -> ConnectionPool {
        let trust = setting.configuration.authorities.map { TLSTrust.certificates(pem: $0) } ?? .system
        var client = ClientConfiguration(
            host: endpoint.host,
            port: endpoint.port,
            tls: TLSClientConfiguration(trust: trust, serverName: endpoint.host)
        )
        client.requestTimeout = setting.configuration.requestTimeout
        return ConnectionPool(client, slots: slots, in: context, owner: self, seed: generator.next())
    }
}
