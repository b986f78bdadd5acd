// Reports single attempts to an observer; most nodes have none.

internal import HTTP2
internal import ScoreTypes

extension EnvironmentLane {
    /// Counts a request's last try, and reports any try to the observer.
    func observe(_ flight: Flight, _ requestResult: RequestResult, status: Int, isFinal: Bool) {
        // Configuration errors are counted at every try: fan-outs wait for their end and never give up.
        let isRefused = isFinal && requestResult.outcome != .accepted
        if isRefused || requestResult.outcome == .rejected(.stopEnvironment) {
            counts.countFinal(flight.kind, requestResult.reason)
        }
        guard let observer = setting.attempts, wantsAccepted || requestResult.outcome != .accepted,
            let attempt = attempt(flight, requestResult, status: status, isFinal: isFinal)
        else { return }
        observer.attempted(attempt)
    }

    private func attempt(_ flight: Flight, _ requestResult: RequestResult, status: Int, isFinal: Bool) -> PushAttempt? {
        let token = flight.send?.token
        let directed = flight.directed
        guard let match = flight.match?.match ?? directed?.match else { return nil }
        var (device, generation) = (token?.device, token?.generation ?? 0)
        var recipient: PushAttempt.Recipient = .stored(setting.source)
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
            number: Int(token?.attempt ?? directed?.attempt ?? 0) + 1,
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
