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
                await sink?.close()
                sink = nil
                poll.forget()
            }
            var wait = Self.standbyInterval
            do {
                if maySend {
                    let open = try await openSink(sink, match)
                    sink = open
                    if clock.monotonic >= isDueAt || pushed[match] != nil {
                        let (after, next) = try await step(poll, fixture, open)
                        poll = after
                        isDueAt = clock.monotonic + next
                    }
                    wait = isDueAt - clock.monotonic
                }
                // Confirmations and keep-alives go on while a feed is down or paused.
                if let tick = try await sink?.tick() { wait = min(wait, tick) }
            } catch {
                await sink?.close()
                sink = nil
                poll.forget()
                surroundings.logger.error("writer failed", metadata: place(match, ["reason": "\(error)"]))
                wait = poll.failed(nil, clock: clock, jitter: surroundings.jitter())
                isDueAt = clock.monotonic + wait
            }
            if !poll.isDone, await signal.sleep(max(wait, Self.sleepFloor)) {
                isDueAt = comebacks.take(match, isDueAt: isDueAt, now: clock.monotonic)
            }
        }
        await sink?.close()
        finished(fixture, isGone: poll.isGone)
    }

    private func openSink(_ sink: (any ReplySink)?, _ match: MatchID) async throws -> any ReplySink {
        if let sink { return sink }
        return try await surroundings.makeSink(match, feed.id)
    }

    /// Asks once; returns the real time until the next request.
    ///
    /// - Throws: What the sink throws; a bad reply is a wait, not an error.
    private func step(
        _ poll: MatchPoll,
        _ fixture: Fixture,
        _ sink: any ReplySink
    ) async throws -> (MatchPoll, Duration) {
        var poll = poll
        let session: ProviderSession
        switch await self.session() {
        case .failure(let postponed): return (poll, max(postponed.wait, Self.sleepFloor))
        case .success(let opened): session = opened
        }
        let notice: ProviderNotice?
        switch pushed.removeValue(forKey: fixture.match) {
        case .replies(_, let parts):
            poll.take(pushed: parts)
            return try await look(poll, fixture, session, sink)
        case .notice(let told): notice = told
        case nil: notice = nil
        }
        // A new store knows nothing, whatever the journal knows: then everything is asked for.
        let record = poll.store.isEmpty ? MatchRecord() : try await sink.known()
        let (store, round) = await askAll(fixture, session, after: notice, record: record, into: poll.store)
        poll.store = store
        switch round {
        case .refused(let wait): return (poll, max(wait, Self.sleepFloor))
        case .failed(let failure):
            let wait = poll.failed(failure, clock: clock, jitter: surroundings.jitter())
            return (poll, wait)
        case .answered: return try await look(poll, fixture, session, sink)
        }
    }

    /// Asks for all parts of a match: what is refreshed with each poll, and then what the replies name and is not held.
    func askAll(
        _ fixture: Fixture,
        _ session: ProviderSession,
        after notice: ProviderNotice? = nil,
        record: MatchRecord,
        into store: PartStore
    ) async -> (PartStore, Round) {
        var store = store
        var asked: Set<ReplyPart> = []
        let adapter = feed.adapter
        var requests =
            notice.map { adapter.requests(after: $0, session, replies: store.replies) }
            ?? adapter.matchRequests(fixture.id, session, replies: store.replies, record: record)
        while !requests.isEmpty && asked.count < Self.roundMax {
            let (after, round) = await ask(requests, of: fixture.match, into: store)
            store = after
            guard case .answered = round else { return (store, round) }
            asked.formUnion(requests.map(\.part))
            requests = adapter.matchRequests(fixture.id, session, replies: store.replies, record: record)
                .filter { store.replies[$0.part] == nil && !asked.contains($0.part) }
        }
        return (store, .answered)
    }

    /// Hands over what has come.
    private func look(
        _ poll: MatchPoll,
        _ fixture: Fixture,
        _ session: ProviderSession,
        _ sink: any ReplySink
    ) async throws -> (MatchPoll, Duration) {
        var poll = poll
        let seenAt = clock.wall
        if poll.store.isFresh {
            let snapshot: MatchSnapshot
            do throws(AdapterError) {
                snapshot = try await read(poll.store.replies, session)
            } catch {
                unreadable(error, fixture.match, poll.store.replies)
                poll.couldNotRead(error)
                if asksForOpening(error) { return (poll, Self.sleepFloor) }
                let wait = poll.failed(nil, clock: clock, jitter: surroundings.jitter())
                return (poll, wait)
            }
            let raw = RawReply(id: fixture.id, parts: poll.store.news, isWhole: poll.store.isAllNew)
            let reply = SeenReply(snapshot, seenAt: seenAt, source: feed.source, raw: raw)
            let acceptance = try await handOver(reply, to: sink)
            poll.handedOver(status: snapshot.status.status, acceptance: acceptance, domain: clock.domain)
        } else {
            try await sink.unchanged(seenAt: seenAt, source: feed.source)
            metrics.changed(.duplicate)
            poll.answered()
        }
        let silence = notices[fixture.match].map { (clock.monotonic - $0) * clock.speed }
        let cadence = feed.cadence(of: fixture, pushedWithin: silence)
        let wait = poll.wait(cadence, clock: clock, jitter: surroundings.jitter())
        facts.pollInterval = wait
        metrics.intervalIs(wait)
        return (poll, wait)
    }

    /// Reads replies away from the actor: a megabyte takes longer than other matches should wait.
    @concurrent
    nonisolated func read(
        _ replies: ProviderReplies,
        _ session: ProviderSession
    ) async throws(AdapterError) -> MatchSnapshot {
        try feed.adapter.snapshot(replies, session)
            .named(by: surroundings.aliases(), of: feed.adapter.provider)
    }

    private func handOver(_ reply: SeenReply, to sink: any ReplySink) async throws -> Acceptance {
        let acceptance = try await sink.accept(reply)
        switch acceptance {
        case .applied:
            metrics.changed(.applied)
            metrics.unknownWordsAre(reply.snapshot.deliveries.count { $0.dismissals.contains { $0.kind == .other } })
            if let at = reply.snapshot.deliveries.last?.occurredAt {
                metrics.lagged(reply.seenAt.seconds.subtractingReportingOverflow(at).partialValue)
            }
        case .unchanged: metrics.changed(.noop)
        case .standby: metrics.changed(.standby)
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
