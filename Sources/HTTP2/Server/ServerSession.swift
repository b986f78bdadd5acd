// The nghttp2 session of a server's connection: its callbacks pass C values to the connection.

internal import CNghttp2
internal import Glibc

/// Makes sessions whose events go to a `ServerConnection`.
enum ServerSession {
    static func make(
        for connection: ServerConnection,
        _ configuration: HTTP2ServerConfiguration,
        in memory: SessionMemory
    ) -> OpaquePointer? {
        var callbacks: OpaquePointer?
        guard nghttp2_session_callbacks_new(&callbacks) == 0 else { return nil }
        defer { nghttp2_session_callbacks_del(callbacks) }
        installHeaders(in: callbacks)
        installFrames(in: callbacks)
        installSending(in: callbacks)
        var options: OpaquePointer?
        guard nghttp2_option_new(&options) == 0 else { return nil }
        defer { nghttp2_option_del(options) }
        nghttp2_option_set_no_closed_streams(options, 1)
        nghttp2_option_set_stream_reset_rate_limit(options, HTTP2Limits.resetBurst, HTTP2Limits.resetsPerSecond)
        var session: OpaquePointer?
        let owner = Unmanaged.passUnretained(connection).toOpaque()
        var functions = memory.functions
        guard nghttp2_session_server_new3(&session, callbacks, owner, options, &functions) == 0 else { return nil }
        let values: [(nghttp2_settings_id, Int)] = [
            (NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS, configuration.maxConcurrentStreams),
            (NGHTTP2_SETTINGS_INITIAL_WINDOW_SIZE, configuration.streamWindow),
            (NGHTTP2_SETTINGS_MAX_HEADER_LIST_SIZE, configuration.headersMax),
            (NGHTTP2_SETTINGS_NO_RFC7540_PRIORITIES, 1),
        ]
        var settings = values.map { id, value in
            nghttp2_settings_entry(settings_id: Int32(id.rawValue), value: UInt32(clamping: value))
        }
        let none = UInt8(NGHTTP2_FLAG_NONE.rawValue)
        nghttp2_submit_settings(session, none, &settings, settings.count)
        nghttp2_session_set_local_window_size(session, none, 0, Int32(clamping: configuration.connectionWindow))
        return session
    }

    /// Borrows the connection, which outlives its session.
    @inline(__always)
    private static func lend(_ pointer: UnsafeMutableRawPointer?, _ body: (ServerConnection) -> Int32) -> Int32 {
        guard let pointer else { return 0 }
        return Unmanaged<ServerConnection>.fromOpaque(pointer)._withUnsafeGuaranteedRef(body)
    }

    private static func slot(_ session: OpaquePointer?, _ id: Int32, on connection: ServerConnection) -> Int? {
        if connection.reading.id != id {
            let stored = nghttp2_session_get_stream_user_data(session, id)
            connection.reading = StreamPlace(id: id, index: stored.map { Int(bitPattern: $0) - 1 } ?? -1)
        }
        return connection.reading.index >= 0 ? connection.reading.index : nil
    }

    private static func installHeaders(in callbacks: OpaquePointer?) {
        nghttp2_session_callbacks_set_on_begin_headers_callback(callbacks) { session, frame, owner in
            ServerSession.lend(owner) { connection in
                guard let id = frame?.pointee.hd.stream_id else { return 0 }
                // Trailers come on a stream that has a slot already.
                guard ServerSession.slot(session, id, on: connection) == nil else { return 0 }
                let index = connection.streams.take(id: id)
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
            ServerSession.lend(owner) { connection in
                guard let frame,
                    let index = ServerSession.slot(session, frame.pointee.hd.stream_id, on: connection),
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
            ServerSession.lend(owner) { connection in
                guard let index = ServerSession.slot(session, id, on: connection) else { return 0 }
                connection.bodyReceived(index, UnsafeRawBufferPointer(start: bytes, count: length))
                return 0
            }
        }
        nghttp2_session_callbacks_set_on_frame_recv_callback(callbacks) { session, frame, owner in
            ServerSession.lend(owner) { connection in
                guard let header = frame?.pointee.hd else { return 0 }
                let carries = header.type == NGHTTP2_HEADERS.rawValue || header.type == NGHTTP2_DATA.rawValue
                guard carries, header.flags & UInt8(NGHTTP2_FLAG_END_STREAM.rawValue) != 0,
                    let index = ServerSession.slot(session, header.stream_id, on: connection)
                else { return 0 }
                connection.deliver(index)
                return 0
            }
        }
        nghttp2_session_callbacks_set_on_stream_close_callback(callbacks) { session, id, _, owner in
            ServerSession.lend(owner) { connection in
                guard let index = ServerSession.slot(session, id, on: connection) else { return 0 }
                connection.reading = StreamPlace()
                connection.streams.release(index)
                return 0
            }
        }
    }

    private static func installSending(in callbacks: OpaquePointer?) {
        nghttp2_session_callbacks_set_on_frame_send_callback(callbacks) { session, frame, owner in
            ServerSession.lend(owner) { connection in
                guard connection.hasCutRequests, let header = frame?.pointee.hd,
                    header.flags & UInt8(NGHTTP2_FLAG_END_STREAM.rawValue) != 0,
                    header.type == NGHTTP2_HEADERS.rawValue || header.type == NGHTTP2_DATA.rawValue,
                    let index = ServerSession.slot(session, header.stream_id, on: connection),
                    connection.streams[index].resetsAfterAnswer
                else { return 0 }
                let none = UInt8(NGHTTP2_FLAG_NONE.rawValue)
                nghttp2_submit_rst_stream(session, none, header.stream_id, UInt32(NGHTTP2_NO_ERROR.rawValue))
                return 0
            }
        }
        nghttp2_session_callbacks_set_send_data_callback(callbacks) { _, _, header, length, source, owner in
            ServerSession.lend(owner) { connection in
                guard let staging = connection.transport?.staging, let header, let source else {
                    return NGHTTP2_ERR_CALLBACK_FAILURE.rawValue
                }
                staging.append(header, ClientSession.frameHeaderLength)
                connection.streams[Int(bitPattern: source.pointee.ptr) - 1].body.write(length, to: staging)
                return 0
            }
        }
    }

    static let readBody: nghttp2_data_source_read_callback = { _, _, _, limit, flags, source, owner in
        guard let owner, let source, let flags else { return Int(NGHTTP2_ERR_CALLBACK_FAILURE.rawValue) }
        return Unmanaged<ServerConnection>.fromOpaque(owner)._withUnsafeGuaranteedRef { connection in
            let next = connection.streams[Int(bitPattern: source.pointee.ptr) - 1].body.next(limit)
            flags.pointee |= NGHTTP2_DATA_FLAG_NO_COPY.rawValue
            if next.isLast { flags.pointee |= NGHTTP2_DATA_FLAG_EOF.rawValue }
            return next.count
        }
    }
}
