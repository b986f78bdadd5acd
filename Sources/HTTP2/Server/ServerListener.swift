// The listening socket of a server and its accepted connections, confined to the loop.

internal import CLinux
internal import Glibc

/// The part of a server that lives on the loop.
final class ServerListener: Pollable {
    /// Makes the connection of an accepted socket.
    typealias Welcome = (_ id: UInt64, _ socket: SecureSocket, _ listener: ServerListener) -> AcceptedConnection

    let configuration: HTTP2ServerConfiguration
    let port: UInt16
    let context: LoopContext
    private let settings: TLSContext
    private let descriptor: Int32
    private let welcome: Welcome
    private var watch: Watch?
    private var connections: [UInt64: AcceptedConnection] = [:]
    private var nextID: UInt64 = 1

    static func open(
        _ configuration: HTTP2ServerConfiguration,
        in context: LoopContext,
        welcome: @escaping Welcome
    ) throws(Server.StartFailure) -> ServerListener {
        let settings: TLSContext
        do throws(TLSFailure) {
            settings = try TLSContext.server(configuration.identity)
        } catch {
            throw .identity(error)
        }
        guard let address = Resolver.literal(configuration.host, port: configuration.port)?.first else {
            throw .address("host: expected an IP address")
        }
        let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        let descriptor = socket(address.family, kind, 0)
        guard descriptor >= 0 else { throw .address(Descriptor.text(ofError: errno)) }
        var on: Int32 = 1
        setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &on, socklen_t(MemoryLayout<Int32>.size))
        let isListening = address.withPointer { Glibc.bind(descriptor, $0, $1) == 0 } == true
        guard isListening, listen(descriptor, HTTP2Limits.backlog) == 0, let port = localPort(of: descriptor) else {
            let text = Descriptor.text(ofError: errno)
            close(descriptor)
            throw .address(text)
        }
        let listener = ServerListener(configuration, settings, descriptor, port, context, welcome)
        listener.watch = context.watch(descriptor, listener, writable: false)
        return listener
    }

    private init(
        _ configuration: HTTP2ServerConfiguration,
        _ settings: TLSContext,
        _ descriptor: Int32,
        _ port: UInt16,
        _ context: LoopContext,
        _ welcome: @escaping Welcome
    ) {
        self.configuration = configuration
        self.settings = settings
        self.descriptor = descriptor
        self.port = port
        self.context = context
        self.welcome = welcome
    }

    deinit { close(descriptor) }

    func ready(readable: Bool, writable: Bool) {
        for _ in 0..<HTTP2Limits.acceptsPerWakeUp {
            let flags = Int32(SOCK_NONBLOCK.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
            let accepted = accept4(descriptor, nil, nil, flags)
            guard accepted >= 0 else { return }
            guard connections.count < configuration.connectionsMax, let stream = try? TLSStream.server(settings) else {
                close(accepted)
                continue
            }
            let socket = SecureSocket(descriptor: accepted, stream: stream, scratch: context.scratch)
            let connection = welcome(nextID, socket, self)
            nextID &+= 1
            guard connection.start() else { continue }
            connections[connection.id] = connection
        }
    }

    func loopWillStop() { stop() }

    func stop() {
        if let watch { context.unwatch(watch) }
        watch = nil
        for connection in connections.values { connection.close() }
        connections = [:]
    }

    func forget(_ connection: AcceptedConnection) { connections[connection.id] = nil }

    private static func localPort(of descriptor: Int32) -> UInt16? {
        var storage = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let code = withUnsafeMutableBytes(of: &storage) { bytes in
            bytes.baseAddress.map { getsockname(descriptor, $0.assumingMemoryBound(to: sockaddr.self), &length) }
        }
        guard code == 0 else { return nil }
        // Both families store the port, in network order, after the two bytes of the family.
        return withUnsafeBytes(of: &storage) { UInt16(bigEndian: $0.load(fromByteOffset: 2, as: UInt16.self)) }
    }
}
