// The nghttp2 session of a server's connection: its callbacks pass C values to the connection.

internal import CNghttp2
internal import Glibc

/// Makes sessions whose events go to a `ServerConnection`.
enum ServerSession {
    static func start(for owner: ServerConnection, over socket: SecureSocket, _ watch: Watch) -> FrameTransport? {
        var options: OpaquePointer?
        guard nghttp2_option_new(&options) == 0 else { return nil }
        defer { nghttp2_option_del(options) }
        nghttp2_option_set_no_closed_streams(options, 1)
        nghttp2_option_set_stream_reset_rate_limit(options, HTTP2Limits.resetBurst, HTTP2Limits.resetsPerSecond)
        let configuration = owner.listener.configuration
        if !configuration.extendsWindows { nghttp2_option_set_no_auto_window_update(options, 1) }
        return FrameTransport(
            { nghttp2_session_server_new3(&$0, $1, $2, options, &$3) },
            owner: owner,
            settings: [
                (NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS, configuration.maxConcurrentStreams),
                (NGHTTP2_SETTINGS_INITIAL_WINDOW_SIZE, HTTP2Limits.streamWindowBytes),
                (NGHTTP2_SETTINGS_MAX_HEADER_LIST_SIZE, configuration.headersMax),
                (NGHTTP2_SETTINGS_NO_RFC7540_PRIORITIES, 1),
            ],
            window: configuration.connectionWindow,
            over: socket,
            watch,
            in: owner.context,
            callbacks: [installHeaders, installFrames, installSending]
        )
    }

    private static func installHeaders(in callbacks: OpaquePointer?) {
        nghttp2_session_callbacks_set_on_begin_headers_callback(callbacks) { session, frame, owner in
            FrameTransport.lend(owner) { (connection: ServerConnection) -> Int32 in
                guard let id = frame?.pointee.hd.stream_id else { return 0 }
                // Trailers come on a stream that has a slot already.
                guard connection.reading.slot(of: id, in: session) == nil else { return 0 }
                let index = connection.streams.take()
                connection.streams[index].phase = .receiving
                connection.streams[index].id = id
                nghttp2_session_set_stream_user_data(session, id, UnsafeMutableRawPointer(bitPattern: index + 1))
                connection.reading = StreamPlace(id: id, index: index)
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
            FrameTransport.lend(owner) { (connection: ServerConnection) -> Int32 in
                guard let frame,
                    let index = connection.reading.slot(of: frame.pointee.hd.stream_id, in: session),
                    frame.pointee.headers.cat == NGHTTP2_HCAT_REQUEST
                else { return 0 }
                let isKept = HeaderBlock.append(
                    to: connection.streams[index].buffer.headers,
                    name: UnsafeRawBufferPointer(start: name, count: nameLength),
                    value: UnsafeRawBufferPointer(start: value, count: valueLength),
                    limit: connection.listener.configuration.headersMax
                )
                return isKept ? 0 : NGHTTP2_ERR_TEMPORAL_CALLBACK_FAILURE.rawValue
            }
        }
    }

    private static func installFrames(in callbacks: OpaquePointer?) {
        nghttp2_session_callbacks_set_on_data_chunk_recv_callback(callbacks) { session, _, id, bytes, length, owner in
            FrameTransport.lend(owner) { (connection: ServerConnection) -> Int32 in
                guard let index = connection.reading.slot(of: id, in: session) else { return 0 }
                connection.bodyReceived(index, UnsafeRawBufferPointer(start: bytes, count: length))
                return 0
            }
        }
        nghttp2_session_callbacks_set_on_frame_recv_callback(callbacks) { session, frame, owner in
            FrameTransport.lend(owner) { (connection: ServerConnection) -> Int32 in
                guard let header = frame?.pointee.hd, header.endsMessage,
                    let index = connection.reading.slot(of: header.stream_id, in: session)
                else { return 0 }
                connection.deliver(index)
                return 0
            }
        }
        nghttp2_session_callbacks_set_on_stream_close_callback(callbacks) { session, id, _, owner in
            FrameTransport.lend(owner) { (connection: ServerConnection) -> Int32 in
                guard let index = connection.reading.slot(of: id, in: session) else { return 0 }
                connection.reading = StreamPlace()
                connection.streams.release(index)
                return 0
            }
        }
    }

    private static func installSending(in callbacks: OpaquePointer?) {
        nghttp2_session_callbacks_set_on_frame_send_callback(callbacks) { session, frame, owner in
            FrameTransport.lend(owner) { (connection: ServerConnection) -> Int32 in
                guard connection.hasCutRequests, let header = frame?.pointee.hd, header.endsMessage,
                    let index = connection.reading.slot(of: header.stream_id, in: session),
                    connection.streams[index].resetsAfterAnswer
                else { return 0 }
                connection.transport?.reset(header.stream_id, UInt32(NGHTTP2_NO_ERROR.rawValue))
                return 0
            }
        }
        nghttp2_session_callbacks_set_send_data_callback(callbacks) { _, _, header, length, source, owner in
            FrameTransport.lend(owner) { (connection: ServerConnection) -> Int32 in
                guard let staging = connection.transport?.staging, let header, let source else {
                    return NGHTTP2_ERR_CALLBACK_FAILURE.rawValue
                }
                let index = Int(bitPattern: source.pointee.ptr) - 1
                connection.streams[index].body.write(length, after: header, to: staging)
                return 0
            }
        }
    }

    static let readBody: nghttp2_data_source_read_callback = { _, _, _, limit, flags, source, owner in
        FrameTransport.lend(owner) { (connection: ServerConnection) -> Int in
            guard let source else { return Int(NGHTTP2_ERR_CALLBACK_FAILURE.rawValue) }
            return connection.streams[Int(bitPattern: source.pointee.ptr) - 1].body.next(limit, flags)
        }
    }
}
