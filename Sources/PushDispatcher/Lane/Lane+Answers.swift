// Every answer is booked where it belongs: the fan-out, a single request, the breaker, the counts.

internal import HTTP2
internal import ScoreTypes

extension Lane {
    /// Books an answer of Apple's.
    func settle(_ tag: UInt64, status: Int, body: UnsafeRawBufferPointer) {
        let answer = status == 200 ? nil : AnswerBody(body)
        let reason = answer?.reason ?? .none
        settle(tag, PushOutcome(status: status, reason: reason), reason, timestamp: answer?.timestampMilliseconds)
    }

    /// Books that there was no answer.
    func settle(_ tag: UInt64, _ failure: StreamFailure) {
        settle(tag, .failed(failure == .refused ? .refused : .ambiguous), .transport, timestamp: nil)
    }

    private func settle(_ tag: UInt64, _ outcome: PushOutcome, _ reason: APNsReason, timestamp: Int64?) {
        guard let flight = flights.removeValue(forKey: tag) else { return }
        count(outcome, reason)
        judge(outcome, reason, flight)
        switch flight.kind {
        case .fanout(let match, let send):
            fanouts[match]?.settle(send, as: outcome, at: clock.monotonic, jitter: chance.unit())
            reject(outcome, match, send.device, send.generation, timestamp)
        case .request(let request): settle(request, outcome, timestamp)
        }
    }

    private func settle(_ request: LaneRequest, _ outcome: PushOutcome, _ timestamp: Int64?) {
        switch request.target {
        case .channel(let channel):
            emit(.broadcast(channel, request.match, revision: request.revision, outcome))
            if outcome == .accepted { counts.broadcasts += 1 }
        case .token(_, let device, let generation):
            // A start goes to the device's own token, which no arena holds.
            if request.kind != .start { reject(outcome, request.match, device, generation, timestamp) }
        }
        guard case .failed(let retry) = outcome, request.attempt + 1 < LaneRequest.attemptsMax else { return }
        // A start may have been carried out: a second one would be a second activity.
        if request.kind == .start && !retry.wasCertainlyNotDelivered { return }
        var again = request
        again.attempt += 1
        let delay: Duration = retry == .refused ? .zero : .seconds(1 + 4 * chance.unit())
        loop.schedule(after: delay) { [weak self] in self?.send([again]) }
    }

    private func reject(
        _ outcome: PushOutcome,
        _ match: MatchID,
        _ device: DeviceID,
        _ generation: Int32,
        _ timestamp: Int64?
    ) {
        guard case .rejected(let action) = outcome, action == .evict || action == .quarantine else { return }
        rejections.append(
            Rejection(
                match: match,
                device: device,
                generation: generation,
                apnsTimestampMilliseconds: timestamp,
                action: action
            )
        )
    }

    private func count(_ outcome: PushOutcome, _ reason: APNsReason) {
        switch outcome {
        case .accepted: counts.accepted += 1
        case .rejected: counts.rejected += 1
        case .failed: counts.failed += 1
        }
        if outcome != .accepted { counts.byReason[reason, default: 0] += 1 }
    }

    private func judge(_ outcome: PushOutcome, _ reason: APNsReason, _ flight: Flight) {
        let evidence: Breaker.Evidence
        switch outcome {
        case .rejected(.stopEnvironment): evidence = .configurationFault
        case .failed(.server): evidence = .serverFault
        default: evidence = .healthy
        }
        if breaker.heard(evidence, at: clock.monotonic, jitter: chance.unit()) { emit(.stopped(reason)) }
        if case .failed(.renewedToken) = outcome, flight.token.text == provider?.text {
            writer = nil
            emit(.tokenExpired(flight.token))
            pushDoor.renew()
            broadcastDoor.renew()
        }
    }
}
