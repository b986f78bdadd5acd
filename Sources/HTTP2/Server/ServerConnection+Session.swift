// nghttp2's side of a server connection.

internal import CNghttp2
internal import Glibc

extension ServerConnection {
    /// Window for the whole connection: a thousand bodies of 4 KB at once.
    private static let windowBytes: Int32 = 16 * 1024 * 1024
    /// Longest header list that is accepted, in bytes; APNs announces 8,000.
    private static let headerListBytes: UInt32 = 8_000

    func makeSession(maxConcurrentStreams: Int) -> OpaquePointer? {
        var callbacks: OpaquePointer?
        nghttp2_session_callbacks_new(&callbacks)
        defer { nghttp2_session_callbacks_del(callbacks) }
        setCallbacks(callbacks)
        var session: OpaquePointer?
        guard nghttp2_session_server_new(&session, callbacks, Unmanaged.passUnretained(self).toOpaque()) == 0 else {
            return nil
        }
        var settings = [
            nghttp2_settings_entry(
                settings_id: Int32(NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS.rawValue),
                value: UInt32(clamping: maxConcurrentStreams)
            ),
            nghttp2_settings_entry(
                settings_id: Int32(NGHTTP2_SETTINGS_MAX_HEADER_LIST_SIZE.rawValue),
                value: Self.headerListBytes
            ),
        ]
        nghttp2_submit_settings(session, UInt8(NGHTTP2_FLAG_NONE.rawValue), &settings, settings.count)
        nghttp2_session_set_local_window_size(session, UInt8(NGHTTP2_FLAG_NONE.rawValue), 0, Self.windowBytes)
        return session
    }

    private func setCallbacks(_ callbacks: OpaquePointer?) {
        nghttp2_session_callbacks_set_on_begin_headers_callback(callbacks) { _, frame, user in
            guard let frame, let connection = ServerConnection.from(user) else { return 0 }
            connection.exchanges[frame.pointee.hd.stream_id] = Exchange()
            return 0
        }
        nghttp2_session_callbacks_set_on_header_callback(callbacks) {
            _,
            frame,
            name,
            nameCount,
            value,
            count,
            _,
            user in
            guard let frame, let name, let value, let connection = ServerConnection.from(user) else { return 0 }
            let key = UnsafeBufferPointer(start: name, count: nameCount)
            let text = UnsafeBufferPointer(start: value, count: count)
            connection.exchanges[frame.pointee.hd.stream_id]?.take(key, text)
            return 0
        }
        nghttp2_session_callbacks_set_on_data_chunk_recv_callback(callbacks) { _, _, id, data, count, user in
            guard let data, let connection = ServerConnection.from(user) else { return 0 }
            connection.take(id, chunk: UnsafeBufferPointer(start: data, count: count))
            return 0
        }
        nghttp2_session_callbacks_set_on_frame_recv_callback(callbacks) { _, frame, user in
            guard let frame, let connection = ServerConnection.from(user) else { return 0 }
            let header = frame.pointee.hd
            let isMessage =
                header.type == UInt8(NGHTTP2_HEADERS.rawValue) || header.type == UInt8(NGHTTP2_DATA.rawValue)
            if isMessage, header.flags & UInt8(NGHTTP2_FLAG_END_STREAM.rawValue) != 0 {
                connection.complete(header.stream_id)
            }
            return 0
        }
        nghttp2_session_callbacks_set_on_stream_close_callback(callbacks) { _, id, _, user in
            ServerConnection.from(user)?.exchanges[id] = nil
            return 0
        }
    }
}

extension ServerConnection.Exchange {
    mutating func take(_ name: UnsafeBufferPointer<UInt8>, _ value: UnsafeBufferPointer<UInt8>) {
        guard name.first == UInt8(ascii: ":") else { return headers.add(name: name, value: value) }
        // Only two pseudo-headers matter: `:method` and `:path`; their second letters differ.
        if name.count > 1, name[1] == UInt8(ascii: "m") { method = String(decoding: value, as: UTF8.self) }
        if name.count > 1, name[1] == UInt8(ascii: "p") { path = String(decoding: value, as: UTF8.self) }
    }
}
