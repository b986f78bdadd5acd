// Programs meet the faults of a network only on a real connection, so that this passes their bytes between sockets.

internal import NIOCore
internal import NIOPosix
internal import ScoreTypes
internal import Synchronization

/// A proxy between clients and one server of this machine, with one fault at a time.
public final class NetworkLink: Sendable {
    /// Where a program listens.
    public enum Address: Sendable, Hashable {
        /// A port of 127.0.0.1.
        case port(Int)
        /// The path of a unix socket.
        case socket(String)
    }

    /// Where clients connect to.
    public let address: Address
    private let server: Address
    private let listener: NIOAsyncChannel<PendingConnection, Never>
    private let state: Mutex<State>

    private struct State {
        var fault: NetworkFault?
        var opened = 0
        /// Connections with a lower number pass nothing any more.
        var lowestAlive = 0
        var counts: [NetworkFault.Kind: Int] = [:]
        var generator: SplitMix64
    }

    /// Begins to listen.
    ///
    /// - Parameters:
    ///   - server: Where the bytes of clients go.
    ///   - address: Where clients connect to; port 0 stands for any free one.
    ///   - seed: Draws the degree of each delay and reset.
    /// - Throws: The errors of listening.
    public init(to server: Address, at address: Address = .port(0), seed: UInt64 = 0) async throws {
        let bootstrap = ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .serverChannelOption(.backlog, value: SimulatorLimits.linkBacklog)
            .childChannelOption(.autoRead, value: false)
        listener =
            switch address {
            case .port(let port):
                try await bootstrap.bind(
                    host: "127.0.0.1",
                    port: port,
                    childChannelInitializer: PendingConnection.accept
                )
            case .socket(let path):
                try await bootstrap.bind(
                    unixDomainSocketPath: path,
                    childChannelInitializer: PendingConnection.accept
                )
            }
        self.address = listener.channel.localAddress?.port.map { .port($0) } ?? address
        self.server = server
        state = Mutex(State(generator: SplitMix64(seed: seed)))
    }

    /// The number of faults so far of each kind.
    public var faultCounts: [NetworkFault.Kind: Int] { state.withLock { $0.counts } }

    /// Puts a fault in the place of the one before it, or ends it.
    public func set(_ fault: NetworkFault?) {
        state.withLock { state in
            state.fault = fault
            guard let fault else { return }
            if fault == .halfOpen { state.lowestAlive = state.opened }
            state.counts[fault.kind, default: 0] += 1
        }
    }

    /// Has the faults of a schedule until cancelled; then none.
    public func follow(_ schedule: NetworkFaultSchedule) async {
        var schedule = schedule
        defer { set(nil) }
        while !Task.isCancelled {
            let spell = schedule.next()
            guard (try? await Task.sleep(for: spell.calm)) != nil else { return }
            set(spell.fault)
            guard (try? await Task.sleep(for: spell.length)) != nil else { return }
            set(nil)
        }
    }

    /// Passes bytes until cancelled; then all connections are closed.
    public func run() async {
        try? await listener.executeThenClose { clients in
            try await withThrowingDiscardingTaskGroup { group in
                for try await client in clients { group.addTask { await self.carry(client) } }
            }
        }
    }

    /// Passes the bytes of one connection until one of its ends is closed.
    private func carry(_ accepted: PendingConnection) async {
        let number = state.withLock { state in
            state.opened += 1
            return state.opened - 1
        }
        guard let client = await accepted.take() else { return }
        guard let server = try? await connect() else {
            try? await client.executeThenClose { _, _ in }
            return
        }
        let connection = ProxiedConnection(number)
        try? await client.executeThenClose { fromClient, _ in
            try await server.executeThenClose { fromServer, _ in
                await withTaskGroup(of: ProxiedConnection.End.self) { group in
                    group.addTask { await self.pass(fromClient, to: server.channel, of: connection) }
                    group.addTask { await self.pass(fromServer, to: client.channel, of: connection) }
                    if await group.next() == .reset {
                        await ProxiedChannel.resetsOnClose(client.channel)
                        await ProxiedChannel.resetsOnClose(server.channel)
                    }
                    group.cancelAll()
                }
            }
        }
    }

    /// Passes the bytes of one direction until the end of the connection.
    private func pass(
        _ source: NIOAsyncChannelInboundStream<ArrivedBytes>,
        to target: any Channel,
        of connection: ProxiedConnection
    ) async -> ProxiedConnection.End {
        do {
            for try await arrived in source {
                var bytes = arrived.bytes
                while bytes.readableBytes > 0 {
                    switch try await step(bytes.readableBytes, arrivedAt: arrived.at, of: connection) {
                    case .pass(let count):
                        guard let part = bytes.readSlice(length: count) else { return .closed }
                        try await target.writeAndFlush(part).get()
                    case .drop: bytes.clear()
                    case .reset: return .reset
                    }
                }
            }
        } catch {
            // One of the channels was reset, or the link is over.
        }
        await untilEndMayPass(connection)
        return .closed
    }

    private enum Step {
        case pass(Int)
        case drop
        case reset
    }

    /// Waits as the fault wants it; returns what happens to bytes that have arrived.
    private func step(
        _ count: Int,
        arrivedAt: ContinuousClock.Instant,
        of connection: ProxiedConnection
    ) async throws -> Step {
        while !isDead(connection) {
            switch state.withLock({ $0.fault }) {
            case .latency(let time): try await Task.sleep(until: arrivedAt + time)
            case .jitter(let time): try await Task.sleep(until: arrivedAt + time * draw())
            case .bandwidth(let perSecond):
                let part = min(count, max(1, perSecond / SimulatorLimits.linkPartsPerSecond))
                try await Task.sleep(for: .seconds(Double(part) / Double(perSecond)))
                return .pass(part)
            case .slices(let size):
                try await Task.sleep(for: .milliseconds(1))
                return .pass(min(count, size))
            case .resets(let bytes):
                if connection.isReset(after: count, limit: { 1 + Int(Double(bytes) * draw()) }) { return .reset }
            case .blackHole:
                try await Task.sleep(for: SimulatorLimits.linkPoll)
                continue
            case .halfOpen, nil: break
            }
            return .pass(count)
        }
        return .drop
    }

    /// Waits until the end of a connection reaches its other end, which a dead connection never does.
    private func untilEndMayPass(_ connection: ProxiedConnection) async {
        connection.directionEnded()
        while isDead(connection) ? !connection.isEnded : state.withLock({ $0.fault == .blackHole }) {
            guard (try? await Task.sleep(for: SimulatorLimits.linkPoll)) != nil else { return }
        }
    }

    private func isDead(_ connection: ProxiedConnection) -> Bool {
        state.withLock { connection.number < $0.lowestAlive }
    }

    private func draw() -> Double { state.withLock { $0.generator.unit() } }

    private func connect() async throws -> ProxiedChannel {
        let bootstrap = ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
        switch server {
        case .port(let port):
            return try await bootstrap.connect(host: "127.0.0.1", port: port, channelInitializer: ProxiedChannel.wrap)
        case .socket(let path):
            return try await bootstrap.connect(unixDomainSocketPath: path, channelInitializer: ProxiedChannel.wrap)
        }
    }
}
