// What an answer means for the token, the connection, the environment and the one who asked.

internal import HTTP2
internal import ScoreTypes

/// What is known of a request that is over.
struct Verdict {
    /// It never left, or APNs did not look at it.
    static let accepted = Verdict(outcome: .accepted, reason: .none)
    static let unsent = Verdict(outcome: .failed(.refused), reason: .transport)

    let outcome: PushOutcome
    let reason: APNsReason
    /// 410: since when the token is dead, in milliseconds since 1970.
    var deadSince: Int64?
    var retryAfter: Duration?
}

extension EnvironmentLane {
    func linkAnswered(_ link: Link, tag: UInt64, answer: LinkAnswer) {
        guard let flight = flights.take(tag) else { return }
        guard answer.status != 200 else {
            link.warm()
            breaker.record(.success, now: context.now, reopensAfter: EnvironmentBreaker.probeInterval)
            if tally.countAccepted(flight.kind) { sample(flight, isAccepted: true) }
            settle(flight, .accepted, status: 200)
            return
        }
        let said = AnswerBody(answer.body)
        let outcome = PushOutcome(status: answer.status, reason: said.reason)
        if tally.count(flight.kind, outcome, said.reason) { sample(flight, isAccepted: false) }
        judge(outcome, said.reason)
        heed(outcome, of: flight, on: link)
        note(flight, answer.status, said.reason)
        let verdict = Verdict(
            outcome: outcome,
            reason: said.reason,
            deadSince: said.timestampMilliseconds,
            retryAfter: answer.retryAfter
        )
        settle(flight, verdict, status: answer.status)
    }

    func linkFailed(_ link: Link, tag: UInt64, failure: StreamFailure) {
        guard let flight = flights.take(tag) else { return }
        let outcome: PushOutcome = .failed(failure == .refused ? .refused : .ambiguous)
        _ = tally.count(flight.kind, outcome, .transport)
        breaker.abandon()
        if failure == .timeout, link.timedOut() { link.retire() }
        settle(flight, Verdict(outcome: outcome, reason: .transport), status: 0)
    }

    func linkHasRoom(_ link: Link) {
        pump()
        report()
    }

    func linkClosed(_ link: Link, reason: ConnectionEnd) {
        switch reason {
        case .closed: break
        case .goneAway: tally.wentAway()
        default:
            tally.connectionFailed()
            if link.hasOpened {
                record(.failureInWindow, .transport)
            }
        }
        report()
    }

    /// What the answer says about the environment as a whole.
    private func judge(_ outcome: PushOutcome, _ reason: APNsReason) {
        guard let evidence = CircuitBreaker.Evidence(outcome) else { return breaker.abandon() }
        record(evidence, reason)
    }

    private func record(_ evidence: CircuitBreaker.Evidence, _ reason: APNsReason) {
        let wait = EnvironmentBreaker.probeWait(jitter: generator.unit())
        guard breaker.record(evidence, now: context.now, reopensAfter: wait) else { return }
        setting.outbox.add { $0.trips.append((environment, reason)) }
    }

    /// What the answer asks of connection and provider token.
    private func heed(_ outcome: PushOutcome, of flight: Flight, on link: Link) {
        switch outcome {
        case .failed(.renewedToken):
            link.retire()
            guard flight.tokenVersion == tokenVersion, !isAwaitingToken else { return }
            isAwaitingToken = true
            setting.outbox.add { $0.refusals.append(.init(environment: environment, tokenVersion: tokenVersion)) }
        case .failed(.newConnection), .failed(.draining): link.retire()
        case .rejected(.stopEnvironment): break
        default: link.warm()
        }
    }

    private func settle(_ flight: Flight, _ verdict: Verdict, status: Int) {
        var isFinal = true
        if let match = flight.match, let send = flight.send {
            isFinal = match.fanout.settle(
                send,
                as: verdict.outcome,
                at: context.now,
                jitter: verdict.outcome == .accepted ? 0 : generator.unit(),
                retryAfter: verdict.retryAfter
            )
            reject(verdict.outcome, match.match, send.device, send.generation, verdict.deadSince)
        } else if let push = flight.directed {
            isFinal = settle(push, verdict)
        }
        tell(flight, verdict, status: status, isFinal: isFinal)
    }

    /// True when nothing more is tried.
    private func settle(_ push: DirectedPush, _ verdict: Verdict) -> Bool {
        // Where there is a deadline: the ends of channels have their steps, and newer states their owner.
        if verdict.outcome == .rejected(.stopEnvironment), push.repeatsWhenFailed, push.expiration > 0 {
            return afterProbe(push, verdict)
        }
        guard case .failed(let retry) = verdict.outcome, mayRepeat(push, retry) else {
            finish(push, verdict)
            return true
        }
        let delay: Duration =
            switch retry {
            case .refused, .renewedToken, .newConnection, .draining: .milliseconds(push.attempt == 0 ? 0 : 100)
            default: .seconds(1 + 4 * generator.unit())
            }
        var next = push
        if retry == .throttled { next.priority = .five }
        return again(next, after: max(delay, verdict.retryAfter ?? .zero), else: verdict)
    }

    /// An answer that blames key or topic is none for the one who was meant: it waits, until its deadline, for the
    /// breaker's next probe.
    private func afterProbe(_ push: DirectedPush, _ verdict: Verdict) -> Bool {
        var waiting = push
        waiting.firstSentAt = context.now + EnvironmentBreaker.probeInterval
        return again(waiting, after: EnvironmentBreaker.probeInterval, else: verdict)
    }

    private func mayRepeat(_ push: DirectedPush, _ retry: RetryClass) -> Bool {
        push.repeatsWhenFailed && (retry != .ambiguous || push.repeatsWhenAmbiguous)
    }

    @discardableResult
    func again(_ push: DirectedPush, after delay: Duration, else verdict: Verdict) -> Bool {
        var next = push
        next.attempt &+= 1
        let due = context.now + delay
        let isInTime = due <= (next.firstSentAt ?? context.now) + Self.directedWindow
        if next.repeatsWhenFailed, isInTime, keep(next, until: due) { return false }
        // Ends have a ladder of further tries, and only its owner knows which one was the last.
        if next.repeatsWhenFailed, !isInTime, push.kind != .end { tally.countExpired(push.kind, wasTried: true) }
        finish(push, verdict)
        return true
    }

    /// Gives up requests whose deadline has passed, whatever they waited for: a stream, a token, the end of a pause.
    func dropExpired() {
        guard min(directed.earliestExpiration, patient.earliestExpiration) < .max else { return }
        let second = setting.clock.wall.seconds
        for push in directed.removeExpired(at: second) + patient.removeExpired(at: second) {
            tally.countExpired(push.kind, wasTried: push.attempt > 0)
            finish(push, .unsent, isExpired: true)
        }
    }

    func finish(_ push: DirectedPush, _ verdict: Verdict, isExpired: Bool = false) {
        let result = DirectedResult(
            ticket: push.ticket,
            kind: push.kind,
            environment: environment,
            match: push.match,
            target: push.target,
            outcome: verdict.outcome,
            reason: verdict.reason,
            apnsTimestampMilliseconds: verdict.deadSince,
            retryAfter: verdict.retryAfter,
            isExpired: isExpired
        )
        setting.outbox.add { $0.directed.append(result) }
    }

    private func reject(
        _ outcome: PushOutcome,
        _ match: MatchID,
        _ device: DeviceID,
        _ generation: Int32,
        _ timestamp: Int64?
    ) {
        guard case .rejected(let action) = outcome, action == .evict || action == .quarantine else { return }
        let rejection = Rejection(
            match: match,
            device: device,
            generation: generation,
            apnsTimestampMilliseconds: timestamp ?? setting.clock.wall.milliseconds,
            action: action
        )
        if action == .evict { rejections.append(rejection) } else { quarantines.append(rejection) }
    }

    /// Remembers some refusals for operators, by the token's fingerprint.
    private func note(_ flight: Flight, _ status: Int, _ reason: APNsReason) {
        guard recent.count < LaneReport.recentMax / 8 else { return }
        let token: PushToken?
        if let match = flight.match, let send = flight.send {
            token = setting.source.token(of: match.match, device: send.device, generation: send.generation)
        } else if case .device(_, _, let own)? = flight.directed?.target {
            token = own
        } else {
            token = nil
        }
        guard let match = flight.match?.match ?? flight.directed?.match else { return }
        recent.append(
            RecentRejection(
                at: setting.clock.wall,
                environment: environment,
                match: match,
                kind: flight.kind,
                fingerprint: token.flatMap { Fingerprint(of: $0) },
                status: status,
                reason: reason
            )
        )
    }

    private func sample(_ flight: Flight, isAccepted: Bool) {
        var late: Int64?
        if isAccepted, let committedAt = flight.committedAt {
            late = max(0, (setting.clock.wall - committedAt).milliseconds)
        }
        tally.sample(flight.kind, duration: context.now - flight.sentAt, endToEndMilliseconds: late)
    }
}
