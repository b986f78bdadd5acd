// Reports single attempts to an observer; most nodes have none.

internal import HTTP2
internal import ScoreTypes

extension EnvironmentLane {
    /// Counts a request's last try, and reports any try to the observer.
    ///
    /// `token` is that of a token which the answer has removed from memory.
    func observe(
        _ flight: Flight,
        _ requestResult: RequestResult,
        status: Int,
        isFinal: Bool,
        removed token: PushToken? = nil
    ) {
        // Configuration errors are counted at every try: fan-outs wait for their end and never give up.
        let isRefused = isFinal && requestResult.outcome != .accepted
        if isRefused || requestResult.outcome == .rejected(.stopEnvironment) {
            counts.countFinal(flight.kind, requestResult.reason)
        }
        guard let observer = setting.attempts, requestResult.outcome != .accepted || wants(flight),
            var attempt = attempt(flight, requestResult, status: status, isFinal: isFinal, removed: token)
        else { return }
        attempt.committedAt = flight.committedAt
        attempt.queuedAt = flight.directed?.queuedAt
        attempt.body = flight.directed?.body ?? body(of: flight)
        observer.attempted(attempt)
    }

    /// The token of a fan-out's request, for the observer; nil without one, or if nothing is observed.
    func observedToken(of flight: Flight) -> PushToken? {
        guard setting.attempts != nil, let match = flight.match?.match, let token = flight.send?.token else {
            return nil
        }
        return setting.source.token(of: match, device: token.device, generation: token.generation)
    }

    /// Whether the observer receives an accepted request.
    private func wants(_ flight: Flight) -> Bool {
        switch acceptedAttempts {
        case .all: return true
        case .none: return false
        case .sample: break
        }
        if let match = flight.match {
            if match.sampledSeed != flight.seed {
                match.sampledSeed = flight.seed
                return true
            }
        } else if sampledSeed != flight.seed {
            sampledSeed = flight.seed
            return true
        }
        acceptedCount &+= 1
        return acceptedCount % PushLimits.attemptSampleEvery == 0 || flight.attempt > 0
    }

    /// The body of a fan-out's request, unless a newer publication has replaced it.
    private func body(of flight: Flight) -> BodyBytes? {
        guard let encoded = flight.match?.fanout.encoded, let send = flight.send, encoded.seed == flight.seed else {
            return nil
        }
        return encoded.body(variant: send.token.variant, withAlert: send.hasAlert)
    }

    private func attempt(
        _ flight: Flight,
        _ requestResult: RequestResult,
        status: Int,
        isFinal: Bool,
        removed: PushToken?
    ) -> PushAttempt? {
        let token = flight.send?.token
        let directed = flight.directed
        guard let match = flight.match?.match ?? directed?.match else { return nil }
        var (device, generation) = (token?.device, token?.generation ?? 0)
        var recipient = removed.map { PushAttempt.Recipient.token($0) } ?? .stored(setting.source)
        var isBroadcast = false
        switch directed?.target {
        case .device(let owner, let number, let own):
            (device, generation, recipient) = (owner, number, .token(own))
        case .channel(let channel):
            (device, recipient, isBroadcast) = (DeviceID(high: 0, low: directed?.ticket ?? 0), .channel(channel), true)
        case nil: break
        }
        guard let device else { return nil }
        return PushAttempt(
            operation: flight.kind,
            isBroadcast: isBroadcast,
            match: match,
            revision: flight.revision,
            environment: environment,
            number: Int(flight.attempt) + 1,
            isFinal: isFinal,
            outcome: requestResult.outcome,
            status: status,
            reason: requestResult.reason,
            sentAt: flight.sentAt,
            duration: context.now - flight.sentAt,
            seed: flight.seed,
            device: device,
            generation: generation,
            recipient: recipient
        )
    }
}
