// A sink must be faster than the client under measurement, so it parses frames and skips header blocks.

/// Parses the frames of one client (RFC 9113 section 4) and writes the frames of the response.
///
/// It finds the end of each request only. A response from HPACK's static table needs no decoder state.
///
/// ```
/// preface ──▶ frame header ──▶ payload ──▶ frame header ──▶ …
///                  │  └─ length 0 ─▶ (frame over)
///                  └─ too long, or of the wrong length for its type ─▶ violation
/// ```
struct FrameScan {
    /// The client's connection preface.
    static let preface = Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8)

    private enum Kind {
        static let data: UInt8 = 0
        static let headers: UInt8 = 1
        static let settings: UInt8 = 4
        static let ping: UInt8 = 6
        static let windowUpdate: UInt8 = 8
        static let continuation: UInt8 = 9
    }

    private enum Flag {
        /// END_STREAM of HEADERS and DATA, ACK of SETTINGS and PING.
        static let endStreamOrAck: UInt8 = 1
        static let endHeaders: UInt8 = 4
    }

    /// Requests that were complete and answered.
    private(set) var requests = 0
    private let window: Int
    private var prefaceCount = 0
    private var header: UInt128 = 0
    private var headerCount = 0
    private var payloadLeft = 0
    private var kind: UInt8 = 0
    private var flags: UInt8 = 0
    private var stream: UInt32 = 0
    private var ping: UInt64 = 0
    /// The current header block ends its request.
    private var endsAfterHeaders = false
    private var unreported = 0

    /// - Parameter window: Bytes that the client may send ahead, on each stream and on all together.
    init(window: Int) { self.window = window }

    /// Writes the server's SETTINGS and the initial window of the connection.
    func greet(streams: Int, into answers: ByteBuffer) {
        let settings: [(UInt16, UInt32)] = [
            (3, UInt32(clamping: streams)),
            (4, UInt32(clamping: window)),
        ]
        answers.appendFrame(length: 6 * settings.count, kind: Kind.settings, flags: 0, stream: 0)
        for (name, value) in settings {
            answers.appendInteger(name.bigEndian)
            answers.appendInteger(value.bigEndian)
        }
        // The protocol itself grants the first 65,535 bytes of the connection's window.
        widen(by: window - 65_535, answers)
    }

    /// Parses the next bytes; false if the client has violated the protocol.
    mutating func read(_ bytes: UnsafeRawBufferPointer, into answers: ByteBuffer) -> Bool {
        var place = 0
        while place < bytes.count {
            if payloadLeft > 0 {
                let count = min(payloadLeft, bytes.count - place)
                if kind == Kind.ping {
                    for byte in bytes[place..<place + count] { ping = ping << 8 | UInt64(byte) }
                }
                place += count
                payloadLeft -= count
                if payloadLeft == 0 { finish(answers) }
            } else if prefaceCount < Self.preface.count {
                guard bytes[place] == Self.preface[prefaceCount] else { return false }
                prefaceCount += 1
                place += 1
            } else {
                header = header << 8 | UInt128(bytes[place])
                headerCount += 1
                place += 1
                guard headerCount < 9 || begin(answers) else { return false }
            }
        }
        return true
    }

    /// Reads a complete frame header: 24 bits of length, 8 of type, 8 of flags, 31 of stream.
    private mutating func begin(_ answers: ByteBuffer) -> Bool {
        let length = Int(truncatingIfNeeded: header >> 48)
        kind = UInt8(truncatingIfNeeded: header >> 40)
        flags = UInt8(truncatingIfNeeded: header >> 32)
        stream = UInt32(truncatingIfNeeded: header) & 0x7fff_ffff
        (header, headerCount, payloadLeft) = (0, 0, length)
        guard length <= HTTP2Limits.framePayloadBytes, kind != Kind.ping || length == 8 else { return false }
        if kind == Kind.data { report(length, answers) }
        if length == 0 { finish(answers) }
        return true
    }

    private mutating func finish(_ answers: ByteBuffer) {
        let isMarked = flags & Flag.endStreamOrAck != 0
        let endsHeaders = flags & Flag.endHeaders != 0
        switch kind {
        case Kind.data where isMarked: answer(answers)
        case Kind.headers where isMarked && endsHeaders: answer(answers)
        case Kind.headers: endsAfterHeaders = isMarked
        case Kind.continuation where endsAfterHeaders && endsHeaders: answer(answers)
        case Kind.settings where !isMarked:
            answers.appendFrame(length: 0, kind: Kind.settings, flags: Flag.endStreamOrAck, stream: 0)
        case Kind.ping where !isMarked:
            answers.appendFrame(length: 8, kind: Kind.ping, flags: Flag.endStreamOrAck, stream: 0)
            answers.appendInteger(ping.bigEndian)
        default: break
        }
    }

    /// Answers with status 200, which is entry 8 of the static table (RFC 7541 appendix A).
    private mutating func answer(_ answers: ByteBuffer) {
        endsAfterHeaders = false
        requests += 1
        let flags = Flag.endStreamOrAck | Flag.endHeaders
        answers.appendFrame(length: 1, kind: Kind.headers, flags: flags, stream: stream)
        answers.appendInteger(UInt8(0x88))
    }

    /// Sends WINDOW_UPDATE for each consumed half of the connection's window.
    private mutating func report(_ length: Int, _ answers: ByteBuffer) {
        unreported += length
        guard unreported >= window / 2 else { return }
        widen(by: unreported, answers)
        unreported = 0
    }

    private func widen(by count: Int, _ answers: ByteBuffer) {
        guard count > 0 else { return }
        answers.appendFrame(length: 4, kind: Kind.windowUpdate, flags: 0, stream: 0)
        answers.appendInteger(UInt32(clamping: count).bigEndian)
    }
}

extension ByteBuffer {
    /// Appends a frame header; the payload follows.
    fileprivate func appendFrame(length: Int, kind: UInt8, flags: UInt8, stream: UInt32) {
        appendInteger((UInt32(clamping: length) << 8 | UInt32(kind)).bigEndian)
        appendInteger(flags)
        appendInteger(stream.bigEndian)
    }
}
