// nghttp2's side of a client connection: its callbacks, and how a request is laid out for it.

internal import CNghttp2
internal import Glibc

extension ClientConnection {
    /// Window for the whole connection: answers are small, so it is never the limit.
    private static let windowBytes: Int32 = 4 * 1024 * 1024

    func makeSession() -> OpaquePointer? {
        var callbacks: OpaquePointer?
        nghttp2_session_callbacks_new(&callbacks)
        defer { nghttp2_session_callbacks_del(callbacks) }
        setCallbacks(callbacks)
        var session: OpaquePointer?
        let me = Unmanaged.passUnretained(self).toOpaque()
        guard nghttp2_session_client_new(&session, callbacks, me) == 0 else { return nil }
        var settings = [nghttp2_settings_entry(settings_id: Int32(NGHTTP2_SETTINGS_ENABLE_PUSH.rawValue), value: 0)]
        nghttp2_submit_settings(session, UInt8(NGHTTP2_FLAG_NONE.rawValue), &settings, settings.count)
        nghttp2_session_set_local_window_size(session, UInt8(NGHTTP2_FLAG_NONE.rawValue), 0, Self.windowBytes)
        return session
    }

    func request(
        _ session: OpaquePointer,
        path: UnsafeBufferPointer<UInt8>,
        template: HeaderTemplate,
        extra: (name: StaticString, value: UnsafeBufferPointer<UInt8>)?,
        hasBody: Bool,
        place: Int
    ) -> Int32 {
        let unindexed = UInt8(NGHTTP2_NV_FLAG_NO_INDEX.rawValue)
        return withUnsafeTemporaryAllocation(of: nghttp2_nv.self, capacity: template.count + 2) { pairs in
            var count = 0
            pairs[0] = Self.pair(":path", path, flags: unindexed)
            count += 1
            for index in 0..<template.count {
                pairs[count] = template.pairs[index]
                count += 1
            }
            if let extra {
                pairs[count] = Self.pair(extra.name, extra.value, flags: unindexed)
                count += 1
            }
            var provider = nghttp2_data_provider(source: nghttp2_data_source(fd: 0), read_callback: Self.readBody)
            provider.source.ptr = UnsafeMutableRawPointer(bitPattern: place + 1)
            let user = UnsafeMutableRawPointer(bitPattern: place + 1)
            let id =
                hasBody
                ? nghttp2_submit_request(session, nil, pairs.baseAddress, count, &provider, user)
                : nghttp2_submit_request(session, nil, pairs.baseAddress, count, nil, user)
            if id > 0 { streams[place]?.opened(as: id) }
            return id
        }
    }

    private static func pair(
        _ name: StaticString,
        _ value: UnsafeBufferPointer<UInt8>,
        flags: UInt8
    ) -> nghttp2_nv {
        nghttp2_nv(
            name: UnsafeMutablePointer(mutating: name.utf8Start),
            value: UnsafeMutablePointer(mutating: value.baseAddress),
            namelen: name.utf8CodeUnitCount,
            valuelen: value.count,
            flags: flags | UInt8(NGHTTP2_NV_FLAG_NO_COPY_NAME.rawValue)
        )
    }

    private static let readBody: nghttp2_data_source_read_callback = { _, _, _, length, flags, source, user in
        guard let connection = ClientConnection.from(user),
            let place = source.map({ Int(bitPattern: $0.pointee.ptr) - 1 }),
            let stream = connection.streams[place], let body = stream.body
        else { return Int(NGHTTP2_ERR_TEMPORAL_CALLBACK_FAILURE.rawValue) }
        let left = body.count - stream.sentOfBody
        let count = min(left, length)
        flags?.pointee |= UInt32(NGHTTP2_DATA_FLAG_NO_COPY.rawValue)
        if count == left { flags?.pointee |= UInt32(NGHTTP2_DATA_FLAG_EOF.rawValue) }
        return count
    }

    private func setCallbacks(_ callbacks: OpaquePointer?) {
        nghttp2_session_callbacks_set_send_data_callback(callbacks) { _, frame, header, length, source, user in
            guard let connection = ClientConnection.from(user), let wire = connection.wire, let header,
                let place = source.map({ Int(bitPattern: $0.pointee.ptr) - 1 }), let stream = connection.streams[place],
                let body = stream.body
            else { return NGHTTP2_ERR_TEMPORAL_CALLBACK_FAILURE.rawValue }
            wire.gather(UnsafeRawBufferPointer(start: header, count: 9))
            let from = stream.sentOfBody
            wire.gather(UnsafeRawBufferPointer(rebasing: body.buffer[from..<from + length]))
            connection.streams[place]?.sentOfBody += length
            return 0
        }
        nghttp2_session_callbacks_set_on_frame_send_callback(callbacks) { session, frame, user in
            guard let frame, frame.pointee.hd.type == UInt8(NGHTTP2_HEADERS.rawValue),
                let connection = ClientConnection.from(user),
                let place = ClientConnection.place(session, frame.pointee.hd.stream_id)
            else { return 0 }
            connection.streams[place]?.wasSent = true
            return 0
        }
        nghttp2_session_callbacks_set_on_header_callback(callbacks) {
            session,
            frame,
            name,
            nameCount,
            value,
            count,
            _,
            user in
            guard let frame, let name, let value, let connection = ClientConnection.from(user),
                let place = ClientConnection.place(session, frame.pointee.hd.stream_id)
            else { return 0 }
            let key = UnsafeBufferPointer(start: name, count: nameCount)
            let text = UnsafeBufferPointer(start: value, count: count)
            connection.streams[place]?.takeHeader(key, text)
            return 0
        }
        nghttp2_session_callbacks_set_on_data_chunk_recv_callback(callbacks) { session, _, id, data, count, user in
            guard let data, let connection = ClientConnection.from(user),
                let place = ClientConnection.place(session, id)
            else { return 0 }
            connection.streams[place]?.takeBody(UnsafeBufferPointer(start: data, count: count))
            return 0
        }
        nghttp2_session_callbacks_set_on_stream_close_callback(callbacks) { session, id, code, user in
            guard let connection = ClientConnection.from(user), let place = ClientConnection.place(session, id) else {
                return 0
            }
            connection.settle(place, code: code)
            return 0
        }
        nghttp2_session_callbacks_set_on_frame_recv_callback(callbacks) { _, frame, user in
            guard let frame, let connection = ClientConnection.from(user) else { return 0 }
            connection.take(frame.pointee.hd)
            return 0
        }
    }

    private func take(_ header: nghttp2_frame_hd) {
        let isAcknowledgement = header.flags & UInt8(NGHTTP2_FLAG_ACK.rawValue) != 0
        if header.type == UInt8(NGHTTP2_SETTINGS.rawValue), !isAcknowledgement, !isAnnounced {
            isAnnounced = true
            delegate?.connectionDidOpen(self)
        }
        if header.type == UInt8(NGHTTP2_PING.rawValue), isAcknowledgement, let sent = pingSentAt {
            roundTrip = loop.now - sent
            pingSentAt = nil
        }
    }

    private func settle(_ place: Int, code: UInt32) {
        guard let stream = streams.remove(place), !stream.isSettled else { return }
        if stream.status > 0, code == UInt32(NGHTTP2_NO_ERROR.rawValue) {
            stream.answer.withUnsafeBytes { body in
                delegate?.connection(
                    self,
                    didAnswer: stream.tag,
                    status: stream.status,
                    headers: stream.headers,
                    body: body
                )
            }
        } else {
            let isRefused = code == UInt32(NGHTTP2_REFUSED_STREAM.rawValue) || !stream.wasSent
            delegate?.connection(self, didFail: stream.tag, with: isRefused ? .refused : .ambiguous)
        }
    }

    private static func from(_ user: UnsafeMutableRawPointer?) -> ClientConnection? {
        user.map { Unmanaged<ClientConnection>.fromOpaque($0).takeUnretainedValue() }
    }

    private static func place(_ session: OpaquePointer?, _ id: Int32) -> Int? {
        nghttp2_session_get_stream_user_data(session, id).map { Int(bitPattern: $0) - 1 }
    }
}

extension ClientStream {
    mutating func opened(as id: Int32) { streamID = id }

    mutating func takeHeader(_ name: UnsafeBufferPointer<UInt8>, _ value: UnsafeBufferPointer<UInt8>) {
        guard name.first == UInt8(ascii: ":") else { return headers.add(name: name, value: value) }
        status = value.reduce(0) { $0 &* 10 &+ Int($1) &- 48 }
    }

    mutating func takeBody(_ chunk: UnsafeBufferPointer<UInt8>) {
        guard answer.count + chunk.count <= ClientConnection.answerBytesMax else { return }
        answer.append(contentsOf: chunk)
    }
}
