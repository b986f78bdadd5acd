// The timers of a connection: requests time out, and a PING checks a silent peer.

internal import CNghttp2

extension ClientConnection {
    /// Sets the timer of the oldest request; requests time out in the order of submission, so one timer serves all.
    func armTimeout(from oldest: Int64) {
        let due = oldest &+ configuration.requestTimeout.nanosecondsClamped
        timeoutTimer = context.schedule(after: .nanoseconds(max(0, due &- context.nowInNanoseconds))) { _ in
            self.failOverdue()
        }
    }

    private func failOverdue() {
        timeoutTimer = nil
        guard let transport else { return }
        let limit = context.nowInNanoseconds &- configuration.requestTimeout.nanosecondsClamped
        var oldest: Int64?
        var overdue: [(tag: UInt64, failure: StreamFailure)] = []
        for index in streams.slots.indices where streams[index].phase == .waiting {
            let submitted = streams[index].submitted
            if submitted > limit {
                oldest = min(oldest ?? submitted, submitted)
                continue
            }
            streams[index].phase = .abandoned
            transport.cancel(streams[index].id)
            overdue.append((streams[index].tag, isUnsent(streams[index]) ? .unsentTimeout : .timeout))
        }
        if let oldest { armTimeout(from: oldest) }
        scheduleFlush()
        // Comes last, since the delegate may submit or close.
        for (tag, failure) in overdue { delegate?.connectionFailed(tag, failure) }
    }

    func sendPing() {
        guard let transport, pingSent == nil else { return }
        nghttp2_submit_ping(transport.session, FrameTransport.noFlags, nil)
        pingSent = context.nowInNanoseconds
        scheduleFlush()
    }

    func armHeartbeat() {
        let shortest = min(configuration.pingAfterSilence, configuration.pingAfterIdle, configuration.pingTimeout)
        // A quarter of the shortest time keeps each check within 25 % of its configured time.
        heartbeatTimer = context.schedule(after: max(HTTP2Limits.heartbeatInterval, shortest / 4)) { _ in
            self.heartbeat()
        }
    }

    private func heartbeat() {
        let now = context.nowInNanoseconds
        if let pingSent {
            let waited = now &- max(pingSent, lastReceived)
            if waited >= configuration.pingTimeout.nanosecondsClamped { return end(.silent) }
        } else {
            let limit = streams.count > 0 ? configuration.pingAfterSilence : configuration.pingAfterIdle
            if now &- lastReceived >= limit.nanosecondsClamped { sendPing() }
        }
        armHeartbeat()
    }
}
