// A true APNs on this machine: TLS, HTTP/2, Apple's rules, tokens, channels, and phones that get what is accepted.

internal import Dispatch
public import HTTP2
public import ScoreTypes

/// A running simulator; may be used from any thread.
public final class APNsSimulator: Sendable {
    /// Bodies are kept up to this length, in bytes: more than any limit of Apple's, so that 413 is answered by rule.
    private static let bodyMax = 8192

    /// The port for pushes and broadcasts.
    public let pushPort: Int
    /// The port for channel management.
    public let managementPort: Int
    private let loop: EventLoop
    private let servers: [Server]
    private let gateway: LoopKey<PushGateway>
    private let directory: PushDirectory
    private let book: PushBook
    private let clock: ServiceClock
    let screens: SimulatedScreens

    private init(
        loop: EventLoop,
        servers: (push: Server, management: Server),
        gateway: LoopKey<PushGateway>,
        directory: PushDirectory,
        book: PushBook,
        screens: SimulatedScreens,
        clock: ServiceClock
    ) {
        pushPort = Int(servers.push.port)
        managementPort = Int(servers.management.port)
        self.servers = [servers.push, servers.management]
        self.loop = loop
        self.gateway = gateway
        self.directory = directory
        self.book = book
        self.screens = screens
        self.clock = clock
    }

    /// Starts both doors on one thread.
    ///
    /// - Parameters:
    ///   - configuration: App, key and addresses.
    ///   - clock: Tells a token's age, and when pushes came.
    /// - Returns: The simulator, which listens.
    /// - Throws: `Server.StartFailure` when an address cannot be had or the identity cannot be used.
    public static func start(
        _ configuration: APNsSimulatorConfiguration,
        clock: ServiceClock = ServiceClock()
    ) async throws(Server.StartFailure) -> APNsSimulator {
        let loop = EventLoop(name: "apns-simulator")
        let directory = PushDirectory(channelsMax: configuration.channelsMax)
        let book = PushBook()
        let screens = SimulatedScreens(clock: clock)
        let make = { @Sendable (context: LoopContext) in
            PushGateway(configuration, directory: directory, book: book, screens: screens, clock: clock, in: context)
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
        management.maxConcurrentStreams = PushGateway.streamsLater
        let desk = try await Server.start(management, on: loop) { _ in
            ChannelDesk(configuration, directory: directory, clock: clock)
        }
        return APNsSimulator(
            loop: loop,
            servers: (push, desk),
            gateway: key,
            directory: directory,
            book: book,
            screens: screens,
            clock: clock
        )
    }

    private static func server(_ configuration: APNsSimulatorConfiguration, port: Int) -> HTTP2ServerConfiguration {
        var server = HTTP2ServerConfiguration(identity: configuration.identity)
        server.host = configuration.host
        server.port = UInt16(clamping: port)
        server.maxConcurrentStreams = PushGateway.streamsAtFirst
        server.bodyMax = bodyMax
        return server
    }

    /// All counts so far.
    public var statistics: PushStatistics { book.with { $0.statistics } }

    /// The newest requests, oldest first; at most 4,096 are kept.
    public func journal(last count: Int) -> [JournaledPush] { book.with { $0.newest(count) } }

    /// Lets a rule decide what happens to requests instead of Apple's rules; nil ends it.
    ///
    /// - Parameter rule: Called on the simulator's thread with each request; nil lets it pass.
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

    /// Makes channels that nobody will use until there are so many, as years of matches would; Apple's limit holds.
    public func fillChannels(upTo count: Int) { directory.fill(upTo: count) }

    /// From now on pushes to a token are answered 410, whether or not anybody knew it.
    func kill(_ token: PushToken) { directory.kill(token, since: clock.wall) }

    /// Declares a token dead since an instant: pushes to it are answered 410 with that time.
    public func unregister(token: PushToken, at instant: Instant) { directory.unregister(token, since: instant) }

    /// Closes both doors and ends the thread.
    public func stop() async {
        for server in servers { await server.stop() }
        loop.stop()
    }
}

extension APNsSimulator: PushNetwork {
    /// Makes a token known, or alive again; beyond eight million tokens it is not taken.
    ///
    /// - Parameters:
    ///   - token: What the app was given.
    ///   - kind: What may be sent to it.
    ///   - deliver: Called on the simulator's thread with each accepted push, in order; must be quick.
    public func register(
        token: PushToken,
        kind: PhoneTokenKind,
        deliver: @escaping @Sendable (DeliveredPush) -> Void
    ) {
        _ = directory.register(token, kind, deliver)
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
