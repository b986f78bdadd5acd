// A true APNs on this machine: TLS, HTTP/2, Apple's rules, tokens, channels, and phones that get what is accepted.

internal import Dispatch
public import HTTP2
public import ScoreTypes

/// A running simulator; may be used from any thread.
public final class APNsSimulator: Sendable {
    /// The port for pushes and broadcasts.
    public let pushPort: Int
    /// The port for channel management.
    public let managementPort: Int
    private let loop: EventLoop
    private let servers: [Server]
    private let gateway: LoopKey<PushGateway>
    private let directory: PushDirectory
    private let history: SharedPushHistory
    private let clock: ServiceClock
    let screens: SimulatedScreens

    private init(
        loop: EventLoop,
        servers: (push: Server, management: Server),
        gateway: LoopKey<PushGateway>,
        directory: PushDirectory,
        history: SharedPushHistory,
        screens: SimulatedScreens,
        clock: ServiceClock
    ) {
        pushPort = Int(servers.push.port)
        managementPort = Int(servers.management.port)
        self.servers = [servers.push, servers.management]
        self.loop = loop
        self.gateway = gateway
        self.directory = directory
        self.history = history
        self.screens = screens
        self.clock = clock
    }

    /// Starts the servers of both ports on one thread.
    ///
    /// - Parameter clock: The time by which tokens expire and pushes are recorded.
    /// - Throws: `Server.StartFailure` when an address cannot be had or the identity cannot be used.
    public static func start(
        _ configuration: APNsSimulatorConfiguration,
        clock: ServiceClock = ServiceClock()
    ) async throws(Server.StartFailure) -> APNsSimulator {
        let loop = EventLoop(name: "apns-simulator")
        let directory = PushDirectory(channelsMax: configuration.channelsMax)
        let history = SharedPushHistory()
        let screens = SimulatedScreens(clock: clock)
        let make = { @Sendable (context: LoopContext) in
            PushGateway(
                configuration,
                directory: directory,
                history: history,
                screens: screens,
                clock: clock,
                in: context
            )
        }
        let key: LoopKey<PushGateway>? = await withCheckedContinuation { continuation in
            let isAccepted = loop.execute { context in
                continuation.resume(returning: context.keep(make(context)))
            }
            if !isAccepted { continuation.resume(returning: nil) }
        }
        guard let key else { throw .loopUnavailable }
        let push = try await Server.start(server(configuration, port: configuration.pushPort), on: loop) { context in
            context[key] ?? make(context)
        }
        var management = server(configuration, port: configuration.managementPort)
        management.maxConcurrentStreams = SimulatorLimits.streamsLater
        let channels = try await Server.start(management, on: loop) { _ in
            ChannelManagementServer(configuration, directory: directory, clock: clock)
        }
        return APNsSimulator(
            loop: loop,
            servers: (push, channels),
            gateway: key,
            directory: directory,
            history: history,
            screens: screens,
            clock: clock
        )
    }

    private static func server(_ configuration: APNsSimulatorConfiguration, port: Int) -> HTTP2ServerConfiguration {
        var server = HTTP2ServerConfiguration(identity: configuration.identity)
        server.host = configuration.host
        server.port = UInt16(clamping: port)
        server.maxConcurrentStreams = SimulatorLimits.streamsAtFirst
        server.bodyMax = SimulatorLimits.bodyBytes
        return server
    }

    /// All counts so far.
    public var statistics: PushStatistics { history.with { $0.statistics } }

    /// The newest requests, oldest first; at most 4,096 are kept.
    public func journal(last count: Int) -> [JournaledPush] { history.with { $0.newest(count) } }

    /// Lets a rule, called on the simulator's thread, decide on requests instead of Apple's rules; nil ends it.
    public func interfere(_ rule: (@Sendable (APNsArrival) -> APNsInterference?)?) async {
        await withCheckedContinuation { continuation in
            let isAccepted = loop.execute { [gateway] context in
                context[gateway]?.interference = rule
                continuation.resume()
            }
            if !isAccepted { continuation.resume() }
        }
    }

    /// Stops the thread in its tracks, as when a machine dies: sockets stay open, nothing is read or answered.
    ///
    /// - Returns: Lets it go on; to be called once.
    public func freeze() async -> @Sendable () -> Void {
        let thaw = DispatchSemaphore(value: 0)
        await withCheckedContinuation { continuation in
            let isAccepted = loop.execute { _ in
                continuation.resume()
                thaw.wait()
            }
            if !isAccepted { continuation.resume() }
        }
        return { thaw.signal() }
    }

    /// Lets each request meet the rules of a script, until another takes its place.
    public func follow(_ script: APNsScript) async { await interfere { script.interference(with: $0) } }

    /// Creates unused channels until there are `count`, as years of matches would; Apple's limit holds.
    public func fillChannels(upTo count: Int) { directory.fill(upTo: count) }

    /// From now on pushes to a token are answered 410, whether or not it was known.
    func kill(_ token: PushToken) { directory.kill(token, since: clock.wall, isKnown: false) }

    /// Declares a known token dead since an instant: pushes to it are answered 410 with that time.
    public func unregister(token: PushToken, at instant: Instant) {
        directory.kill(token, since: instant, isKnown: true)
    }

    /// Stops both servers and ends the thread.
    public func stop() async {
        for server in servers { await server.stop() }
        loop.stop()
    }
}

// MARK: The phones' side

extension APNsSimulator {
    /// Registers a token for a kind of push, or revives it; beyond `SimulatorLimits.tokens` the call has no effect.
    ///
    /// - Parameter deliver: Called on the simulator's thread with each accepted push, in order; must be quick.
    public func register(
        token: PushToken,
        kind: PhoneTokenKind,
        deliver: @escaping @Sendable (DeliveredPush) -> Void
    ) {
        directory.register(token, kind, deliver)
    }

    /// Declares a token dead from now on.
    public func unregister(token: PushToken) { unregister(token: token, at: clock.wall) }

    /// Joins a channel; false when there is none of that name.
    public func subscribe(
        channel: ChannelID,
        subscriber: UInt64,
        deliver: @escaping @Sendable (DeliveredPush) -> Void
    ) -> Bool {
        directory.subscribe(channel, subscriber, now: clock.wall.seconds, deliver)
    }

    /// Leaves a channel.
    public func unsubscribe(channel: ChannelID, subscriber: UInt64) { directory.unsubscribe(channel, subscriber) }
}
