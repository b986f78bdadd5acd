// Sends requests and delivers responses; the hot path allocates nothing of its own.

internal import CNghttp2
internal import Glibc

extension ClientConnection {
    /// Queues a request, which is sent with all others of this wake-up.
    ///
    /// - Parameters:
    ///   - path: `:path`; never enters HPACK's table.
    ///   - fixed: All constant fields, pseudo-header fields included.
    ///   - extra: A field with a new value in each request.
    ///   - body: Request body, shared and not copied; nil for none.
    ///   - tag: Number that the delegate receives with the response or failure.
    /// - Returns: False if there is no capacity; then nothing is queued.
    public func submit(
        path: UnsafeRawBufferPointer,
        fixed: HeaderTemplate,
        extra: ExtraHeader? = nil,
        body: BodyBytes?,
        tag: UInt64
    ) -> Bool {
        guard capacity > 0, let transport else { return false }
        fields.start()
        fields.append(":path", path, isIndexed: false)
        fields.append(fixed)
        if let extra { fields.append(extra.name, extra.value, isIndexed: false) }
        let index = streams.take()
        let handle = UnsafeMutableRawPointer(bitPattern: index + 1)
        var provider = nghttp2_data_provider(source: .init(ptr: handle), read_callback: ClientSession.readBody)
        let id = fields.withFields { list, count in
            body == nil
                ? nghttp2_submit_request(transport.session, nil, list, count, nil, handle)
                : nghttp2_submit_request(transport.session, nil, list, count, &provider, handle)
        }
        guard id > 0 else {
            // Out of stream ids (2^30 requests): this connection opens no more streams.
            streams.release(index)
            drain()
            return false
        }
        streams[index].phase = .waiting
        streams[index].id = id
        streams[index].tag = tag
        streams[index].submitted = context.nowInNanoseconds
        streams[index].body.bytes = body
        if templates.last !== fixed { templates.append(fixed) }
        if timeoutTimer == nil { armTimeout(from: context.nowInNanoseconds) }
        scheduleFlush()
        return true
    }

    func scheduleFlush() {
        guard !isFlushScheduled else { return }
        isFlushScheduled = true
        context.flushLater(self)
    }

    func flush() {
        isFlushScheduled = false
        guard let transport else { return }
        let outcome = transport.send { lastSent = lastSerialized }
        if nghttp2_session_get_outbound_queue_size(transport.session) == 0, templates.count > 1 {
            templates.removeFirst(templates.count - 1)
        }
        settle(outcome)
    }

    func receive() {
        guard let transport else { return }
        lastReceived = context.nowInNanoseconds
        let outcome = transport.receive()
        scheduleFlush()
        settle(outcome)
    }

    /// Follows each run of nghttp2: ends a finished connection, else calls the delegate about changes.
    private func settle(_ outcome: FrameTransport.End?) {
        if let pendingEnd { return end(pendingEnd) }
        switch outcome {
        case .ended, .complete:
            if let goAway { return end(.goneAway(code: goAway.code, debug: goAway.debug)) }
            if case .complete = outcome { return end(.violation("the session was terminated")) }
            return end(.lost("the peer closed the connection"))
        case .failed(let text): return end(.lost(text))
        case .violation(let text): return end(.violation(text))
        case nil: break
        }
        if hasChanges {
            hasChanges = false
            if case .settling = phase { opened() }
            if isOpen { delegate?.connectionHasCapacity() }
        }
        closeIfDrained()
    }

    private func opened() {
        phase = .open
        if let connectTimer { context.cancel(connectTimer) }
        sendPing()
        armHeartbeat()
        delegate?.connectionDidOpen()
    }

    // MARK: What the session reports

    func settingsReceived() {
        guard let transport else { return }
        let limit = nghttp2_session_get_remote_settings(transport.session, NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS)
        peerStreamLimit = Int(limit)
        hasChanges = true
    }

    func goAwayReceived(code: UInt32, debug: String) {
        goAway = (code, debug)
        switch phase {
        case .open: phase = .draining
        case .settling: end(.goneAway(code: code, debug: debug))
        default: break
        }
    }

    /// Headers or data ended the response.
    func answerEnded(_ index: Int, id: Int32) {
        guard let transport, streams[index].phase == .waiting, streams[index].status >= 200 else { return }
        streams[index].phase = .answered
        if streams[index].body.isSent { return }
        // The response came before the end of the request body: the rest of the body is useless.
        if nghttp2_session_get_stream_local_close(transport.session, id) == 0 {
            keepHeaders(index)
            transport.cancel(id)
        }
    }

    /// Copies the header block, which the next one would overwrite.
    func keepHeaders(_ index: Int) {
        guard streams[index].kept == nil else { return }
        let kept = KeptResponse()
        kept.headers.append(headers.readable)
        streams[index].kept = kept
    }

    func streamClosed(_ index: Int, code: UInt32) {
        let stream = streams[index]
        streams.release(index)
        hasChanges = true
        switch stream.phase {
        case .answered:
            let kept = stream.kept
            let block = HeaderBlock(bytes: kept?.headers.readable ?? headers.readable)
            let body = kept?.body.readable ?? UnsafeRawBufferPointer(start: nil, count: 0)
            delegate?.connectionAnswered(
                stream.tag,
                status: Int(stream.status),
                headers: ResponseHeaders(block: block),
                body: body
            )
        case .waiting:
            let isRefused =
                code == NGHTTP2_REFUSED_STREAM.rawValue || stream.id > lastSerialized || stream.body.isUnfinished
            delegate?.connectionFailed(stream.tag, isRefused ? .refused : .ambiguous)
        case .abandoned, .free: break
        }
    }
}
