// A load test needs an Apple that is never the slower side: it answers everything with 200 and checks nothing.

public import HTTP2

/// Answers each request with status 200 and an empty body, at full speed, on one thread.
///
/// It serves TLS and HTTP/2 with Apple's stream limits, and counts; it reads no header block and keeps no journal.
public final class APNsSink: Sendable {
    /// Requests that a connection may have open: what Apple was seen to allow.
    public static let streams = 1000
    /// The port that it listens at.
    public let port: Int
    private let loop: EventLoop
    private let server: Server
    private let counter: RequestCounter

    private init(loop: EventLoop, server: Server, counter: RequestCounter) {
        self.loop = loop
        self.server = server
        self.counter = counter
        port = Int(server.port)
    }

    /// Begins to listen; port 0 stands for a free one.
    ///
    /// - `roundTrip`: Time from a request to its answer, as over a network; handshakes are not delayed.
    /// - Throws: When the address is taken or the identity is broken.
    public static func start(
        identity: TLSIdentity,
        host: String = "127.0.0.1",
        port: Int = 0,
        roundTrip: Duration = .zero
    ) async throws(Server.StartFailure) -> APNsSink {
        let loop = EventLoop(name: "apns-sink")
        let counter = RequestCounter()
        var configuration = HTTP2ServerConfiguration(identity: identity)
        configuration.host = host
        configuration.port = UInt16(clamping: port)
        configuration.maxConcurrentStreams = streams
        configuration.connectionWindow = SimulatorLimits.sinkWindowBytes
        let server = try await Server.startSink(configuration, on: loop, counter: counter, roundTrip: roundTrip)
        return APNsSink(loop: loop, server: server, counter: counter)
    }

    /// Requests that were answered.
    public var answered: Int { counter.count }

    /// Closes all connections.
    public func stop() async {
        await server.stop()
        loop.stop()
    }
}
