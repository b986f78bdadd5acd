// A true APNs on this machine: TLS, HTTP/2, Apple's rules, tokens, channels, and phones that get what is accepted.

internal import Dispatch
public import HTTP2
public import ScoreTypes

/// The state that the servers of a simulator share.
struct APNsState: Sendable {
    let configuration: APNsSimulatorConfiguration
    let clock: ServiceClock
    let directory: PushDirectory
    let history = SharedPushHistory()
    let screens: SimulatedScreens

    init(_ configuration: APNsSimulatorConfiguration, _ clock: ServiceClock) {
        (self.configuration, self.clock) = (configuration, clock)
        directory = PushDirectory(channelsMax: configuration.channelsMax)
        screens = SimulatedScreens(clock: clock)
    }
}

/// A running simulator; may be used from any thread.
public final class APNsSimulator: Sendable {
    /// The port for pushes and broadcasts.
    public let pushPort: Int
    /// The port for channel management.
    public let managementPort: Int
    private let loop: EventLoop
    private let servers: [Server]
    private let gateway: LoopKey<PushGateway>
    let state: APNsState

    private init(
        _ state: APNsState,
        _ loop: EventLoop,
        push: Server,
        management: Server,
        _ gateway: LoopKey<PushGateway>
    ) {
        (pushPort, managementPort) = (Int(push.port), Int(management.port))
        servers = [push, management]
        (self.state, self.loop, self.gateway) = (state, loop, gateway)
    }

    /// Starts the servers of both ports on one thread; by the clock tokens expire and pushes are recorded.
    ///
    /// - Throws: `Server.StartFailure` when an address cannot be had or the identity cannot be used.
    public static func start(
        _ configuration: APNsSimulatorConfiguration,
        clock: ServiceClock = ServiceClock()
    ) async throws(Server.StartFailure) -> APNsSimulator {
        let loop = EventLoop(name: "apns-simulator")
        let state = APNsState(configuration, clock)
        let key: LoopKey<PushGateway>? = await withCheckedContinuation { continuation in
            let isAccepted = loop.execute { context in
                continuation.resume(returning: context.keep(PushGateway(state, in: context)))
            }
            if !isAccepted { continuation.resume(returning: nil) }
        }
        guard let key else { throw .loopUnavailable }
        let push = try await Server.start(server(configuration, port: configuration.pushPort), on: loop) { context in
            context[key] ?? PushGateway(state, in: context)
        }
        var management = server(configuration, port: configuration.managementPort)
        management.maxConcurrentStreams = SimulatorLimits.streamsLater
        let channels = try await Server.start(management, on: loop) { _ in ChannelManagementServer(state) }
        return APNsSimulator(state, loop, push: push, management: channels, key)
    }

    private static func server(_ configuration: APNsSimulatorConfiguration, port: Int) -> HTTP2ServerConfiguration {
        var server = HTTP2ServerConfiguration(identity: configuration.identity)
        server.host = configuration.host
        server.port = UInt16(clamping: port)
        server.maxConcurrentStreams = SimulatorLimits.streamsAtFirst
        server.bodyMax = SimulatorLimits.bodyBytes
        server.connectionWindow = SimulatorLimits.connectionWindowBytes
        return server
    }

    /// All counts so far.
    public var statistics: PushStatistics { state.history.with { $0.statistics } }

    /// The newest requests, oldest first; at most 4,096 are kept.
    public func journal(last count: Int) -> [JournaledPush] { state.history.with { $0.newest(count) } }

    /// Counts the accepted alerts of each token from now on.
    public func countAlerts() { state.history.with { $0.countAlerts() } }

    /// The accepted alerts of tokens since `countAlerts`, in their order; 0 for all before it.
    public func alertsAccepted(for tokens: [PushToken]) -> [Int] {
        let counts = state.history.with { $0.alerts } ?? AlertCounts()
        return tokens.map { counts.count(of: $0) }
    }

    /// Lets a rule, called on the simulator's thread, decide on requests instead of Apple's rules; nil ends it.
    public func interfere(_ rule: (@Sendable (APNsArrival) -> APNsInterference?)?) async {
        await onLoop { [gateway] context in context[gateway]?.interference = rule }
    }

    /// Does something on the simulator's thread; nothing when that has ended.
    private func onLoop(
        _ body: @escaping @Sendable (LoopContext) -> Void,
        then: @escaping @Sendable () -> Void = {}
    ) async {
        await withCheckedContinuation { continuation in
            let isAccepted = loop.execute { context in
                body(context)
                continuation.resume()
                then()
            }
            if !isAccepted { continuation.resume() }
        }
    }

    /// Stops the thread in its tracks, as when a machine dies: sockets stay open, nothing is read or answered.
    ///
    /// - Returns: Lets it go on; to be called once.
    public func freeze() async -> @Sendable () -> Void {
        let thaw = DispatchSemaphore(value: 0)
        await onLoop({ _ in }, then: { thaw.wait() })
        return { thaw.signal() }
    }

    /// Lets each request meet the rules of a script, until another takes its place.
    public func follow(_ script: APNsScript) async { await interfere { script.interference(with: $0) } }

    /// Creates unused channels until there are `count`, as years of matches would; Apple's limit holds.
    public func fillChannels(upTo count: Int) { state.directory.fill(upTo: count) }

    /// Switches the Broadcast capability of the app, as in the developer portal; without it all channels are deleted.
    public func setBroadcastCapability(_ isOn: Bool) { state.directory.setBroadcastCapability(isOn) }

    /// From now on pushes to a token are answered 410, whether or not it was known.
    func kill(_ token: PushToken) { state.directory.kill(token, since: state.clock.wall, isKnown: false) }

    /// Declares a known token dead since an instant, else since now: pushes to it are answered 410 with that time.
    public func unregister(token: PushToken, at instant: Instant? = nil) {
        state.directory.kill(token, since: instant ?? state.clock.wall, isKnown: true)
    }

    /// Stops both servers and ends the thread.
    public func stop() async {
        for server in servers { await server.stop() }
        loop.stop()
        await loop.ended()
    }
}

// MARK: The phones' side

extension APNsSimulator {
    /// Registers a token for a kind of push, or revives it; beyond `SimulatorLimits.tokens` the call has no effect.
    ///
    /// `deliver` is called on the simulator's thread with each accepted push, in order; it must be quick.
    public func register(
        token: PushToken,
        kind: PhoneTokenKind,
        deliver: @escaping @Sendable (DeliveredPush) -> Void
    ) {
        state.directory.register(token, kind, deliver)
    }

    /// Joins a channel; false when there is none of that name.
    public func subscribe(
        channel: ChannelID,
        subscriber: UInt64,
        deliver: @escaping @Sendable (DeliveredPush) -> Void
    ) -> Bool {
        state.directory.subscribe(channel, subscriber, now: state.clock.wall.seconds, deliver)
    }

    /// Leaves a channel.
    public func unsubscribe(channel: ChannelID, subscriber: UInt64) { state.directory.unsubscribe(channel, subscriber) }
}
