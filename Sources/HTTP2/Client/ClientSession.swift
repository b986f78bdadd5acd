// The nghttp2 session of a client: its callbacks pass C values to the connection.

internal import CNghttp2
internal import Glibc

/// Makes sessions whose events go to a `ClientConnection`.
enum ClientSession {
    static func make(for connection: ClientConnection, in memory: SessionMemory) -> OpaquePointer? {
        var callbacks: OpaquePointer?
        guard nghttp2_session_callbacks_new(&callbacks) == 0 else { return nil }
        defer { nghttp2_session_callbacks_del(callbacks) }
        installHeaders(in: callbacks)
        installFrames(in: callbacks)
        installSending(in: callbacks)
        var session: OpaquePointer?
        let owner = Unmanaged.passUnretained(connection).toOpaque()
        var functions = memory.functions
        guard nghttp2_session_client_new3(&session, callbacks, owner, nil, &functions) == 0 else { return nil }
        var settings = [
            nghttp2_settings_entry(settings_id: Int32(NGHTTP2_SETTINGS_ENABLE_PUSH.rawValue), value: 0),
            nghttp2_settings_entry(
                settings_id: Int32(NGHTTP2_SETTINGS_MAX_HEADER_LIST_SIZE.rawValue),
                value: UInt32(HTTP2Limits.responseHeaderBytes)
            ),
        ]
        nghttp2_submit_settings(session, UInt8(NGHTTP2_FLAG_NONE.rawValue), &settings, settings.count)
        nghttp2_session_set_local_window_size(
            session,
            UInt8(NGHTTP2_FLAG_NONE.rawValue),
            0,
            HTTP2Limits.clientWindowBytes
        )
        return session
    }

    /// Borrows the connection, which outlives its session; counting references in a dozen calls a request is expensive.
    @inline(__always)
    private static func lend(_ pointer: UnsafeMutableRawPointer?, _ body: (ClientConnection) -> Int32) -> Int32 {
        guard let pointer else { return 0 }
        return Unmanaged<ClientConnection>.fromOpaque(pointer)._withUnsafeGuaranteedRef(body)
    }

    /// The slot stored with a stream; nil for streams of the peer.
    private static func slot(_ session: OpaquePointer?, _ id: Int32, on connection: ClientConnection) -> Int? {
        if connection.reading.id != id {
            let stored = nghttp2_session_get_stream_user_data(session, id)
            connection.reading = StreamPlace(id: id, index: stored.map { Int(bitPattern: $0) - 1 } ?? -1)
        }
        return connection.reading.index >= 0 ? connection.reading.index : nil
    }

    private static func installHeaders(in callbacks: OpaquePointer?) {
        nghttp2_session_callbacks_set_on_begin_headers_callback(callbacks) { session, frame, owner in
            ClientSession.lend(owner) { connection in
                connection.headers.clear()
                connection.isIgnoringHeaders = false
                guard let frame, let index = ClientSession.slot(session, frame.pointee.hd.stream_id, on: connection)
                else { return 0 }
                // Trailers do not change the response.
                connection.isIgnoringHeaders = connection.streams[index].status >= 200
                return 0
            }
        }
        nghttp2_session_callbacks_set_on_header_callback(callbacks) {
            session,
            frame,
            name,
            nameLength,
            value,
            valueLength,
            _,
            owner in
            ClientSession.lend(owner) { connection in
                guard let frame, !connection.isIgnoringHeaders else { return 0 }
                let name = UnsafeRawBufferPointer(start: name, count: nameLength)
                let value = UnsafeRawBufferPointer(start: value, count: valueLength)
                let id = frame.pointee.hd.stream_id
                if name.first == UInt8(ascii: ":"), let index = ClientSession.slot(session, id, on: connection) {
                    connection.streams[index].status = value.reduce(0) { $0 &* 10 &+ Int32($1) &- 48 }
                }
                let isKept = HeaderBlock.append(
                    to: connection.headers,
                    name: name,
                    value: value,
                    limit: HTTP2Limits.responseHeaderBytes
                )
                return isKept ? 0 : NGHTTP2_ERR_TEMPORAL_CALLBACK_FAILURE.rawValue
            }
        }
    }

    private static func installFrames(in callbacks: OpaquePointer?) {
        nghttp2_session_callbacks_set_on_frame_recv_callback(callbacks) { session, frame, owner in
            ClientSession.lend(owner) { connection in
                if let frame { ClientSession.received(frame, on: connection, session) }
                return 0
            }
        }
        nghttp2_session_callbacks_set_on_data_chunk_recv_callback(callbacks) { session, _, id, bytes, length, owner in
            ClientSession.lend(owner) { connection in
                guard let index = ClientSession.slot(session, id, on: connection), let bytes,
                    let kept = connection.streams[index].kept
                else { return 0 }
                kept.body.append(bytes, min(length, HTTP2Limits.responseBodyBytes - kept.body.count))
                return 0
            }
        }
        nghttp2_session_callbacks_set_on_stream_close_callback(callbacks) { session, id, code, owner in
            ClientSession.lend(owner) { connection in
                guard let index = ClientSession.slot(session, id, on: connection) else { return 0 }
                connection.reading = StreamPlace()
                connection.streamClosed(index, code: code)
                return 0
            }
        }
    }

    private static func installSending(in callbacks: OpaquePointer?) {
        nghttp2_session_callbacks_set_on_frame_send_callback(callbacks) { _, frame, owner in
            ClientSession.lend(owner) { connection in
                guard let frame, frame.pointee.hd.type == NGHTTP2_HEADERS.rawValue else { return 0 }
                connection.lastSerialized = max(connection.lastSerialized, frame.pointee.hd.stream_id)
                return 0
            }
        }
        nghttp2_session_callbacks_set_send_data_callback(callbacks) { _, _, header, length, source, owner in
            ClientSession.lend(owner) { connection in
                guard let staging = connection.transport?.staging, let header, let source else {
                    return NGHTTP2_ERR_CALLBACK_FAILURE.rawValue
                }
                staging.append(header, ClientSession.frameHeaderLength)
                connection.streams[Int(bitPattern: source.pointee.ptr) - 1].body.write(length, to: staging)
                return 0
            }
        }
    }

    /// Bytes of a frame header (RFC 9113 section 4.1).
    static let frameHeaderLength = 9

    /// Returns how much of a request's body goes next; the send-data callback writes the bytes.
    static let readBody: nghttp2_data_source_read_callback = { _, _, _, limit, flags, source, owner in
        guard let owner, let source, let flags else { return Int(NGHTTP2_ERR_CALLBACK_FAILURE.rawValue) }
        return Unmanaged<ClientConnection>.fromOpaque(owner)._withUnsafeGuaranteedRef { connection in
            let next = connection.streams[Int(bitPattern: source.pointee.ptr) - 1].body.next(limit)
            flags.pointee |= NGHTTP2_DATA_FLAG_NO_COPY.rawValue
            if next.isLast { flags.pointee |= NGHTTP2_DATA_FLAG_EOF.rawValue }
            return next.count
        }
    }

    private static func received(
        _ frame: UnsafePointer<nghttp2_frame>,
        on connection: ClientConnection,
        _ session: OpaquePointer?
    ) {
        let header = frame.pointee.hd
        switch UInt32(header.type) {
        case NGHTTP2_HEADERS.rawValue:
            guard let index = ClientSession.slot(session, header.stream_id, on: connection) else { return }
            if header.flags & UInt8(NGHTTP2_FLAG_END_STREAM.rawValue) != 0 {
                connection.answerEnded(index, id: header.stream_id)
            } else if connection.streams[index].status >= 200 {
                connection.keepHeaders(index)
            }
        case NGHTTP2_DATA.rawValue:
            guard header.flags & UInt8(NGHTTP2_FLAG_END_STREAM.rawValue) != 0,
                let index = ClientSession.slot(session, header.stream_id, on: connection)
            else { return }
            connection.answerEnded(index, id: header.stream_id)
        case NGHTTP2_SETTINGS.rawValue:
            if header.flags & UInt8(NGHTTP2_FLAG_ACK.rawValue) == 0 { connection.settingsReceived() }
        case NGHTTP2_PING.rawValue:
            if header.flags & UInt8(NGHTTP2_FLAG_ACK.rawValue) != 0 { connection.pingAnswered() }
        case NGHTTP2_GOAWAY.rawValue:
            let goAway = frame.pointee.goaway
            let debug = UnsafeRawBufferPointer(start: goAway.opaque_data, count: goAway.opaque_data_len)
            connection.goAwayReceived(
                code: goAway.error_code,
                debug: String(decoding: debug.prefix(HTTP2Limits.debugDataBytes), as: UTF8.self)
            )
        default: break
        }
    }
}
