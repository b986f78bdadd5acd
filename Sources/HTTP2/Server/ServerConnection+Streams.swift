// Delivers the requests of one client and sends the responses.

internal import CNghttp2
internal import Glibc

extension ServerConnection {
    func respond(
        _ stream: ServerStream,
        status: Int,
        fixed: HeaderTemplate?,
        extra: ExtraHeader?,
        body: BodyBytes?
    ) -> Bool {
        guard isOpen, let transport, holds(stream), (100...999).contains(status),
            streams[stream.index].phase == .waiting
        else { return false }
        let digits = UInt32(status)
        var text = (UInt8(48 + digits / 100), UInt8(48 + digits / 10 % 10), UInt8(48 + digits % 10))
        let handle = UnsafeMutableRawPointer(bitPattern: stream.index + 1)
        var provider = nghttp2_data_provider(source: .init(ptr: handle), read_callback: ServerSession.readBody)
        let code = withUnsafeBytes(of: &text) { text in
            fields.start()
            fields.append(":status", text, isIndexed: true)
            if let fixed { fields.append(fixed) }
            if let extra { fields.append(extra.name, extra.value, isIndexed: false) }
            return fields.withFields { list, count in
                body == nil
                    ? nghttp2_submit_response(transport.session, stream.id, list, count, nil)
                    : nghttp2_submit_response(transport.session, stream.id, list, count, &provider)
            }
        }
        guard code == 0 else { return false }
        streams[stream.index].phase = .answered
        streams[stream.index].body = OutgoingBody(bytes: body)
        streams[stream.index].fixed = fixed
        if streams[stream.index].isBodyTruncated {
            // The client still sends a body that is not read (RFC 9113 section 8.1).
            streams[stream.index].resetsAfterAnswer = true
            hasCutRequests = true
        }
        scheduleFlush()
        return true
    }

    func reset(_ stream: ServerStream, code: UInt32) {
        guard isOpen, let transport, holds(stream) else { return }
        transport.reset(stream.id, code)
        streams[stream.index].phase = .answered
        scheduleFlush()
    }

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
