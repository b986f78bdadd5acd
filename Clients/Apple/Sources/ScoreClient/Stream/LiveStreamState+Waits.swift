// Waits, lost connections, and polling where a stream does not work.

internal import LiveSurface

extension LiveStreamState {
    /// A deadline has passed: a connection is silent, a wait is over, or a poll is due.
    mutating func expired(at now: ClientInstant, using random: inout some RandomNumberGenerator) -> [Action] {
        guard let deadline, deadline <= now.uptime else { return [] }
        self.deadline = nil
        switch phase {
        case .opening, .streaming:
            // Open without a first event: a proxy collects the stream, so that another one would not help.
            if phase == .streaming, !hasHello { failures = ClientLimits.failedStreams }
            return [.disconnect] + lost(at: now, using: &random)
        case .waiting: return connect(at: now)
        case .polling:
            if let pollingEnds, now.uptime >= pollingEnds { return connect(at: now) }
            return poll()
        case .idle, .finished: return []
        }
    }

    mutating func lost(
        waiting requested: Duration? = nil,
        at now: ClientInstant,
        using random: inout some RandomNumberGenerator
    ) -> [Action] {
        if !hasHello { failures += 1 }
        if failures >= ClientLimits.failedStreams {
            // An absent server says nothing about its streams: they are tried again soon.
            let time = wasAnswered ? ClientLimits.pollingTime : ClientLimits.absentServerTime
            (failures, wasAnswered) = (0, false)
            return beginPolling(for: time, at: now)
        }
        let wait = backOff.next(using: &random)
        return pause(max(wait, requested ?? parser.retry ?? .zero), at: now)
    }

    mutating func pause(_ wait: Duration, at now: ClientInstant) -> [Action] {
        phase = .waiting
        deadline = now.uptime + wait
        return [.deliver(.connection(.waiting))]
    }

    mutating func beginPolling(for time: Duration?, at now: ClientInstant) -> [Action] {
        phase = .polling
        pollingEnds = time.map { now.uptime + $0 }
        return [.deliver(.connection(.polling))] + poll()
    }

    private mutating func poll() -> [Action] {
        polls = openMatches
        pollWait = ClientLimits.pollIntervals.upperBound
        return polls.first.map { [.poll(match: $0)] } ?? finish(nil)
    }

    mutating func polled(
        _ match: String,
        _ result: Result<MatchDetail, ClientError>,
        at now: ClientInstant,
        using random: inout some RandomNumberGenerator
    ) -> [Action] {
        guard polls.first == match else { return [] }
        polls.removeFirst()
        var actions: [Action] = []
        var wait = Duration.milliseconds(settings.pollMs)
        switch result {
        case .success(let detail):
            // The next outage begins with short waits again.
            backOff.reset()
            actions += take(detail)
            if let next = detail.nextPollMs { wait = .milliseconds(next) }
        case .failure(let error):
            switch error.advice {
            case .retry:
                wait = backOff.next(using: &random)
                if case .busy(let seconds) = error { busyUntil = max(busyUntil, now.uptime + .seconds(seconds)) }
            case .removeMatch where matches.count > 1:
                ended.insert(match)
                actions.append(.deliver(.ended(match: match, result: nil)))
            default: return finish(error)
            }
        }
        let range = ClientLimits.pollIntervals
        pollWait = min(pollWait, min(max(wait, range.lowerBound), range.upperBound))
        if let next = polls.first { return actions + [.poll(match: next)] }
        if ended.isSuperset(of: matches) { return actions + finish(nil) }
        if let before = endedBeforeRefusal {
            endedBeforeRefusal = nil
            // A refusal that no missing match explains is a failure of the stream, which is not repeated at once.
            return actions + (ended.count > before ? connect(at: now) : lost(at: now, using: &random))
        }
        // A match that has not begun is polled rarely; its stream is not to wait for that.
        let next = now.uptime + pollWait
        deadline = max(pollingEnds.map { min(max($0, now.uptime), next) } ?? next, busyUntil)
        return actions
    }

    private mutating func take(_ detail: MatchDetail) -> [Action] {
        let state = LiveMatchState(
            matchID: detail.id,
            epoch: detail.epoch,
            display: detail.display,
            isUrgent: false,
            isReset: false
        )
        var actions = deliver(state) + flags(of: detail)
        if detail.isOver, ended.insert(detail.id).inserted {
            actions.append(.deliver(.ended(match: detail.id, result: detail.result?.text)))
        }
        return actions
    }

    /// The flags of a polled match that have changed, as a stream reports them.
    private mutating func flags(of detail: MatchDetail) -> [Action] {
        var events: [LiveMatchEvent] = []
        if let isHeld = detail.provenance?.held, isHeld != held.contains(detail.id) {
            events.append(.held(match: detail.id, isHeld, reason: nil))
        }
        if let isStale = detail.provenance?.stale, isStale != stale.contains(detail.id) {
            events.append(.stale(match: detail.id, isStale))
        }
        for event in events { note(event) }
        return events.map { Action.deliver($0) }
    }
}
