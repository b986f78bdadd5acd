// One match of a feed: ask, hand over, sleep, until it has been over for long enough.

internal import Logging
internal import MatchEngine
internal import MatchJournal
internal import Providers
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
        while !Task.isCancelled && !poll.isDone && followed[match].map({ $0.end == nil }) == true {
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
                        let asked = try await step(poll, fixture, open)
                        poll = asked.poll
                        followed[match]?.phase = poll.phase
                        followed[match]?.isStill = poll.isStill
                        // By its budget a feed may be asked so seldom that another has to speak for it.
                        if asked.isAnswered { await open.asksAgain(in: asked.wait) }
                        isDueAt = MatchPoll.due(
                            before: isDueAt,
                            wait: asked.wait,
                            isAnswered: asked.isAnswered,
                            now: clock.monotonic
                        )
                    }
                    poll = await subscribe(poll, fixture)
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
            // What a push brings is taken at once, and leaves the time of the next poll as it is.
            if !poll.isDone, await signal.sleep(max(wait, Self.sleepFloor)), pushed[match] == nil {
                isDueAt = comebacks.take(match, isDueAt: isDueAt, now: clock.monotonic)
            }
        }
        await sink?.close()
        finished(fixture, isGone: poll.isGone)
    }

    /// Opens the sink if need be, and reads the match before anything is asked: what cannot be written down is fetched
    /// for nothing, and with each try all of it.
    private func openSink(_ sink: (any ReplySink)?, _ match: MatchID) async throws -> any ReplySink {
        if let sink { return sink }
        let opened = try await surroundings.makeSink(match, feed.id)
        do {
            _ = try await opened.known()
        } catch {
            await opened.close()
            throw error
        }
        return opened
    }

    /// What asking once has led to.
    private struct Step {
        var poll: MatchPoll
        /// Real time until the next request.
        let wait: Duration
        /// Whether all that was asked for came.
        let isAnswered: Bool
    }

    /// Asks once, for all that was not pushed.
    ///
    /// - Throws: What the sink throws; a bad reply is a wait, not an error.
    private func step(_ poll: MatchPoll, _ fixture: Fixture, _ sink: any ReplySink) async throws -> Step {
        var poll = poll
        let entry = followed[fixture.match]?.entry ?? fixture
        let session: ProviderSession
        switch await self.session() {
        case .failure(let postponed):
            return Step(poll: poll, wait: max(postponed.wait, Self.sleepFloor), isAnswered: false)
        case .success(let opened): session = opened
        }
        // A new store knows nothing, whatever the journal knows: then everything is asked for.
        let record = poll.store.isEmpty ? MatchRecord() : try await sink.known()
        let news = (pushed.removeValue(forKey: fixture.match) ?? PushedNews()).after(poll.notices)
        poll.take(news)
        poll.beginsRound(now: clock.monotonic)
        let use = poll.use(of: entry, at: clock.wall)
        let (store, round) = await askAll(fixture, session, after: news, for: use, record: record, into: poll.store)
        poll.store = store
        let wait: Duration
        switch round {
        case .answered:
            poll.notices = []
            return try await look(poll, fixture, session, sink)
        case .refused(let told):
            poll.wasStopped(now: clock.monotonic)
            poll = try await show(news, poll, fixture, session, sink)
            // From its start on a match is asked about before others.
            let untilStart = poll.untilStart(of: entry, at: clock.wall) ?? told
            wait = max(min(told, untilStart), Self.sleepFloor)
        case .failed(let failure):
            poll = try await show(news, poll, fixture, session, sink)
            let failed = poll.failed(
                failure,
                isInPlay: failure.isGone ? try await sink.known().isInPlay : false,
                isListed: list.fixtures.contains { $0.match == fixture.match },
                clock: clock,
                jitter: surroundings.jitter()
            )
            wait = poll.seldom(failed, feed.cadence, clock: clock, jitter: surroundings.jitter())
        }
        return Step(poll: poll, wait: wait, isAnswered: false)
    }

    /// Asks for all parts of a match: what is refreshed with each poll, and then what the replies name and is not held.
    ///
    /// A round that the limits have stopped goes on where it was: with a plan that has one request left at a time it
    /// would never come to the second part.
    func askAll(
        _ fixture: Fixture,
        _ session: ProviderSession,
        after news: PushedNews = PushedNews(),
        for use: RequestUse = .rest,
        record: MatchRecord,
        into store: PartStore
    ) async -> (PartStore, Round) {
        var store = store
        // What was pushed is newer than any answer.
        var asked = store.answered.union(news.parts.parts)
        let adapter = feed.adapter
        var requests = adapter.matchRequests(fixture.id, session, replies: store.replies, record: record)
        for notice in news.notices { requests += adapter.requests(after: notice, session, replies: store.replies) }
        repeat {
            requests = requests.filter { asked.insert($0.part).inserted }
            let (after, round) = await ask(requests, of: fixture.match, for: use, into: store)
            store = after
            guard case .answered = round else {
                if case .failed = round { store.roundEnded() }
                return (store, round)
            }
            requests = adapter.matchRequests(fixture.id, session, replies: store.replies, record: record)
                .filter { store.replies[$0.part] == nil && !asked.contains($0.part) }
        } while !requests.isEmpty && asked.count < MatchPoll.requestsMax
        store.roundEnded()
        return (store, .answered)
    }

    /// Hands over what was pushed though the rest cannot be had, as far as it makes a picture with what is held.
    private func show(
        _ news: PushedNews,
        _ poll: MatchPoll,
        _ fixture: Fixture,
        _ session: ProviderSession,
        _ sink: any ReplySink
    ) async throws -> MatchPoll {
        let seenAt = clock.wall
        guard !news.parts.isEmpty, poll.store.isFresh, let snapshot = try? await read(poll.store.replies, session)
        else { return poll }
        return try await handOver(snapshot, poll, fixture, seenAt: seenAt, isAnswer: false, to: sink)
    }

    /// Hands over what has come.
    private func look(
        _ poll: MatchPoll,
        _ fixture: Fixture,
        _ session: ProviderSession,
        _ sink: any ReplySink
    ) async throws -> Step {
        var poll = poll
        let seenAt = clock.wall
        if poll.store.isFresh {
            let snapshot: MatchSnapshot
            do throws(AdapterError) {
                snapshot = try await read(poll.store.replies, session)
            } catch {
                unreadable(error, fixture.match, poll.store.replies)
                poll.couldNotRead(error)
                if asksForOpening(error) { return Step(poll: poll, wait: Self.sleepFloor, isAnswered: false) }
                let wait = poll.failed(nil, clock: clock, jitter: surroundings.jitter())
                return Step(poll: poll, wait: wait, isAnswered: false)
            }
            poll = try await handOver(snapshot, poll, fixture, seenAt: seenAt, isAnswer: true, to: sink)
            if poll.isEmptied {
                let wait = poll.failed(nil, clock: clock, jitter: surroundings.jitter())
                return Step(poll: poll, wait: wait, isAnswered: false)
            }
        } else {
            wasRead(at: seenAt)
            try await sink.unchanged(seenAt: seenAt, source: feed.source)
            metrics.changed(.duplicate)
            poll.answered()
        }
        let entry = followed[fixture.match]?.entry ?? fixture
        poll.weigh(entry, clock: clock)
        poll.letGoIfLate(entry, clock: clock)
        let silence = notices[fixture.match].map { (clock.monotonic - $0) * clock.speed }
        let cadence = feed.cadence(of: fixture, pushedWithin: silence)
        let wait = poll.wait(
            cadence,
            wantsLook: await sink.wantsLook(),
            clock: clock,
            jitter: surroundings.jitter()
        )
        facts.pollInterval = wait
        metrics.intervalIs(wait)
        return Step(poll: poll, wait: wait, isAnswered: true)
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

    /// Gives a picture to the match's sink; `isAnswer` says whether all parts of it that were asked for came.
    private func handOver(
        _ snapshot: MatchSnapshot,
        _ poll: MatchPoll,
        _ fixture: Fixture,
        seenAt: Instant,
        isAnswer: Bool,
        to sink: any ReplySink
    ) async throws -> MatchPoll {
        wasRead(at: seenAt)
        let raw = RawReply(id: fixture.id, parts: poll.store.news.bodies, isWhole: poll.store.isAllNew)
        let reply = SeenReply(snapshot, seenAt: seenAt, source: feed.source, raw: raw)
        let acceptance = try await sink.accept(reply)
        note(acceptance, of: reply)
        var poll = poll
        poll.handedOver(
            status: snapshot.status.status,
            acceptance: acceptance,
            isAnswer: isAnswer,
            domain: clock.domain
        )
        return poll
    }

    private func note(_ acceptance: Acceptance, of reply: SeenReply) {
        switch acceptance {
        case .applied:
            metrics.changed(.applied)
            metrics.unknownWordsAre(reply.snapshot.unknownWords)
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

extension MatchSnapshot {
    /// Balls with a dismissal of a kind nobody knows, and the status when its word is none that is known.
    fileprivate var unknownWords: Int {
        deliveries.count { $0.dismissals.contains { $0.kind == .other } } + (status.isUnknown ? 1 : 0)
    }
}
