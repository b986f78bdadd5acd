// One APNs environment on one loop: its connections, its matches and its queues.

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

    /// The part of this lane of a number of connections, at least one.
    func share(of connections: Int) -> Int {
        max(1, connections / laneCount + (index < connections % laneCount ? 1 : 0))
    }
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
    var unverifiedPool: ConnectionPool?
    var pools: [ConnectionPool] { [pushPool, broadcastPool, unverifiedPool].compactMap { $0 } }
    private(set) var matches: [MatchLane] = []
    // Accessed for every push; each access ends before any other call.
    @exclusivity(unchecked) var flights = FlightTable()
    var directed = DirectedQueue()
    /// Starts and ends.
    var lifecycle = DirectedQueue()
    var broadcasts = DirectedQueue()
    @exclusivity(unchecked) var breaker = CircuitBreaker(EnvironmentBreaker.rules)
    /// The answer that opened the breaker last.
    var breakerReason: APNsReason?
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
    /// Headers of the last directed request; the next one often has the same.
    var directedHeaders: (key: DirectedHeaders, template: HeaderTemplate)?
    /// The accepted attempts that the observer receives.
    let acceptedAttempts: AcceptedAttempts
    /// The publication of the last directed request that was a sample.
    var sampledSeed: RequestSeed?
    var acceptedCount = 0
    /// Answers of APNs since the start.
    @exclusivity(unchecked) var answeredCount = 0
    /// The match whose fan-out comes first in the next turn.
    var rotation = 0
    var turn = LaneTurn()
    private(set) var isStopped = false

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
        acceptedAttempts = setting.attempts?.acceptedAttempts ?? .none
        generator = SplitMix64(seed: setting.seed)
        let configuration = setting.configuration
        let few = setting.share(of: configuration.connectionsPerEnvironment)
        let most = setting.share(of: min(configuration.connectionsMax, PushLimits.connections))
        pushPool = makePool(endpoints.push, slots: few, most: most)
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
        if let pushPool {
            pushPool.adjust(isShort: pushPool.isFull(for: directed.hasReady), answers: answeredCount)
        }
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

    func makePool(_ endpoint: DispatcherConfiguration.Endpoint, slots: Int, most: Int? = nil) -> ConnectionPool {
        let trust = setting.configuration.authorities.map { TLSTrust.certificates(pem: $0) } ?? .system
        var client = ClientConfiguration(
            host: endpoint.host,
            port: endpoint.port,
            tls: TLSClientConfiguration(trust: trust, serverName: endpoint.host)
        )
        client.requestTimeout = setting.configuration.requestTimeout
        return ConnectionPool(client, slots: slots, most: most, in: context, lane: self, seed: generator.next())
    }
}
