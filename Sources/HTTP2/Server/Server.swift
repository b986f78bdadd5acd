// Listens, accepts, and gives each client a connection on the same loop.

internal import CLinux
internal import Glibc

/// Why a server did not start.
public enum ServerError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The address is taken or not ours.
    case cannotListen(host: String, port: Int, code: Int32)
    /// The certificate or key cannot be used.
    case tls(TLSError)
    /// The loop has ended.
    case loopStopped

    /// One sentence.
    public var description: String {
        switch self {
        case .cannotListen(let host, let port, let code):
            "\(host):\(port) cannot be listened on (\(String(cString: strerror(code)))); choose another port."
        case .tls(let error): error.description
        case .loopStopped: "The event loop has ended."
        }
    }
}

/// A listening HTTP/2 server over TLS.
public final class Server: Sendable {
    /// The port it listens on.
    public let port: Int
    private let loop: EventLoop
    private let stopListening: @Sendable (LoopContext) -> Void

    private init(port: Int, loop: EventLoop, stop: @escaping @Sendable (LoopContext) -> Void) {
        self.port = port
        self.loop = loop
        stopListening = stop
    }

    /// Starts to listen; the delegate is made on the loop's thread, and kept.
    public static func start(
        _ configuration: ServerConfiguration,
        on loop: EventLoop,
        delegate: @escaping @Sendable (LoopContext) -> any ServerDelegate
    ) async throws(ServerError) -> Server {
        let result = await withCheckedContinuation { (waiter: CheckedContinuation<Result<Int32, ServerError>, Never>) in
            let accepted = loop.execute { context in
                waiter.resume(returning: Listener.start(configuration, in: context, delegate: delegate))
            }
            if !accepted { waiter.resume(returning: .failure(.loopStopped)) }
        }
        let descriptor = try result.get()
        return Server(port: Listener.port(of: descriptor), loop: loop) { context in context.stopListener(descriptor) }
    }

    /// Closes the listener and all its connections.
    public func stop() async {
        await withCheckedContinuation { (waiter: CheckedContinuation<Void, Never>) in
            let stop = stopListening
            let accepted = loop.execute { context in
                stop(context)
                waiter.resume()
            }
            if !accepted { waiter.resume() }
        }
    }
}

extension LoopContext {
    /// Ends the listener behind a descriptor and its connections.
    func stopListener(_ descriptor: Int32) { (handler(of: descriptor) as? Listener)?.stop() }
}

/// The listening socket; confined to the loop.
final class Listener: LoopHandler {
    /// Clients that wait to be accepted.
    private static let backlog: Int32 = 512

    private let descriptor: Int32
    private let configuration: ServerConfiguration
    private let context: TLSContext
    private let loop: LoopContext
    private let delegate: any ServerDelegate
    private var connections: [ObjectIdentifier: ServerConnection] = [:]

    static func start(
        _ configuration: ServerConfiguration,
        in loop: LoopContext,
        delegate: (LoopContext) -> any ServerDelegate
    ) -> Result<Int32, ServerError> {
        let context: TLSContext
        do throws(TLSError) { context = try TLSContext(server: configuration.identity) } catch {
            return .failure(.tls(error))
        }
        let addresses = Resolver.addresses(host: configuration.host, port: configuration.port, isLiteral: true)
        let failure = {
            Result<Int32, ServerError>.failure(
                .cannotListen(host: configuration.host, port: configuration.port, code: errno)
            )
        }
        guard let address = addresses.first else { return failure() }
        let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        let descriptor = socket(Int32(address.storage.ss_family), kind, 0)
        guard descriptor >= 0 else { return failure() }
        var one: Int32 = 1
        setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &one, socklen_t(MemoryLayout<Int32>.size))
        guard address.withPointer({ bind(descriptor, $0, $1) }) == 0, listen(descriptor, backlog) == 0 else {
            let result = failure()
            close(descriptor)
            return result
        }
        let listener = Listener(descriptor, configuration, context, loop, delegate(loop))
        loop.add(descriptor, listener, for: EPOLLIN.rawValue)
        return .success(descriptor)
    }

    private init(
        _ descriptor: Int32,
        _ configuration: ServerConfiguration,
        _ context: TLSContext,
        _ loop: LoopContext,
        _ delegate: any ServerDelegate
    ) {
        self.descriptor = descriptor
        self.configuration = configuration
        self.context = context
        self.loop = loop
        self.delegate = delegate
    }

    static func port(of descriptor: Int32) -> Int {
        var storage = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        return withUnsafeMutablePointer(to: &storage) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { _ = getsockname(descriptor, $0, &length) }
            // The port stands at the same place for both families.
            return pointer.withMemoryRebound(to: sockaddr_in.self, capacity: 1) {
                Int(UInt16(bigEndian: $0.pointee.sin_port))
            }
        }
    }

    func descriptorIsReady(_ events: UInt32) {
        let flags = Int32(SOCK_NONBLOCK.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        while case let client = accept4(descriptor, nil, nil, flags), client >= 0 {
            guard let pipe = try? TLSPipe(server: context) else {
                close(client)
                continue
            }
            let wire = Wire(client, tls: pipe, isConnected: true, loop: loop)
            let connection = ServerConnection(wire: wire, configuration: configuration, delegate: delegate)
            let id = ObjectIdentifier(connection)
            connections[id] = connection
            connection.onClose = { [weak self] in self?.connections[id] = nil }
            wire.owner = connection
        }
    }

    func stop() {
        loop.remove(descriptor)
        close(descriptor)
        for connection in Array(connections.values) { connection.close() }
        connections = [:]
    }

    func loopWillStop() { stop() }
}
