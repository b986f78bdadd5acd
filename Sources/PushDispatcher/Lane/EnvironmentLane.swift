// One APNs environment on one loop: selects the next requests and keeps the streams full.

internal import HTTP2
internal import ScoreTypes

/// Immutable settings that all environments of a lane share.
struct LaneSetting: Sendable {
    let index: Int
    let laneCount: Int
    let configuration: DispatcherConfiguration
    let source: any TokenSource
    let outbox: LaneOutbox
    let clock: ServiceClock
    /// Whether this node's term is valid.
    let maySend: @Sendable () -> Bool
    /// The node's unrecorded sends.
    let unrecorded: UnrecordedSends
    /// Receives single attempts; nil for none.
    let attempts: (any AttemptObserver)?
    let seed: UInt64
    /// Time between two looks for waiting work, reports and connections.
    var tickInterval: Duration = PushLimits.laneTick
}

/// One environment of a lane; confined to the loop.
final class EnvironmentLane {
    let environment: PushEnvironment
    let endpoints: DispatcherConfiguration.Endpoints
    let setting: LaneSetting
    let context: any LaneRuntime
    let buffer = RequestBuffer()
    var generator: SplitMix64
    private(set) var pushPool: ConnectionPool?
    /// Nil if broadcasts use the push server.
    private(set) var broadcastPool: ConnectionPool?
    /// One connection for unverified tokens, made for the first of them: Apple limits a connection that sends bad
    /// tokens to one stream.
    private(set) var unverifiedPool: ConnectionPool?
    var pools: [ConnectionPool] { [pushPool, broadcastPool, unverifiedPool].compactMap { $0 } }
    private(set) var matches: [MatchLane] = []
    // Accessed for every push; each access ends before any other call.
    @exclusivity(unchecked) var flights = FlightTable()
    var directed = DirectedQueue()
    /// Starts and ends.
    var lifecycle = DirectedQueue()
    var broadcasts = DirectedQueue()
    @exclusivity(unchecked) var breaker = CircuitBreaker(EnvironmentBreaker.rules)
    @exclusivity(unchecked) var counts = LaneCounts()
    /// When counts were last reported.
    var countsReportedAt: Duration = .zero
    var providerToken: StoredProviderToken?
    var tokenVersion = 0
    /// APNs rejected the provider token as expired: nothing is sent until a new one comes.
    var isAwaitingToken = false
    var isPaused = false
    /// The node is shutting down: nothing new is started, and only the current buckets are finished.
    var isLeaving = false
    /// Tokens that APNs rejected as bad; the dispatcher evaluates them.
    var quarantines: [RejectedToken] = []
    var recent: [RecentRejection] = []
    /// Headers of the last directed request; the next one often has the same.
    var directedHeaders: (key: DirectedHeaders, template: HeaderTemplate)?
    /// Whether the observer receives accepted attempts.
    let wantsAccepted: Bool
    private var rotation = 0
    private var turn = LaneTurn()
    private var isStopped = false

    init(
        _ environment: PushEnvironment,
        _ endpoints: DispatcherConfiguration.Endpoints,
        _ setting: LaneSetting,
        in context: any LaneRuntime
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

    /// Runs periodically until `stop`.
    func tick() {
        guard !isStopped else { return }
        runPendingWork()
        context.schedule(after: setting.tickInterval) { self.tick() }
    }

    /// Dials, sends what waits, and reports.
    func runPendingWork() {
        dial()
        dropOldAlerts()
        pump()
        // An alert is repeated after a crash wherever it is unrecorded, so its buckets do not wait for repeats.
        for match in matches where match.fanout.isUrgent || isLeaving { match.fanout.releaseRepeats() }
        report()
    }

    /// Dials missing connections that are due; APNs accepts none without a token.
    func dial() {
        guard !isStopped, !isPaused, providerToken != nil else { return }
        for pool in pools { pool.tick() }
    }

    func stop() {
        isStopped = true
        for pool in pools { pool.stop() }
    }

    func matchLane(_ match: MatchID) -> MatchLane {
        if let known = matches.first(where: { $0.match == match }) { return known }
        let made = MatchLane(match: match, environment: environment)
        matches.append(made)
        return made
    }

    func forget(_ match: MatchID) { matches.removeAll { $0.match == match } }

    /// Drops alerts that are older than `PushLimits.alertAge`.
    func dropOldAlerts() {
        for match in matches { match.fanout.dropOldAlert(by: setting.clock) }
    }

    /// Uses another provider token.
    ///
    /// Apple requires that every connection on which a replaced key was used is closed. It permits a connection one new
    /// token in twenty minutes, its first included, so younger connections are replaced.
    func use(_ token: StoredProviderToken, version: Int, isOfNewKey: Bool) {
        let isAnother = providerToken.map { $0.text != token.text } ?? false
        (providerToken, tokenVersion, isAwaitingToken) = (token, version, false)
        for pool in pools {
            if isOfNewKey { pool.renew() } else if isAnother { pool.renew(youngerThan: PushLimits.tokenDistance) }
        }
        dial()
        pump()
    }

    /// Fills the streams with waiting requests, in turns (`LaneTurn`).
    func pump() {
        // Comes before the checks that keep requests waiting, so that none is sent after its deadline.
        dropExpired()
        guard !isStopped, !isPaused, !isAwaitingToken, providerToken != nil, setting.maySend() else { return }
        if !isLeaving {
            pumpBroadcasts()
            pumpUnverified()
        }
        guard let pool = pushPool else { return }
        while let link = pool.leastLoaded() {
            let allowed = breaker.allowance(at: context.now) ?? .max
            let turn = min(link.room, PushLimits.requestsPerLaneTurn, allowed)
            guard turn > 0, take(turn, on: link) > 0 else { return }
            pool.served(link)
        }
    }

    private func pumpBroadcasts() {
        guard let pool = broadcastPool ?? pushPool else { return }
        while let link = pool.leastLoaded(), breaker.allowance(at: context.now) != 0,
            let push = broadcasts.next(at: context.now)
        {
            // A state that had to wait is returned unsent, since its owner has a newer one by now.
            guard push.repeatsWhenFailed || context.now - push.queuedAt <= PushLimits.broadcastAge else {
                finish(push, .unsent)
                continue
            }
            guard submit(push, on: link) else { return }
            pool.served(link)
        }
    }

    private func pumpUnverified() {
        guard matches.contains(where: { $0.fanout.hasUnverified }) else { return }
        if unverifiedPool == nil {
            unverifiedPool = makePool(endpoints.push, slots: 1)
            unverifiedPool?.tick()
        }
        for match in matches {
            while let link = unverifiedPool?.leastLoaded(), breaker.allowance(at: context.now) != 0,
                let send = match.fanout.nextUnverified(at: context.now, source: setting.source)
            {
                guard submit(send, of: match, on: link) else { return }
            }
        }
    }

    /// Submits up to `limit` requests; returns how many.
    private func take(_ limit: Int, on link: Link) -> Int {
        var count = 0
        turn.advance()
        for placeClass in turn.classes where count < limit {
            switch placeClass {
            case .urgent: count += takeFanouts(limit - count, urgent: true, on: link)
            case .ordinary: count += takeFanouts(limit - count, urgent: false, on: link)
            case .directed, .lifecycle:
                while count < limit, !isLeaving, link.hasRoomForDirected, let push = nextDirected(placeClass) {
                    guard submit(push, on: link) else { return count }
                    count += 1
                }
            }
        }
        return count
    }

    private func nextDirected(_ placeClass: LaneClass) -> DirectedPush? {
        placeClass == .directed ? directed.next(at: context.now) : lifecycle.next(at: context.now)
    }

    /// Queues a directed request, for now or for a moment of the loop's time; false if too many wait.
    func keep(_ push: DirectedPush, until due: Duration? = nil) -> Bool {
        if push.isBroadcast { return due.map { broadcasts.delay(push, until: $0) } ?? broadcasts.append(push) }
        if push.isLifecycle { return due.map { lifecycle.delay(push, until: $0) } ?? lifecycle.append(push) }
        return due.map { directed.delay(push, until: $0) } ?? directed.append(push)
    }

    private func takeFanouts(_ limit: Int, urgent: Bool, on link: Link) -> Int {
        guard !matches.isEmpty else { return 0 }
        let allowance = allowance
        if allowance == .nothing {
            // Buckets no longer wait for tokens that are repeated.
            for match in matches { match.fanout.releaseRepeats() }
        }
        var count = 0
        for step in 0..<matches.count {
            let index = (rotation + step) % matches.count
            let match = matches[index]
            guard match.fanout.isUrgent == urgent else { continue }
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

    /// The present limits of walks.
    private var allowance: WalkAllowance {
        guard !isLeaving else { return .bucketUnderWay }
        // Each lane keeps its share, so that the node keeps the bound.
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
        return ConnectionPool(client, slots: slots, in: context, lane: self, seed: generator.next())
    }
}
