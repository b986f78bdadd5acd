// The way of bytes between a socket and an HTTP/2 session: recv, decrypt, parse; serialize, encrypt, one send.

internal import CLinux
internal import CNghttp2
internal import Glibc
internal import ScoreTypes

/// Why a connection is over.
public enum ConnectionEnd: Sendable, Hashable {
    /// We closed it.
    case closed
    /// The name has no address.
    case nameNotFound
    /// No connection within the time, or refused.
    case connectFailed
    /// TLS failed.
    case tls(TLSError)
    /// The peer closed or reset the connection.
    case peerClosed
    /// The peer broke the protocol, or a limit of ours.
    case protocolError
    /// The peer did not answer a PING.
    case silent
    /// The loop was stopped.
    case loopStopped
}

/// The owner of a wire: one side of an HTTP/2 connection.
protocol WireOwner: AnyObject {
    /// The handshake is done; frames may flow.
    func wireDidOpen()
    /// Called once; nothing follows.
    func wireDidClose(_ reason: ConnectionEnd)
    /// Bytes came in and were parsed.
    func wireDidReceive()
}

/// One socket with TLS and an HTTP/2 session.
final class Wire: LoopHandler {
    /// Plain bytes gathered before they are encrypted: 128 KB makes one send of many requests.
    private static let gatherBytes = 128 * 1024
    /// Records that may wait for a slow peer before the session is asked for more.
    private static let backlogBytes = 512 * 1024
    /// Bytes read from the socket at once.
    private static let readBytes = 64 * 1024

    private enum Phase { case connecting, handshaking, open, closed }

    let loop: LoopContext
    private let descriptor: Int32
    private let tls: TLSPipe
    private var phase: Phase
    private var watchesWrites: Bool
    private var willFlush = false
    private var isClosing = false
    private var gathered: [UInt8] = []
    weak var owner: (any WireOwner)?
    /// The nghttp2 session; owned here, made by the owner.
    var session: OpaquePointer?

    init(_ descriptor: Int32, tls: TLSPipe, isConnected: Bool, loop: LoopContext) {
        self.descriptor = descriptor
        self.tls = tls
        self.loop = loop
        phase = isConnected ? .handshaking : .connecting
        watchesWrites = !isConnected
        gathered.reserveCapacity(Self.gatherBytes + 32 * 1024)
        var one: Int32 = 1
        setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &one, socklen_t(MemoryLayout<Int32>.size))
        loop.add(descriptor, self, for: EPOLLIN.rawValue | (isConnected ? 0 : EPOLLOUT.rawValue))
    }

    deinit { nghttp2_session_del(session) }

    var isOpen: Bool { phase == .open }

    /// Sends what the session has, when this turn's work is done.
    func needsFlush() {
        guard !willFlush, phase == .open else { return }
        willFlush = true
        loop.afterTurn { [weak self] in self?.flush() }
    }

    func close(_ reason: ConnectionEnd) {
        guard phase != .closed, !isClosing else { return }
        isClosing = true
        if phase == .open, reason == .closed {
            flush()
            tls.shutdown()
            _ = sendRecords()
        }
        phase = .closed
        loop.remove(descriptor)
        Glibc.close(descriptor)
        owner?.wireDidClose(reason)
        owner = nil
    }

    func loopWillStop() { close(.loopStopped) }

    func descriptorIsReady(_ events: UInt32) {
        if phase == .connecting { finishConnecting() }
        if events & (EPOLLIN.rawValue | EPOLLHUP.rawValue | EPOLLERR.rawValue) != 0 { receive() }
        if events & EPOLLOUT.rawValue != 0, phase == .open || phase == .handshaking { flush() }
    }

    private func finishConnecting() {
        var code: Int32 = 0
        var length = socklen_t(MemoryLayout<Int32>.size)
        getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &code, &length)
        guard code == 0 else { return close(.connectFailed) }
        phase = .handshaking
        goOnShaking()
    }

    private func receive() {
        guard phase == .handshaking || phase == .open else { return }
        withUnsafeTemporaryAllocation(byteCount: Self.readBytes, alignment: 16) { buffer in
            while phase != .closed {
                let count = recv(descriptor, buffer.baseAddress, buffer.count, 0)
                if count == 0 { return close(.peerClosed) }
                if count < 0 {
                    if errno != EAGAIN && errno != EINTR { close(.peerClosed) }
                    return
                }
                tls.feed(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
                if phase == .handshaking { goOnShaking() }
                if phase == .open { parse(scratch: buffer) }
                if count < buffer.count { return }
            }
        }
    }

    private func goOnShaking() {
        switch tls.handshake() {
        case .done:
            phase = .open
            owner?.wireDidOpen()
            needsFlush()
        case .waiting: break
        case .failed(let error):
            _ = sendRecords()
            return close(.tls(error))
        }
        _ = sendRecords()
    }

    private func parse(scratch: UnsafeMutableRawBufferPointer) {
        // A callback may close the connection; its owner has to outlive the call that nghttp2 is in.
        guard let owner else { return }
        defer { withExtendedLifetime(owner) {} }
        while phase == .open {
            guard let count = tls.read(into: scratch) else { return close(.peerClosed) }
            guard count > 0 else { break }
            let used = nghttp2_session_mem_recv(
                session,
                scratch.baseAddress?.assumingMemoryBound(to: UInt8.self),
                count
            )
            guard used >= 0 else {
                flush()
                return close(.protocolError)
            }
        }
        guard phase == .open else { return }
        owner.wireDidReceive()
        guard phase == .open else { return }
        if nghttp2_session_want_read(session) == 0 && nghttp2_session_want_write(session) == 0 {
            return close(.peerClosed)
        }
        needsFlush()
    }

    /// Adds bytes that nghttp2 hands over by callback, as it does for bodies that are not copied.
    func gather(_ bytes: UnsafeRawBufferPointer) { gathered.append(contentsOf: bytes) }

    private func flush() {
        let owner = owner
        defer { withExtendedLifetime(owner) {} }
        willFlush = false
        guard phase == .open || phase == .handshaking else { return }
        guard sendRecords() else { return }
        guard phase == .open else { return }
        while tls.recordCount < Self.backlogBytes {
            gathered.removeAll(keepingCapacity: true)
            fill()
            guard !gathered.isEmpty else { break }
            guard gathered.withUnsafeBytes({ tls.write($0) }) else { return close(.peerClosed) }
            guard sendRecords() else { return }
        }
        if nghttp2_session_want_read(session) == 0 && nghttp2_session_want_write(session) == 0 { close(.closed) }
    }

    private func fill() {
        while gathered.count < Self.gatherBytes {
            var data: UnsafePointer<UInt8>?
            let before = gathered.count
            let count = nghttp2_session_mem_send(session, &data)
            if count > 0, let data { gathered.append(contentsOf: UnsafeBufferPointer(start: data, count: count)) }
            if count < 0 || (count == 0 && gathered.count == before) { return }
        }
    }

    /// Sends records; false when some are left or the connection is over.
    private func sendRecords() -> Bool {
        let total = tls.recordCount
        guard total > 0 else {
            watchWrites(false)
            return true
        }
        let sent = tls.withRecords { send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
        if sent == total {
            tls.dropRecords()
            watchWrites(false)
            return true
        }
        if sent > 0 { tls.dropRecords(first: sent) } else if errno != EAGAIN && errno != EINTR { close(.peerClosed) }
        if phase != .closed { watchWrites(true) }
        return false
    }

    private func watchWrites(_ wanted: Bool) {
        guard wanted != watchesWrites, phase != .closed else { return }
        watchesWrites = wanted
        loop.change(descriptor, to: EPOLLIN.rawValue | (wanted ? EPOLLOUT.rawValue : 0))
    }
}
