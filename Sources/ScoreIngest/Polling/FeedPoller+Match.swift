// One match of a feed: ask, hand over, sleep, until it has been over for long enough.

internal import Logging
internal import MatchEngine
internal import ScoreTypes

extension FeedPoller {
    /// Shortest sleep between two looks at a match, in real time, whatever a writer asks for.
    static let sleepFloor: Duration = .milliseconds(10)

    /// Polls a match until it is done with or the task is cancelled.
    func follow(_ fixture: Fixture, signal: WakeSignal) async {
        let match = fixture.match
        var poll = MatchPoll(fixture)
        var sink: (any ReplySink)?
        var isDueAt = clock.monotonic
        while !Task.isCancelled && !poll.isDone {
            let maySend = await maySend()
            if hasLostDuty {
                // The next holder writes; what was known here is old when the duty comes back.
                sink = nil
                poll.forget()
            }
            var wait = Self.standbyInterval
            do {
                if maySend {
                    let open = try await openSink(sink, match)
                    sink = open
                    if clock.monotonic >= isDueAt { isDueAt = clock.monotonic + (try await step(&poll, fixture, open)) }
                    wait = isDueAt - clock.monotonic
                }
                // Confirmations and keep-alives go on while a feed is down or paused.
                if let tick = try await sink?.tick() { wait = min(wait, tick) }
            } catch {
                sink = nil
                poll.forget()
                surroundings.logger.error("writer failed", metadata: place(match, ["reason": "\(error)"]))
                wait = poll.failed(nil, clock: clock, jitter: surroundings.jitter())
                isDueAt = clock.monotonic + wait
            }
            if !poll.isDone, await signal.sleep(max(wait, Self.sleepFloor)) { isDueAt = clock.monotonic }
        }
        finished(match)
    }

    private func openSink(_ sink: (any ReplySink)?, _ match: MatchID) async throws -> any ReplySink {
        if let sink { return sink }
        return try await surroundings.makeSink(match, feed.id)
    }

    /// Asks once; returns the real time until the next request.
    ///
    /// - Throws: What the sink throws; a bad reply is a wait, not an error.
    private func step(_ poll: inout MatchPoll, _ fixture: Fixture, _ sink: any ReplySink) async throws -> Duration {
        let match = fixture.match
        let request = feed.adapter.matchRequests(
            fixture.id,
            ProviderSession(),
            replies: ProviderReplies(),
            record: MatchRecord()
        ).first
        let outcome = await fetch(request, of: match, etag: poll.etag)
        let seenAt = clock.wall
        switch outcome {
        case .refused(let wait): return wait
        case .failed(let failure): return poll.failed(failure, clock: clock, jitter: surroundings.jitter())
        case .notModified:
            metrics.requested(.notModified)
            try await tellUnchanged(&poll, sink, seenAt)
        case .body(let body, _) where poll.hasSeen(body):
            metrics.requested(.ok)
            try await tellUnchanged(&poll, sink, seenAt)
        case .body(let body, let etag):
            let snapshot: MatchSnapshot
            do throws(AdapterError) {
                snapshot = try await read(body)
            } catch {
                unreadable(error, match)
                return poll.failed(nil, clock: clock, jitter: surroundings.jitter())
            }
            metrics.requested(.ok)
            let acceptance = try await handOver(snapshot, to: sink, seenAt)
            let status = snapshot.status.status
            poll.handedOver(body, etag: etag, status: status, acceptance: acceptance, domain: clock.domain)
        }
        let wait = poll.wait(feed.cadence, clock: clock, jitter: surroundings.jitter())
        facts.pollInterval = wait
        metrics.intervalIs(wait)
        return wait
    }

    /// Reads a reply away from the actor: a megabyte takes longer than other matches should wait.
    @concurrent
    private nonisolated func read(_ body: [UInt8]) async throws(AdapterError) -> MatchSnapshot {
        try feed.adapter.snapshot(ProviderReplies([.match: body]), ProviderSession())
    }

    private func tellUnchanged(_ poll: inout MatchPoll, _ sink: any ReplySink, _ seenAt: Instant) async throws {
        try await sink.unchanged(seenAt: seenAt)
        metrics.changed(.duplicate)
        poll.answered()
    }

    private func handOver(
        _ snapshot: MatchSnapshot,
        to sink: any ReplySink,
        _ seenAt: Instant
    ) async throws -> Acceptance {
        let acceptance = try await sink.accept(snapshot, seenAt: seenAt)
        switch acceptance {
        case .applied:
            metrics.changed(.applied)
            metrics.unknownWordsAre(snapshot.deliveries.count { $0.dismissals.contains { $0.kind == .other } })
            if let at = snapshot.deliveries.last?.occurredAt { metrics.lagged(seenAt.seconds &- at) }
        case .unchanged: metrics.changed(.noop)
        case .held(let reason), .dropped(let reason):
            let isHeld = if case .held = acceptance { true } else { false }
            metrics.changed(isHeld ? .held : reason == .olderVersion ? .outOfOrder : .rejected)
            metrics.quarantined(reason.rawValue)
            facts.doubted += 1
            surroundings.logger.notice(
                "reply doubted",
                metadata: ["feed": "\(feed.id)", "reason": "\(reason)", "held": "\(isHeld)"]
            )
        }
        return acceptance
    }
}

extension FetchOutcome {
    /// Whether the provider gave a usable answer.
    var isUsable: Bool {
        switch self {
        case .body, .notModified: true
        case .failed, .refused: false
        }
    }
}
