// Opens a connection: address, TCP, TLS, then the HTTP/2 session.

internal import CLinux
internal import CNghttp2
internal import Glibc

/// The addresses that remain to be tried, and the current attempt.
struct Dial {
    var addresses: ArraySlice<SocketAddress>
    var descriptor: Int32?
    var lastFailure = "no address"
}

extension ClientConnection: Pollable, Flushable {
    func start() {
        let key = context.keep(self)
        self.key = key
        lastReceived = context.nowInNanoseconds
        // Timers hold the connection strongly, since a weak reference makes every later retain slow; `finish` cancels
        // all timers.
        connectTimer = context.schedule(after: configuration.connectTimeout) { _ in self.end(.connectTimeout) }
        if let addresses = Resolver.literal(configuration.host, port: configuration.port) {
            // Deferred, so that the caller has the connection before its delegate is called.
            context.schedule(after: .zero) { _ in self.dial(addresses) }
            return
        }
        let isStarted = Resolver.resolve(
            configuration.host,
            port: configuration.port,
            inbox: context.inbox
        ) { context, result in
            switch result {
            case .success(let addresses): context[key]?.dial(addresses)
            case .failure(let failure): context[key]?.end(.unresolved(failure.text))
            }
        }
        if !isStarted {
            context.schedule(after: .zero) { _ in self.end(.unresolved("too many resolutions at once")) }
        }
    }

    private func dial(_ addresses: [SocketAddress]) {
        guard case .dialing = phase, !addresses.isEmpty else { return end(.unresolved("no address")) }
        let offset = Int(configuration.addressOffset.magnitude % UInt(addresses.count))
        dialNext(Dial(addresses: ArraySlice(Array(addresses[offset...] + addresses[..<offset]))))
    }

    private func dialNext(_ plan: Dial) {
        var dial = plan
        if let watch { context.unwatch(watch) }
        watch = nil
        if let descriptor = dial.descriptor { Glibc.close(descriptor) }
        dial.descriptor = nil
        while let address = dial.addresses.popFirst() {
            let descriptor = socket(address.family, Int32(SOCK_STREAM.rawValue) | nonBlockingFlags, 0)
            guard descriptor >= 0 else {
                dial.lastFailure = Descriptor.text(ofError: errno)
                continue
            }
            let code = address.withPointer { connect(descriptor, $0, $1) == 0 ? 0 : errno } ?? EINVAL
            if code == 0 || code == EINPROGRESS, let made = context.watch(descriptor, self, writable: true) {
                dial.descriptor = descriptor
                watch = made
                phase = .dialing(dial)
                return
            }
            dial.lastFailure = Descriptor.text(ofError: code)
            Glibc.close(descriptor)
        }
        end(.unreachable(dial.lastFailure))
    }

    private var nonBlockingFlags: Int32 { Int32(SOCK_NONBLOCK.rawValue) | Int32(SOCK_CLOEXEC.rawValue) }

    // MARK: Readiness

    func ready(readable: Bool, writable: Bool) {
        switch phase {
        case .dialing(let dial):
            if writable { connected(dial) }
        case .handshaking(let socket): handshake(socket)
        case .settling, .open, .draining:
            if readable { receive() }
            if writable { flush() }
        case .closed: break
        }
    }

    func loopWillStop() { end(.closed) }

    private func connected(_ plan: Dial) {
        guard let descriptor = plan.descriptor, let watch else { return }
        let code = Descriptor.pendingError(descriptor)
        guard code == 0 else {
            var dial = plan
            dial.lastFailure = Descriptor.text(ofError: code)
            return dialNext(dial)
        }
        do throws(TLSFailure) {
            let settings = try context.tlsContext(for: configuration.tls.trust)
            let stream = try TLSStream.client(settings, serverName: configuration.tls.serverName)
            let socket = SecureSocket(descriptor: descriptor, stream: stream, scratch: context.scratch)
            phase = .handshaking(socket)
            context.update(watch, writable: false)
            handshake(socket)
        } catch {
            end(.insecure(error.description))
        }
    }

    private func handshake(_ socket: SecureSocket) {
        let progress = socket.handshake()
        if case .failed(let failure) = progress {
            _ = socket.send {}
            return end(.insecure(failure.description))
        }
        // Handshake messages fit any socket buffer; bytes that the socket refuses leave with the next ones.
        if case .failed(let text) = socket.send(started: {}) { return end(.lost(text)) }
        if case .done = progress { startSession(on: socket) }
    }

    private func startSession(on socket: SecureSocket) {
        guard let watch, let transport = ClientSession.start(for: self, over: socket, watch) else {
            return end(.violation("out of memory"))
        }
        self.transport = transport
        phase = .settling
        // Records that came with the handshake are still in the loop's scratch memory.
        receive()
        scheduleFlush()
    }
}

extension LoopContext {
    /// OpenSSL's settings for a set of trusted authorities, made once a loop.
    ///
    /// - Throws: `TLSFailure` if the authorities cannot be loaded.
    func tlsContext(for trust: TLSTrust) throws(TLSFailure) -> TLSContext {
        if let known = trustedContexts[trust] { return known }
        if trustedContexts.count >= HTTP2Limits.trustedContexts { trustedContexts = [:] }
        let made = try TLSContext.client(trust)
        trustedContexts[trust] = made
        return made
    }
}
