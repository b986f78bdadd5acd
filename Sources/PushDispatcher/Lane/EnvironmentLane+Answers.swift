// Applies an answer to the token, the connection, the environment and the sender of the request.

internal import HTTP2
internal import ScoreTypes

extension EnvironmentLane {
    func linkAnswered(_ link: Link, tag: UInt64, answer: LinkResponse) {
        guard let flight = takeFlight(tag, from: link) else { return }
        answeredCount &+= 1
        guard answer.status != 200 else {
            link.warm()
            breaker.record(.success, now: context.now, reopensAfter: PushLimits.probeInterval)
            if counts.countAccepted(flight.kind) { sample(flight, isAccepted: true) }
            settle(flight, .accepted, status: 200)
            return
        }
        let requestResult = RequestResult(status: answer.status, body: answer.body, retryAfter: answer.retryAfter)
        let (outcome, reason) = (requestResult.outcome, requestResult.reason)
        if counts.count(flight.kind, outcome, reason) { sample(flight, isAccepted: false) }
        recordEvidence(outcome, reason)
        applyConnectionRules(outcome, of: flight, on: link)
        settle(flight, requestResult, status: answer.status)
    }

    func linkFailed(_ link: Link, tag: UInt64, failure: StreamFailure) {
        guard let flight = takeFlight(tag, from: link) else { return }
        let wasUnsent = failure == .refused || failure == .unsentTimeout
        let outcome: PushOutcome = .failed(wasUnsent ? .refused : .ambiguous)
        _ = counts.count(flight.kind, outcome, .transport)
        breaker.abandon()
        if failure == .timeout || failure == .unsentTimeout, link.timedOut() { link.retire() }
        settle(flight, RequestResult(outcome: outcome, reason: .transport), status: 0)
    }

    /// Takes an answered request out; inlined, since a call copies the flight of each push.
    @inline(__always)
    private func takeFlight(_ tag: UInt64, from link: Link) -> Flight? {
        guard let flight = flights.take(tag) else { return nil }
        if flight.match == nil { link.settledDirected() }
        return flight
    }

    /// Ends all open requests as ambiguous; their buckets are complete without them.
    func abandon() {
        for match in matches { match.fanout.withhold(at: context.now, source: setting.source) }
        for flight in flights.takeAll() {
            settle(flight, RequestResult(outcome: .failed(.ambiguous), reason: .transport), status: 0)
        }
        for match in matches { match.fanout.releaseRepeats() }
        report()
    }

    /// Returns all waiting requests for single devices, since a leaving lane sends none of them.
    ///
    /// One whose earlier try may have arrived stays ambiguous.
    func returnWaiting() {
        for push in directed.removeAll(where: { _ in true }) + lifecycle.removeAll(where: { _ in true }) {
            finish(push, .unsent)
        }
    }

    func linkHasRoom() {
        pump()
        report()
    }

    func linkClosed(_ link: Link, reason: ConnectionEnd) {
        switch reason {
        case .closed: break
        case .goneAway: counts.goAways += 1
        default:
            counts.connectionFailures += 1
            if link.hasOpened { record(.failureInWindow, .transport) }
        }
        report()
    }

    /// Records the evidence about the environment.
    private func recordEvidence(_ outcome: PushOutcome, _ reason: APNsReason) {
        guard let evidence = CircuitBreaker.Evidence(outcome) else { return breaker.abandon() }
        record(evidence, reason)
    }

    private func record(_ evidence: CircuitBreaker.Evidence, _ reason: APNsReason) {
        let wait = EnvironmentBreaker.probeWait(jitter: generator.unit())
        guard breaker.record(evidence, now: context.now, reopensAfter: wait) else { return }
        breakerReason = reason
        setting.outbox.add { $0.trips.append((environment, reason)) }
    }

    /// Applies the answer to the connection and the provider token.
    private func applyConnectionRules(_ outcome: PushOutcome, of flight: Flight, on link: Link) {
        switch outcome {
        case .failed(.renewedToken):
            link.retire()
            guard flight.tokenVersion == tokenVersion, !isAwaitingToken else { return }
            isAwaitingToken = true
            setting.outbox.add { $0.refusals.append((environment, tokenVersion)) }
        case .failed(.newConnection), .failed(.draining): link.retire()
        case .rejected(.stopEnvironment): break
        default: link.warm()
        }
    }

    private func settle(_ flight: Flight, _ requestResult: RequestResult, status: Int) {
        var isFinal = true
        let removed = requestResult.outcome == .rejected(.evict) ? observedToken(of: flight) : nil
        if let match = flight.match, let send = flight.send {
            isFinal = match.fanout.settle(
                send,
                as: requestResult.outcome,
                at: context.now,
                jitter: requestResult.outcome == .accepted ? 0 : generator.unit(),
                retryAfter: requestResult.retryAfter
            )
            reject(send.token.device, send.token.generation, of: match.match, requestResult)
        } else if let push = flight.directed {
            isFinal = settle(push, requestResult)
        }
        observe(flight, requestResult, status: status, isFinal: isFinal, removed: removed)
    }

    /// Returns true if the request is not repeated.
    private func settle(_ push: DirectedPush, _ requestResult: RequestResult) -> Bool {
        // A configuration error says nothing about the recipient: the request waits for the breaker's next probe or its
        // deadline. Ends of channels, which have none, have their own schedule, and newer states their owner.
        if requestResult.outcome == .rejected(.stopEnvironment), push.repeatsWhenFailed, push.expiration > 0 {
            var waiting = push
            waiting.firstSentAt = context.now + PushLimits.probeInterval
            return again(waiting, after: PushLimits.probeInterval, else: requestResult)
        }
        // A leaving node sends nothing more, so that an unknown outcome is final.
        guard case .failed(let retry) = requestResult.outcome, !isLeaving || retry != .ambiguous,
            let next = push.next(after: retry)
        else {
            finish(push, requestResult)
            return true
        }
        let delay: Duration =
            switch retry {
            case .refused, .renewedToken, .newConnection, .draining: .milliseconds(push.attempt == 0 ? 0 : 100)
            default: .seconds(1 + 4 * generator.unit())
            }
        return again(next, after: max(delay, requestResult.retryAfter ?? .zero), else: requestResult)
    }

    @discardableResult
    func again(_ push: DirectedPush, after delay: Duration, else requestResult: RequestResult) -> Bool {
        var next = push
        next.attempt &+= 1
        let due = context.now + delay
        let isInTime = due <= (next.firstSentAt ?? context.now) + PushLimits.directedRetryWindow
        if next.repeatsWhenFailed, isInTime, keep(next, until: due) { return false }
        // Ends are repeated further, and only their schedule knows the last try.
        if next.repeatsWhenFailed, !isInTime, push.kind != .end { counts.countExpired(push.kind, wasTried: true) }
        finish(push, requestResult)
        return true
    }

    /// Drops requests whose deadline has passed while they waited.
    func dropExpired() {
        guard min(directed.earliestExpiration, lifecycle.earliestExpiration) < .max else { return }
        let second = setting.clock.wall.seconds
        for push in directed.removeExpired(at: second) + lifecycle.removeExpired(at: second) {
            counts.countExpired(push.kind, wasTried: push.attempt > 0)
            finish(push, .unsent, isExpired: true)
        }
    }

    func finish(_ push: DirectedPush, _ requestResult: RequestResult, isExpired: Bool = false) {
        if push.kind == .end, requestResult.outcome == .rejected(.evict),
            case .device(let device, let generation, _) = push.target
        {
            reject(device, generation, of: push.match, requestResult)
        }
        let result = DirectedResult(push, in: environment, requestResult, isExpired: isExpired)
        setting.outbox.add { $0.directed.append(result) }
    }

    /// Evicts a token that APNs rejected; a bad token waits until the whole fan-out is evaluated.
    private func reject(_ device: DeviceID, _ generation: Int32, of match: MatchID, _ requestResult: RequestResult) {
        // Almost all pushes are accepted, and reading the clock for each made a fan-out 5 % slower.
        guard case .rejected(let action) = requestResult.outcome, action == .evict || action == .quarantine else {
            return
        }
        let token = RejectedToken(
            match: match,
            device: device,
            generation: generation,
            deadAt: requestResult.deadSince.map { Instant(milliseconds: $0) } ?? setting.clock.wall
        )
        if action == .evict { setting.source.evict(token) } else { quarantines.append(token) }
    }

    private func sample(_ flight: Flight, isAccepted: Bool) {
        var late: Int64?
        if isAccepted, let committedAt = flight.committedAt {
            late = max(0, (setting.clock.wall - committedAt).milliseconds)
        }
        counts.sample(flight.kind, duration: context.now - flight.sentAt, endToEndMilliseconds: late)
    }
}
