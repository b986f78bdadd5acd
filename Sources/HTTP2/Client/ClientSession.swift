// The nghttp2 session of a client: its callbacks pass C values to the connection.

internal import CNghttp2
internal import Glibc

/// Makes sessions whose events go to a `ClientConnection`.
enum ClientSession {
    static func start(for owner: ClientConnection, over socket: SecureSocket, _ watch: Watch) -> FrameTransport? {
        FrameTransport(
            { nghttp2_session_client_new3(&$0, $1, $2, nil, &$3) },
            owner: owner,
            settings: [
                (NGHTTP2_SETTINGS_ENABLE_PUSH, 0),
                (NGHTTP2_SETTINGS_MAX_HEADER_LIST_SIZE, HTTP2Limits.responseHeaderBytes),
            ],
            window: HTTP2Limits.clientWindowBytes,
            over: socket,
            watch,
            in: owner.context,
            callbacks: [installHeaders, installFrames, installSending]
        )
    }

    private static func installHeaders(in callbacks: OpaquePointer?) {
        nghttp2_session_callbacks_set_on_begin_headers_callback(callbacks) { session, frame, owner in
            FrameTransport.lend(owner) { (connection: ClientConnection) -> Int32 in
                connection.headers.clear()
                connection.isIgnoringHeaders = false
                guard let frame, let index = connection.reading.slot(of: frame.pointee.hd.stream_id, in: session)
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
            FrameTransport.lend(owner) { (connection: ClientConnection) -> Int32 in
                guard let frame, !connection.isIgnoringHeaders else { return 0 }
                let name = UnsafeRawBufferPointer(start: name, count: nameLength)
                let value = UnsafeRawBufferPointer(start: value, count: valueLength)
                let id = frame.pointee.hd.stream_id
                if name.first == UInt8(ascii: ":"), let index = connection.reading.slot(of: id, in: session) {
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
            FrameTransport.lend(owner) { (connection: ClientConnection) -> Int32 in
                if let frame { ClientSession.received(frame, on: connection, session) }
                return 0
            }
        }
        nghttp2_session_callbacks_set_on_data_chunk_recv_callback(callbacks) { session, _, id, bytes, length, owner in
            FrameTransport.lend(owner) { (connection: ClientConnection) -> Int32 in
                guard let index = connection.reading.slot(of: id, in: session), let bytes,
                    let kept = connection.streams[index].kept
                else { return 0 }
                kept.body.append(bytes, min(length, HTTP2Limits.responseBodyBytes - kept.body.count))
                return 0
            }
        }
        nghttp2_session_callbacks_set_on_stream_close_callback(callbacks) { session, id, code, owner in
            FrameTransport.lend(owner) { (connection: ClientConnection) -> Int32 in
                guard let index = connection.reading.slot(of: id, in: session) else { return 0 }
                connection.reading = StreamPlace()
                connection.streamClosed(index, code: code)
                return 0
            }
        }
    }

    private static func installSending(in callbacks: OpaquePointer?) {
        nghttp2_session_callbacks_set_on_frame_send_callback(callbacks) { _, frame, owner in
            FrameTransport.lend(owner) { (connection: ClientConnection) -> Int32 in
                guard let frame, frame.pointee.hd.type == NGHTTP2_HEADERS.rawValue else { return 0 }
                connection.lastSerialized = max(connection.lastSerialized, frame.pointee.hd.stream_id)
                return 0
            }
        }
        nghttp2_session_callbacks_set_send_data_callback(callbacks) { _, _, header, length, source, owner in
            FrameTransport.lend(owner) { (connection: ClientConnection) -> Int32 in
                guard let staging = connection.transport?.staging, let header, let source else {
                    return NGHTTP2_ERR_CALLBACK_FAILURE.rawValue
                }
                let index = Int(bitPattern: source.pointee.ptr) - 1
                connection.streams[index].body.write(length, after: header, to: staging)
                return 0
            }
        }
    }

    /// Returns how much of a request's body goes next; the send-data callback writes the bytes.
    static let readBody: nghttp2_data_source_read_callback = { _, _, _, limit, flags, source, owner in
        FrameTransport.lend(owner) { (connection: ClientConnection) -> Int in
            guard let source else { return Int(NGHTTP2_ERR_CALLBACK_FAILURE.rawValue) }
            return connection.streams[Int(bitPattern: source.pointee.ptr) - 1].body.next(limit, flags)
        }
    }

    private static func received(
        _ frame: UnsafePointer<nghttp2_frame>,
        on connection: ClientConnection,
        _ session: OpaquePointer?
    ) {
        let header = frame.pointee.hd
        switch UInt32(header.type) {
        case NGHTTP2_HEADERS.rawValue, NGHTTP2_DATA.rawValue:
            guard let index = connection.reading.slot(of: header.stream_id, in: session) else { return }
            if header.endsMessage {
                connection.answerEnded(index, id: header.stream_id)
            } else if header.type == NGHTTP2_HEADERS.rawValue, connection.streams[index].status >= 200 {
                connection.keepHeaders(index)
            }
        case NGHTTP2_SETTINGS.rawValue: if !header.has(NGHTTP2_FLAG_ACK) { connection.settingsReceived() }
        case NGHTTP2_PING.rawValue: if header.has(NGHTTP2_FLAG_ACK) { connection.pingSent = nil }
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
