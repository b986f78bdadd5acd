// The list has matches days ahead: this file reads it, announces them, and polls one of them now and then.

internal import MatchEngine
internal import MatchJournal
internal import Postgres
internal import Providers
internal import ScoreTypes

extension FeedPoller {
    /// Reads the list.
    func readList() async -> FixtureList.Outcome {
        let session: ProviderSession
        switch await self.session() {
        case .failure(let postponed): return .postponed(postponed.wait)
        case .success(let opened): session = opened
        }
        // Matches whose own addresses answer are polled although the list cannot be had.
        await recall()
        let subject = RequestRound.Subject.list(at: clock.wall)
        let round = await send(RequestRound(subject, feed.adapter, session, state.list.store), of: nil)
        state.list.store = round.store
        switch round.outcome {
        case .refused(let wait)?: return .postponed(wait)
        case .failed(let failure)?: return .failed(retryAfter: failure.retryAfter)
        case .answered?, nil: break
        }
        guard round.store.isFresh else {
            telemetry.wasRead(at: clock.wall)
            return .unchanged
        }
        do throws(AdapterError) {
            let listing = try feed.adapter.fixtures(round.store.replies, session)
            if let first = listing.refused.first { unreadable(first, nil, round.store.replies) }
            telemetry.entriesUnreadable(listing.refused.count - 1)
            for part in listing.cut { telemetry.listWasCut(part) }
            state.list.store.wasRead()
            telemetry.wasRead(at: clock.wall)
            let table = dependencies.aliases()
            return .read(listing.fixtures.map { $0.named(by: table, of: feed.adapter.provider) })
        } catch {
            unreadable(error, nil, round.store.replies)
            state.list.store.doubt()
            let reopens = state.gate.session.unreadable(error, now: clock.monotonic)
            return reopens ? .postponed(.zero) : .failed(retryAfter: nil)
        }
    }

    /// Reads the unfinished matches of this feed from the journal, once for each duty.
    private func recall() async {
        guard !state.isRecalled else { return }
        do {
            handle(.recalled(try await dependencies.unfinished(feed.id), dependencies.aliases()))
        } catch {
            telemetry.warn("unfinished matches not read", error)
        }
    }

    /// Writes the state of matches that are not polled: vanished ones are removed, matches ahead are announced, and one
    /// of them is polled for its squads.
    ///
    /// A match that cannot be written stops no other, and is tried again with the next list.
    func announce() async {
        repeat {
            var isComplete = true
            for match in state.vanished where isComplete {
                isComplete = await write(match, "match not removed") {
                    try await $0.removed()
                } done: {
                    $0.wasRemoved(match)
                }
            }
            for fixture in state.unannounced(context) where isComplete {
                isComplete = await write(fixture.match, "match not announced") { [source = feed.source] in
                    try await $0.announce(fixture, source: source)
                } done: {
                    $0.wasAnnounced(fixture)
                }
            }
            if isComplete { await look() }
        } while announcementsEnded()
    }

    /// Writes one thing about a match that is not polled.
    ///
    /// - Returns: False when no other match can be written either, or this node may not send: the rest waits for the
    ///   next list.
    private func write(
        _ match: MatchID,
        _ failure: String,
        _ body: (any ReplySink) async throws -> Void,
        done: (inout FeedState) -> Void
    ) async -> Bool {
        guard await maySend(), !Task.isCancelled else { return false }
        do {
            try await withSink(of: match, body)
            done(&state)
        } catch {
            telemetry.warn(failure, of: match, error)
            return !concernsAll(error)
        }
        return true
    }

    /// Polls one match that is ahead and was not polled for long; one whose request the limits stop comes first with
    /// the next list.
    private func look() async {
        guard let fixture = state.nextLook(context), await maySend(),
            state.gate.budget?.takeSpare(now: clock.monotonic) ?? true,
            case .success(let session) = await session(),
            let isAnswered = await look(at: fixture, session)
        else { return }
        state.looked(at: fixture.match, isAnswered: isAnswered, context)
    }

    /// Polls one match that is ahead.
    ///
    /// - Returns: Whether its reply was accepted, or its provider does not know it yet; nil when a request could not be
    ///   sent.
    private func look(at fixture: Fixture, _ session: ProviderSession) async -> Bool? {
        let match = fixture.match
        let subject = RequestRound.Subject.match(fixture.id, after: PushedUpdates())
        let round = await send(RequestRound(subject, feed.adapter, session, PartStore()), of: match)
        switch round.outcome {
        case .refused?: return nil
        case .failed(let failure)?: return failure.isGone
        case .answered?, nil: break
        }
        do {
            let reply = try await read(round.store, session, of: fixture.id, seenAt: clock.wall)
            telemetry.wasRead(at: clock.wall)
            try await withSink(of: match) { _ = try await $0.accept(reply) }
            return true
        } catch let error as AdapterError {
            unreadable(error, match, round.store.replies)
            _ = state.gate.session.unreadable(error, now: clock.monotonic)
        } catch {
            telemetry.warn("match ahead not polled", of: match, error)
        }
        return false
    }

    /// Opens a sink for one call, and closes it in any case.
    private func withSink(of match: MatchID, _ body: (any ReplySink) async throws -> Void) async throws {
        let sink = try await dependencies.makeSink(match, feed.id)
        do {
            try await body(sink)
        } catch {
            await sink.close()
            throw error
        }
        await sink.close()
    }

    /// Whether no other match can be written either: the feed is another node's, or the database is away.
    private func concernsAll(_ error: any Error) -> Bool {
        switch error {
        case is CancellationError, JournalError.fenced: true
        case JournalError.postgres(let error): error.concernsAll
        default: false
        }
    }
}

extension PostgresError {
    /// Whether the cause is the server or the node, not what was to be written.
    fileprivate var concernsAll: Bool {
        switch kind {
        case .connection, .readOnly, .exhausted, .fenced, .poolFull: true
        // The row of one match may be locked for long.
        case .timeout, .constraint, .serialization, .decoding, .other: false
        }
    }
}
