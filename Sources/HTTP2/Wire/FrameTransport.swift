// What both ends of HTTP/2 have in common: frames between an nghttp2 session and a secure socket.

internal import CNghttp2
internal import Glibc

/// Feeds a session from a socket and a socket from a session.
final class FrameTransport {
    enum End {
        /// The peer has closed the connection.
        case ended
        /// The socket or TLS failed.
        case failed(String)
        /// The peer broke the protocol, or the session could not go on.
        case violation(String)
        /// The session has nothing more to say or hear.
        case complete
    }

    /// Staging holds this much before it is encrypted; room for one more largest frame is left in the 128 KB.
    private static let batchBytes = LoopScratch.stagingCapacity - 17_000

    let socket: SecureSocket
    let session: OpaquePointer
    /// What the session is made of; must outlive it.
    private let memory: SessionMemory
    private let context: LoopContext
    private let watch: Watch
    private var isWaitingToWrite = false

    /// True while nghttp2 is on the call stack; the session must not be freed then.
    private(set) var isInside = false

    /// Takes over the session, which is freed with this object.
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

    /// Reads what has come; answers why the connection ended, if it did.
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

    /// Sends all that the session has to say, in batches of one `send` each; `started` follows a batch's first byte.
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
        while staging.count < Self.batchBytes {
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

/// A stream and its slot; negative when it has none.
struct StreamPlace {
    var id: Int32 = 0
    var index = -1
}

/// A body on its way out: which bytes, and how far they went.
struct OutgoingBody {
    var bytes: BodyBytes?
    var sent = 0

    /// Whether there were bytes and all of them are on their way.
    var isSent: Bool { sent > 0 && sent == bytes?.count }

    /// How much of it goes into the next DATA frame of at most `limit` bytes, and whether that is the end.
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
