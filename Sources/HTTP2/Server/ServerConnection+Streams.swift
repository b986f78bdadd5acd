// Delivers the requests of one client and sends the responses.

internal import CNghttp2
internal import Glibc

extension ServerStream {
    /// Sends the response.
    ///
    /// - Parameters:
    ///   - status: HTTP status, 100 to 999.
    ///   - fixed: Constant fields, without pseudo-header fields.
    ///   - extra: A field with a new value in each response.
    ///   - body: Response body, shared and not copied; nil for none.
    /// - Returns: False if the stream is closed or was answered before.
    @discardableResult
    public func respond(
        status: Int,
        fixed: HeaderTemplate? = nil,
        extra: ExtraHeader? = nil,
        body: BodyBytes? = nil
    ) -> Bool {
        guard let transport, (100...999).contains(status), connection.streams[index].phase == .waiting else {
            return false
        }
        let digits = UInt32(status)
        var text = (UInt8(48 + digits / 100), UInt8(48 + digits / 10 % 10), UInt8(48 + digits % 10))
        let handle = UnsafeMutableRawPointer(bitPattern: index + 1)
        var provider = nghttp2_data_provider(source: .init(ptr: handle), read_callback: ServerSession.readBody)
        let code = withUnsafeBytes(of: &text) { text in
            connection.fields.start()
            connection.fields.append(":status", text, isIndexed: true)
            if let fixed { connection.fields.append(fixed) }
            if let extra { connection.fields.append(extra.name, extra.value, isIndexed: false) }
            return connection.fields.withFields { list, count in
                body == nil
                    ? nghttp2_submit_response(transport.session, id, list, count, nil)
                    : nghttp2_submit_response(transport.session, id, list, count, &provider)
            }
        }
        guard code == 0 else { return false }
        connection.streams[index].phase = .answered
        connection.streams[index].body = OutgoingBody(bytes: body)
        connection.streams[index].fixed = fixed
        if connection.streams[index].isBodyTruncated {
            // The client still sends a body that is not read (RFC 9113 section 8.1).
            connection.streams[index].resetsAfterAnswer = true
            connection.hasCutRequests = true
        }
        connection.scheduleFlush()
        return true
    }

    /// Resets the stream with an HTTP/2 error code (7 is REFUSED_STREAM, 8 CANCEL).
    public func reset(code: UInt32) {
        guard let transport else { return }
        transport.reset(id, code)
        connection.streams[index].phase = .answered
        connection.scheduleFlush()
    }

    /// The transport of the connection; nil once the stream or the connection is closed.
    private var transport: FrameTransport? {
        let holds = connection.streams[index].id == id && connection.streams[index].phase != .free
        return holds && connection.isOpen ? connection.transport : nil
    }
}

extension ServerConnection {
    /// Delivers a request: it is complete, or the rest of its body is not kept.
    func deliver(_ index: Int) {
        guard streams[index].phase == .receiving else { return }
        streams[index].phase = .waiting
        // GOAWAY promises not to process streams above its last one, even if they are already here.
        guard streams[index].id <= lastProcessed else { return }
        let buffer = streams[index].buffer
        let block = HeaderBlock(bytes: buffer.headers.readable)
        let empty = UnsafeRawBufferPointer(start: nil, count: 0)
        let request = ServerRequest(
            stream: ServerStream(connection: self, id: streams[index].id, index: index),
            method: block.value(of: ":method") ?? empty,
            path: block.value(of: ":path") ?? empty,
            body: buffer.body.readable,
            isBodyTruncated: streams[index].isBodyTruncated,
            block: block
        )
        delegate.server(didReceive: request)
    }

    func bodyReceived(_ index: Int, _ bytes: UnsafeRawBufferPointer) {
        guard streams[index].phase == .receiving else { return }
        let body = streams[index].buffer.body
        let room = listener.configuration.bodyMax - body.count
        body.append(UnsafeRawBufferPointer(rebasing: bytes.prefix(room)))
        guard bytes.count > room else { return }
        streams[index].isBodyTruncated = true
        deliver(index)
    }
}
