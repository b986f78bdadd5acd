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

    /// The flags of a frame that has none.
    static let noFlags = UInt8(NGHTTP2_FLAG_NONE.rawValue)

    /// True while nghttp2 is on the call stack; the session must not be freed then.
    private(set) var isInside = false

    /// Makes a session with nghttp2's function for its role, and submits its first SETTINGS; nil if memory is short.
    ///
    /// The session is freed with this object. Its callbacks receive the owner, which must outlive it.
    init?(
        _ make: (inout OpaquePointer?, OpaquePointer?, UnsafeMutableRawPointer, inout nghttp2_mem) -> Int32,
        owner: AnyObject,
        settings: [(nghttp2_settings_id, Int)],
        window: Int,
        over socket: SecureSocket,
        _ watch: Watch,
        in context: LoopContext,
        callbacks install: [(OpaquePointer?) -> Void]
    ) {
        var callbacks: OpaquePointer?
        guard nghttp2_session_callbacks_new(&callbacks) == 0 else { return nil }
        defer { nghttp2_session_callbacks_del(callbacks) }
        for step in install { step(callbacks) }
        let memory = SessionMemory()
        var functions = memory.functions
        var made: OpaquePointer?
        let user = Unmanaged.passUnretained(owner).toOpaque()
        guard make(&made, callbacks, user, &functions) == 0, let made else { return nil }
        let entries = settings.map { id, value in
            nghttp2_settings_entry(settings_id: Int32(id.rawValue), value: UInt32(clamping: value))
        }
        nghttp2_submit_settings(made, Self.noFlags, entries, entries.count)
        nghttp2_session_set_local_window_size(made, Self.noFlags, 0, Int32(clamping: window))
        session = made
        self.memory = memory
        self.socket = socket
        self.context = context
        self.watch = watch
    }

    /// Borrows the owner in a callback; counting references in a dozen calls a request is expensive.
    @inline(__always)
    static func lend<Owner: AnyObject, Result: ExpressibleByIntegerLiteral>(
        _ pointer: UnsafeMutableRawPointer?,
        _ body: (Owner) -> Result
    ) -> Result {
        guard let pointer else { return 0 }
        return Unmanaged<Owner>.fromOpaque(pointer)._withUnsafeGuaranteedRef(body)
    }

    deinit { nghttp2_session_del(session) }

    var staging: ByteBuffer { context.scratch.staging }

    /// Resets a stream whose response is not awaited any more.
    func cancel(_ stream: Int32) { reset(stream, UInt32(NGHTTP2_CANCEL.rawValue)) }

    /// Resets a stream with an HTTP/2 error code.
    func reset(_ stream: Int32, _ code: UInt32) { nghttp2_submit_rst_stream(session, Self.noFlags, stream, code) }

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
                context.update(watch, writable: true)
                return nil
            case .failed(let text): return .failed(text)
            }
            staging.clear()
            if let violation = gather() { return .violation(violation) }
            if staging.isEmpty { break }
            if let failure = socket.encrypt(staging.readable) { return .failed(failure) }
        }
        context.update(watch, writable: false)
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
}

/// A stream and its slot, cached to look up the slot once for all frames of the stream.
struct StreamPlace {
    var id: Int32 = 0
    var index = -1

    /// The slot stored with a stream; nil for a stream without one.
    @inline(__always)
    mutating func slot(of id: Int32, in session: OpaquePointer?) -> Int? {
        if self.id != id {
            let stored = nghttp2_session_get_stream_user_data(session, id)
            self = StreamPlace(id: id, index: stored.map { Int(bitPattern: $0) - 1 } ?? -1)
        }
        return index >= 0 ? index : nil
    }
}

extension nghttp2_frame_hd {
    func has(_ flag: nghttp2_flag) -> Bool { flags & UInt8(flag.rawValue) != 0 }

    /// Whether it is the last frame of a message.
    var endsMessage: Bool {
        (type == NGHTTP2_HEADERS.rawValue || type == NGHTTP2_DATA.rawValue) && has(NGHTTP2_FLAG_END_STREAM)
    }
}

/// A request or response body, and how many of its bytes are written.
struct OutgoingBody {
    var bytes: BodyBytes?
    var sent = 0

    /// Whether there is a body and all of it is written.
    var isSent: Bool { sent > 0 && sent == bytes?.count }

    /// Whether there is a body and part of it is not written.
    var isUnfinished: Bool { bytes.map { sent < $0.count } ?? false }

    /// Returns how many bytes the next DATA frame of at most `limit` bytes carries, with its flags; `write` follows.
    func next(_ limit: Int, _ flags: UnsafeMutablePointer<UInt32>?) -> Int {
        let left = (bytes?.count ?? 0) - sent
        flags?.pointee |= NGHTTP2_DATA_FLAG_NO_COPY.rawValue | (limit < left ? 0 : NGHTTP2_DATA_FLAG_EOF.rawValue)
        return min(limit, left)
    }

    /// Writes a DATA frame behind its header.
    mutating func write(_ count: Int, after header: UnsafePointer<UInt8>, to staging: ByteBuffer) {
        staging.append(header, Self.frameHeaderLength)
        guard let bytes else { return }
        staging.append(UnsafeRawBufferPointer(rebasing: bytes.bytes[sent..<sent + count]))
        sent += count
    }

    /// Bytes of a frame header (RFC 9113 section 4.1).
    private static let frameHeaderLength = 9
}
