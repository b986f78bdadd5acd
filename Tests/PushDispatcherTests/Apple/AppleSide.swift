// A dispatcher between stores in memory and a simulated APNs on loopback, over real TLS and HTTP/2.

import COpenSSL
import HTTP2
import ScoreTypes
import Synchronization
import Testing

@testable import PushDispatcher
@testable import Simulators

/// A signing key, and its registration in the simulator.
struct AppleKey {
    let pem: [UInt8]
    let publicPEM: [UInt8]

    init() throws {
        pem = Fixture.keyPEM()
        let memory = pem.withUnsafeBytes { BIO_new_mem_buf($0.baseAddress, Int32($0.count)) }
        let out = try #require(BIO_new(BIO_s_mem()))
        let key = try #require(PEM_read_bio_PrivateKey(memory, nil, nil, nil))
        defer {
            BIO_free(memory)
            BIO_free(out)
            EVP_PKEY_free(key)
        }
        PEM_write_bio_PUBKEY(out, key)
        var data: UnsafeMutablePointer<CChar>?
        let count = bio_mem_data(out, &data)
        publicPEM = UnsafeBufferPointer(start: data, count: count).map(UInt8.init(bitPattern:))
    }
}

/// One simulated APNs environment with its phones.
struct AppleSide {
    static let bundle = "app.score"
    static let team = "TEAMTEAM01"
    static let keyID = "ABCDEFGHIJ"

    let key: AppleKey
    let simulator: APNsSimulator
    let certificate: [UInt8]
    private let clock: ServiceClock

    init(
        key: AppleKey? = nil,
        identity: TLSIdentity? = nil,
        rejectionsBeforePenalty: Int? = nil,
        address: String = "127.0.0.1",
        takesUnknownTokens: Bool = false,
        clock: ServiceClock = ServiceClock()
    )
        async throws
    {
        let key = try key ?? AppleKey()
        (self.key, self.clock) = (key, clock)
        let identity = try identity ?? TLSIdentity.selfSigned(commonName: "apple", addresses: ["127.0.0.1"])
        certificate = identity.certificatePEM
        var configuration = APNsSimulatorConfiguration(
            bundleID: Self.bundle,
            teamID: Self.team,
            keyID: Self.keyID,
            publicKeyPEM: key.publicPEM,
            identity: identity
        )
        configuration.rejectionsBeforePenalty = rejectionsBeforePenalty
        configuration.host = address
        configuration.takesUnknownTokens = takesUnknownTokens
        simulator = try await APNsSimulator.start(configuration, clock: clock)
    }

    var endpoints: DispatcherConfiguration.Endpoints {
        DispatcherConfiguration.Endpoints(
            push: DispatcherConfiguration.Endpoint(host: "127.0.0.1", port: UInt16(simulator.pushPort)),
            management: DispatcherConfiguration.Endpoint(host: "127.0.0.1", port: UInt16(simulator.managementPort))
        )
    }

    func configuration(_ environment: PushEnvironment = .sandbox) throws -> DispatcherConfiguration {
        DispatcherConfiguration(
            bundleID: Self.bundle,
            teamID: Self.team,
            keyID: Self.keyID,
            signingKey: try SigningKey(pem: key.pem),
            environments: [environment: endpoints],
            authorities: certificate
        )
    }

    /// Phones with the tokens of `MemoryTokens`.
    func phones(_ numbers: Range<Int>, kind: PhoneTokenKind = .activity) -> [Screen] {
        numbers.map { number in
            let screen = Screen(number, clock: clock)
            simulator.register(token: Fixture.token(number), kind: kind) { screen.show($0) }
            return screen
        }
    }
}

/// The pushes of one token, and the card that the activity of a phone draws with them.
final class Screen: Sendable {
    private struct State {
        var pushes: [DeliveredPush] = []
        var card = TokenCard()
        var shown: [Int64] = []
    }

    private static let reader = PhonePushReader()

    let number: Int
    private let clock: ServiceClock
    private let state = Mutex(State())

    init(_ number: Int, clock: ServiceClock = ServiceClock()) { (self.number, self.clock) = (number, clock) }

    var all: [DeliveredPush] { state.withLock { $0.pushes } }
    /// The revisions that the phone has drawn, in order.
    var shown: [Int64] { state.withLock { $0.shown } }
    var newest: Int64? { state.withLock { $0.shown.last } }
    var alerts: Int { state.withLock { $0.pushes.count { $0.hasAlert } } }

    func show(_ push: DeliveredPush) {
        let (read, now) = (Self.reader.read(push.body), PhoneTime(clock))
        state.withLock { state in
            state.pushes.append(push)
            switch state.card.receive(read, at: now) {
            case .drawn, .wentBack: state.shown.append(state.card.revision)
            case .unchanged, .kept: break
            }
        }
    }
}

/// A node: a dispatcher that runs until the test stops it.
struct Node {
    let dispatcher: Dispatcher
    let tokens: MemoryTokens
    let progress: MemoryProgress
    let channels: MemoryChannels
    let providerTokens: MemoryProviderTokens
    let outcomes = Outcomes()
    private let work: Task<Void, Never>

    init(
        _ configuration: DispatcherConfiguration,
        tokens: MemoryTokens = MemoryTokens(count: 0),
        progress: MemoryProgress = MemoryProgress(),
        channels: MemoryChannels = MemoryChannels(),
        providerTokens: MemoryProviderTokens = MemoryProviderTokens(),
        source: (any TokenSource)? = nil,
        speed: Int = 1000,
        clock: ServiceClock? = nil,
        attempts: (any AttemptObserver)? = nil,
        maySend: @escaping @Sendable () -> Bool = { true },
        thread: @escaping @Sendable (LaneSetting) -> any LaneThread = { EventLoopLaneThread($0) }
    ) {
        self.tokens = tokens
        self.progress = progress
        self.channels = channels
        self.providerTokens = providerTokens
        var configuration = configuration
        configuration.thread = thread
        let dispatcher = Dispatcher(
            configuration: configuration,
            tokens: source ?? tokens,
            progress: progress,
            channels: channels,
            providerTokens: providerTokens,
            clock: clock ?? ServiceClock(speed: speed),
            observer: outcomes,
            attempts: attempts,
            idKey: [],
            maySend: maySend
        )
        self.dispatcher = dispatcher
        work = Task { await dispatcher.run() }
    }

    func publish(_ publications: PushPublication...) async {
        for publication in publications { await dispatcher.publish(publication) }
    }

    /// Shuts the node down gracefully.
    func stop() async {
        work.cancel()
        await work.value
    }

    var environment: DispatcherStatus.Environment? {
        get async { await dispatcher.status().environments.first }
    }
}
