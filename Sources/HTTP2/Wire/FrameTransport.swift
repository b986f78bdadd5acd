// The part that client and server share: frames between an nghttp2 session and a secure socket.

internal import CNghttp2
internal import Glibc

/// Moves bytes between a session and a socket.
final class FrameTransport {
    enum End {
        /// The peer has closed the connection.
        case ended
        /// The socket or TLS failed.
        case failed(String)
        /// The peer violated the protocol, or the session failed.
        case violation(String)
        /// The session neither reads nor writes any more.
        case complete
    }

    let socket: SecureSocket
    let session: OpaquePointer
    /// The session's allocator, which must outlive it.
    private let memory: SessionMemory
    private let context: LoopContext
    private let watch: Watch
    private var isWaitingToWrite = false

    /// True while nghttp2 is on the call stack; the session must not be freed then.
    private(set) var isInside = false

    /// Takes ownership of the session, which is freed with this object.
    init(
        socket: SecureSocket,
        session: OpaquePointer,
        memory: SessionMemory,
        context: LoopContext,
        watch: Watch
    ) {
        self.socket = socket
        self.session = session
        self.memory = memory
        self.context = context
        self.watch = watch
    }

    deinit { nghttp2_session_del(session) }

    var staging: ByteBuffer { context.scratch.staging }

    /// Resets a stream whose response is not awaited any more.
    func cancel(_ stream: Int32) {
        nghttp2_submit_rst_stream(
            session,
            UInt8(NGHTTP2_FLAG_NONE.rawValue),
            stream,
            UInt32(NGHTTP2_CANCEL.rawValue)
        )
    }

    /// Reads the available bytes; returns why the connection ended, if it did.
    func receive() -> End? {
        var violation: String?
        isInside = true
        defer { isInside = false }
        let outcome = socket.receive { bytes in
            let count = nghttp2_session_mem_recv(
                session,
                bytes.assumingMemoryBound(to: UInt8.self).baseAddress,
                bytes.count
            )
            guard count == bytes.count else {
                violation = String(cString: nghttp2_strerror(Int32(clamping: count)))
                return false
            }
            return true
        }
        if let violation { return .violation(violation) }
        switch outcome {
        case .open: return nil
        case .ended: return .ended
        case .failed(let text): return .failed(text)
        }
    }

    /// Sends all output of the session in batches of one `send` each; calls `started` after a batch's first byte.
    func send(started: () -> Void) -> End? {
        isInside = true
        defer { isInside = false }
        while true {
            switch socket.send(started: started) {
            case .all: break
            case .blocked:
                setWaitingToWrite(true)
                return nil
            case .failed(let text): return .failed(text)
            }
            staging.clear()
            if let violation = gather() { return .violation(violation) }
            if staging.isEmpty { break }
            if let failure = socket.encrypt(staging.readable) { return .failed(failure) }
        }
        setWaitingToWrite(false)
        let isComplete = nghttp2_session_want_read(session) == 0 && nghttp2_session_want_write(session) == 0
        return isComplete ? .complete : nil
    }

    private func gather() -> String? {
        var frame: UnsafePointer<UInt8>?
        while staging.count < HTTP2Limits.batchBytes {
            let count = nghttp2_session_mem_send(session, &frame)
            guard count >= 0 else { return String(cString: nghttp2_strerror(Int32(clamping: count))) }
            guard count > 0, let frame else { return nil }
            staging.append(frame, count)
        }
        return nil
    }

    private func setWaitingToWrite(_ wanted: Bool) {
        guard wanted != isWaitingToWrite else { return }
        isWaitingToWrite = wanted
        context.update(watch, writable: wanted)
    }
}

/// A stream and its slot; the index is negative if it has none.
struct StreamPlace {
    var id: Int32 = 0
    var index = -1
}

/// A request or response body, and how many of its bytes are written.
struct OutgoingBody {
    var bytes: BodyBytes?
    var sent = 0

    /// Whether there is a body and all of it is written.
    var isSent: Bool { sent > 0 && sent == bytes?.count }

    /// The bytes for the next DATA frame of at most `limit` bytes, and whether they are the last.
    func next(_ limit: Int) -> (count: Int, isLast: Bool) {
        let left = (bytes?.count ?? 0) - sent
        let count = min(limit, left)
        return (count, count == left)
    }

    mutating func write(_ count: Int, to staging: ByteBuffer) {
        guard let bytes else { return }
        staging.append(UnsafeRawBufferPointer(rebasing: bytes.bytes[sent..<sent + count]))
        sent += count
    }
}
