// A true APNs on this machine: TLS, HTTP/2, Apple's rules, tokens, channels, and phones that get what is accepted.

public import HTTP2
public import ScoreTypes

/// Which app and key the simulator knows, and where it listens.
public struct APNsSimulatorConfiguration: Sendable {
    /// Bundle id of the app, bare.
    public var bundleID: String
    /// The team that owns the key.
    public var teamID: String
    /// Ten characters that name the key.
    public var keyID: String
    /// The public half of the provider's signing key, in PEM.
    public var publicKeyPEM: [UInt8]
    /// The certificate that it shows.
    public var identity: TLSIdentity
    /// The address to listen on.
    public var host: String
    /// Port for pushes and broadcasts; 0 lets the system choose.
    public var pushPort: Int
    /// Port for channel management; 0 lets the system choose.
    public var managementPort: Int

    /// Describes a simulator on loopback.
    public init(
        bundleID: String,
        teamID: String,
        keyID: String,
        publicKeyPEM: [UInt8],
        identity: TLSIdentity,
        host: String = "127.0.0.1",
        pushPort: Int = 0,
        managementPort: Int = 0
    ) {
        self.bundleID = bundleID
        self.teamID = teamID
        self.keyID = keyID
        self.publicKeyPEM = publicKeyPEM
        self.identity = identity
        self.host = host
        self.pushPort = pushPort
        self.managementPort = managementPort
    }

    var verifier: ProviderTokenVerifier {
        ProviderTokenVerifier(keyID: keyID, teamID: teamID, publicKeyPEM: publicKeyPEM)
    }
}

/// A running simulator.
public final class APNsSimulator: Sendable {
    /// The port for pushes and broadcasts.
    public let pushPort: Int
    /// The port for channel management.
    public let managementPort: Int
    private let loop: EventLoop
    private let servers: [Server]
    private let directory: PushDirectory
    private let book: PushBook
    private let clock: ServiceClock

    private init(
        loop: EventLoop,
        push: Server,
        management: Server,
        directory: PushDirectory,
        book: PushBook,
        clock: ServiceClock
    ) {
        pushPort = push.port
        managementPort = management.port
        servers = [push, management]
        self.loop = loop
        self.directory = directory
        self.book = book
        self.clock = clock
    }

    /// Starts both doors.
    ///
    /// - Parameters:
    ///   - configuration: App, key and addresses.
    ///   - clock: Tells a token's age, and when pushes came.
    /// - Returns: The simulator, which listens.
    /// - Throws: `ServerError` when an address cannot be had.
    public static func start(
        _ configuration: APNsSimulatorConfiguration,
        clock: ServiceClock = ServiceClock()
    ) async throws(ServerError) -> APNsSimulator {
        let loop = EventLoop(name: "apns-simulator")
        let directory = PushDirectory()
        let book = PushBook()
        let push = try await Server.start(
            ServerConfiguration(
                host: configuration.host,
                port: configuration.pushPort,
                identity: configuration.identity,
                maxConcurrentStreams: PushGateway.streamsAtFirst
            ),
            on: loop
        ) { _ in PushGateway(configuration, directory: directory, ledger: book, clock: clock) }
        let management = try await Server.start(
            ServerConfiguration(
                host: configuration.host,
                port: configuration.managementPort,
                identity: configuration.identity
            ),
            on: loop
        ) { _ in ChannelDesk(configuration, directory: directory, clock: clock) }
        return APNsSimulator(
            loop: loop,
            push: push,
            management: management,
            directory: directory,
            book: book,
            clock: clock
        )
    }

    /// All counts so far.
    public var statistics: PushStatistics { book.with { $0.statistics } }

    /// The newest requests, oldest first.
    public func journal(last count: Int) -> [JournaledPush] { book.with { $0.newest(count) } }

    /// Closes both doors.
    public func stop() async {
        for server in servers { await server.stop() }
        loop.stop()
    }
}

extension APNsSimulator: PushNetwork {
    /// Makes a token known.
    public func register(token: PushToken, kind: PhoneTokenKind, deliver: @escaping @Sendable (PhonePush) -> Void) {
        directory.register(token, kind, deliver)
    }

    /// Declares a token dead from now on.
    public func unregister(token: PushToken) { directory.unregister(token, since: clock.wall.milliseconds) }

    /// Joins a channel.
    public func subscribe(
        channel: ChannelID,
        subscriber: UInt64,
        deliver: @escaping @Sendable (PhonePush) -> Void
    ) -> Bool {
        directory.subscribe(channel, subscriber, deliver)
    }

    /// Leaves a channel.
    public func unsubscribe(channel: ChannelID, subscriber: UInt64) { directory.unsubscribe(channel, subscriber) }
}
