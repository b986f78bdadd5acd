// Accepts HTTP/2 clients on one loop, for simulators and tests.

/// A listening server; its connections live on one loop.
public final class Server: Sendable {
    /// The TCP port it listens on.
    public let port: UInt16
    private let loop: EventLoop
    private let key: LoopKey<ServerListener>

    /// Why a server did not start.
    public enum StartFailure: Error, Sendable, Hashable {
        /// The certificate or key cannot be used.
        case identity(TLSFailure)
        /// The server cannot listen on the address; the text is the system's.
        case address(String)
        /// The loop is stopped or its mailbox full.
        case loopUnavailable
    }

    private init(port: UInt16, loop: EventLoop, key: LoopKey<ServerListener>) {
        self.port = port
        self.loop = loop
        self.key = key
    }

    /// Listens, and serves until `stop` or the end of the loop.
    ///
    /// - Parameters:
    ///   - configuration: Address, identity and bounds.
    ///   - loop: The loop of all its connections.
    ///   - delegate: Makes the receiver of requests; called once, on the loop's thread.
    /// - Returns: The server, listening.
    /// - Throws: `StartFailure` if the identity, the address or the loop cannot be used.
    public static func start(
        _ configuration: HTTP2ServerConfiguration,
        on loop: EventLoop,
        delegate: @escaping @Sendable (LoopContext) -> any ServerDelegate
    ) async throws(StartFailure) -> Server {
        try await start(configuration, on: loop) { context in
            let delegate = delegate(context)
            return { id, socket, listener in
                ServerConnection(id: id, socket: socket, listener: listener, delegate: delegate)
            }
        }
    }

    /// Listens as a sink: answers every request with status 200 as soon as its last frame is read.
    ///
    /// A sink reads no header block and keeps no body, so that a measurement shows the cost of the client.
    /// `connectionWindow` is also the window of each stream; the bounds of headers, bodies and idle time are ignored.
    ///
    /// - Parameters:
    ///   - configuration: Address, identity, streams and windows.
    ///   - loop: The loop of all its connections.
    ///   - counter: Counts the answered requests.
    ///   - roundTrip: Time from a frame of the client to the frames that answer it; the handshakes are not delayed.
    /// - Returns: The server, listening.
    /// - Throws: `StartFailure` if the identity, the address or the loop cannot be used.
    public static func startSink(
        _ configuration: HTTP2ServerConfiguration,
        on loop: EventLoop,
        counter: RequestCounter,
        roundTrip: Duration = .zero
    ) async throws(StartFailure) -> Server {
        try await start(configuration, on: loop) { _ in
            { SinkConnection(id: $0, socket: $1, listener: $2, counter: counter, roundTrip: roundTrip) }
        }
    }

    private static func start(
        _ configuration: HTTP2ServerConfiguration,
        on loop: EventLoop,
        welcome: @escaping @Sendable (LoopContext) -> ServerListener.Welcome
    ) async throws(StartFailure) -> Server {
        let result: Result<Server, StartFailure> = await withCheckedContinuation { continuation in
            let isAccepted = loop.execute { context in
                guard !context.isStopping else { return continuation.resume(returning: .failure(.loopUnavailable)) }
                do throws(StartFailure) {
                    let listener = try ServerListener.open(configuration, in: context, welcome: welcome(context))
                    let server = Server(port: listener.port, loop: loop, key: context.keep(listener))
                    continuation.resume(returning: .success(server))
                } catch {
                    continuation.resume(returning: .failure(error))
                }
            }
            if !isAccepted { continuation.resume(returning: .failure(.loopUnavailable)) }
        }
        return try result.get()
    }

    /// Stops listening and closes all connections, each after a GOAWAY.
    ///
    /// A second call has no effect.
    public func stop() async {
        await withCheckedContinuation { continuation in
            let isAccepted = loop.execute { [key] context in
                context[key]?.stop()
                context.drop(key)
                continuation.resume()
            }
            if !isAccepted { continuation.resume() }
        }
    }
}
