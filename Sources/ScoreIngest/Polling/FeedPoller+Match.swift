// The task of one match: performs the actions of `MatchPoll`, one after the other, and reports their outcomes.

internal import MatchEngine
internal import MatchJournal
internal import Providers
internal import ScoreTypes

extension FeedPoller {
    /// Polls a match until its polling ends or the task is cancelled.
    func poll(_ match: MatchID, _ signal: WakeSignal) async {
        var sink: (any ReplySink)?
        var actions = state.handle(await turn(isEarly: false), of: match, context)
        while !Task.isCancelled, let action = actions.first {
            actions.removeFirst()
            if case .end = action { break }
            do {
                guard let event = try await perform(action, of: match, signal, &sink) else { continue }
                actions = state.handle(event, of: match, context)
            } catch {
                telemetry.writerFailed(error, of: match)
                actions = state.handle(.writerFailed, of: match, context)
            }
        }
        await sink?.close()
        ended(match)
    }

    /// Performs one action.
    ///
    /// - Returns: The outcome; nil when the next action follows.
    /// - Throws: The error of the sink; a bad reply is an event, not an error.
    private func perform(
        _ action: MatchAction,
        of match: MatchID,
        _ signal: WakeSignal,
        _ sink: inout (any ReplySink)?
    ) async throws -> MatchEvent? {
        switch action {
        case .close:
            await sink?.close()
            sink = nil
            return nil
        case .open:
            if sink == nil { sink = try await openSink(of: match) }
            return nil
        case .findSession:
            switch await session() {
            case .success(let session): return .session(session)
            case .failure(let postponed): return .postponed(postponed.wait)
            }
        case .request(let begun):
            let round = await send(begun, of: match)
            guard case .failed(let failure)? = round.outcome, failure.isGone, let sink else {
                return .requested(round, isInPlay: false)
            }
            return .requested(round, isInPlay: try await sink.isInPlay())
        case .handOver(let store, let session, let isAnswer, let resync):
            return try await handOver(store, session, isAnswer: isAnswer, resync: resync, of: match, to: sink)
        case .reportUnchanged:
            let seenAt = clock.wall
            telemetry.wasRead(at: seenAt)
            guard let sink else { return .writerFailed }
            let look = try await sink.unchanged(seenAt: seenAt, source: feed.source)
            telemetry.unchanged()
            return .unchanged(look: look)
        case .subscribe: return .subscribed(await subscribe(match))
        case .tick(let nextPollIn):
            if let nextPollIn { telemetry.pollInterval(nextPollIn) }
            return .ticked(try await sink?.tick(nextPollIn: nextPollIn))
        case .sleep(let wait): return await turn(isEarly: await signal.sleep(wait))
        case .end: return nil
        }
    }

    private func turn(isEarly: Bool) async -> MatchEvent {
        _ = await maySend()
        return .turn(isEarly: isEarly, isDutyHeld: !state.isDutyLost, isPaused: state.activity == .paused)
    }

    private func openSink(of match: MatchID) async throws -> any ReplySink {
        let opened = try await dependencies.makeSink(match, feed.id)
        do {
            _ = try await opened.isInPlay()
        } catch {
            await opened.close()
            throw error
        }
        return opened
    }

    /// Reads replies and gives the snapshot to the sink.
    private func handOver(
        _ store: PartStore,
        _ session: ProviderSession,
        isAnswer: Bool,
        resync: Int?,
        of match: MatchID,
        to sink: (any ReplySink)?
    ) async throws -> MatchEvent {
        let seenAt = clock.wall
        var reply: SeenReply
        do throws(AdapterError) {
            reply = try await read(store, session, of: state.matches[match]?.poll?.id, seenAt: seenAt)
        } catch {
            if isAnswer { unreadable(error, match, store.replies) }
            let reopens = isAnswer && state.gate.session.unreadable(error, now: clock.monotonic)
            return .unreadable(error, reopens: reopens)
        }
        telemetry.wasRead(at: seenAt)
        if resync != nil { reply.resyncEpoch = MatchWriter.randomEpoch() }
        guard let sink else { return .writerFailed }
        let result = try await sink.accept(reply)
        telemetry.accepted(result.acceptance, reply, of: match)
        return .accepted(reply.snapshot.status.status, result.acceptance, resync: resync, look: result.look)
    }

    /// Reads replies outside the actor: a megabyte takes longer than other matches should wait.
    @concurrent
    nonisolated func read(
        _ store: PartStore,
        _ session: ProviderSession,
        of id: ProviderMatchID?,
        seenAt: Instant
    ) async throws(AdapterError) -> SeenReply {
        let snapshot = try feed.adapter.snapshot(store.replies, session)
            .named(by: dependencies.aliases(), of: feed.adapter.provider)
        let raw = id.map { RawReply(id: $0, parts: store.news.bodies, isWhole: store.isAllNew) }
        return SeenReply(snapshot, seenAt: seenAt, source: feed.source, raw: raw)
    }

    /// Subscribes a match for the provider's pushes, within the limits of all requests.
    ///
    /// - Returns: The outcome; nil when there is no session, or nothing to send.
    private func subscribe(_ match: MatchID) async -> FetchOutcome? {
        guard case .success(let session) = await session(), let id = state.matches[match]?.poll?.id,
            let request = feed.adapter.subscription(to: id, session)
        else { return nil }
        let outcome = await fetch(request, of: match, for: .background, etag: nil)
        guard case .body(let body, _) = outcome else { return outcome }
        telemetry.answered(outcome)
        do throws(AdapterError) {
            try feed.adapter.subscribed(ProviderReplies([request.part: body]))
            return outcome
        } catch {
            telemetry.warn("not subscribed", of: match, error)
            return .failed(FetchFailure(label: .badSchema, status: nil, retryAfter: nil))
        }
    }
}
