// The list says which matches there are, days ahead: those to be polled now, and those that can be followed already.

internal import Logging
internal import MatchEngine
internal import MatchJournal
internal import Postgres
internal import Providers
internal import ScoreTypes

/// The provider's list of matches as last read.
struct FixtureList: Sendable {
    var fixtures: [Fixture] = []
    var store = PartStore()
    var backoff = Backoff()
    /// The pages that have come of a reading that had to stop; a small plan has not enough for all at once.
    var read: [ReplyPart] = []

    /// What those pages say.
    var repliesRead: ProviderReplies {
        var known = ProviderReplies()
        for part in read { known[part] = store.replies[part] }
        return known
    }
}

/// What became of a reading of the list.
enum ListReading: Sendable {
    /// It came; the next one after this real time.
    case read(next: Duration)
    /// It did not come; nothing before this real time has passed.
    case failed(wait: Duration)
}

extension FeedPoller {
    /// Reads the list.
    func refresh() async -> ListReading {
        let session: ProviderSession
        switch await self.session() {
        case .failure(let postponed): return .failed(wait: max(postponed.wait, Cadence.liveFloor))
        case .success(let opened): session = opened
        }
        // A list that cannot be had is no reason to let go of matches whose own addresses answer.
        await recallUnfinished()
        switch await askList(session) {
        case .refused(let wait): return .failed(wait: max(wait, Cadence.liveFloor))
        case .failed(let failure): return listFailed(retryAfter: failure.retryAfter)
        case .answered: break
        }
        if list.store.isFresh {
            do throws(AdapterError) {
                let listing = try feed.adapter.fixtures(list.store.replies, session)
                list.fixtures = named(listing.fixtures)
                note(listing)
                list.store.looked()
            } catch {
                unreadable(error, nil, list.store.replies)
                list.store.doubt()
                if asksForOpening(error) { return .failed(wait: Cadence.liveFloor) }
                return listFailed(retryAfter: nil)
            }
        }
        list.backoff.succeeded()
        wasRead(at: clock.wall)
        vanished.subtract(list.fixtures.map(\.match))
        vanished.formUnion(schedule.listed(list.fixtures))
        unlisted.compare(with: list.fixtures, announced: announced)
        wakeResting()
        return .read(next: feed.cadence.waitForFixtures(clock: clock, jitter: surroundings.jitter()))
    }

    private func listFailed(retryAfter: Duration?) -> ListReading {
        .failed(wait: list.backoff.failed(retryAfter: retryAfter, clock: clock, jitter: surroundings.jitter()))
    }

    /// Wakes the matches that rest by what they said last, and do not by the list.
    private func wakeResting() {
        let now = clock.wall
        for fixture in list.fixtures where followed[fixture.match]?.listed(fixture, at: now) == true {
            followed[fixture.match]?.signal.fire()
        }
    }

    /// Asks for the first page of each list, and then for those that they name; a reading that the limits have stopped
    /// goes on where it was.
    private func askList(_ session: ProviderSession) async -> Round {
        let now = clock.wall
        while list.read.count < MatchPoll.requestsMax {
            let wanted = feed.adapter.listRequests(session, at: now, replies: list.repliesRead)
                .filter { !list.read.contains($0.part) }
            if wanted.isEmpty { break }
            for request in wanted {
                let (store, round) = await ask([request], of: nil, into: list.store)
                list.store = store
                guard case .answered = round else {
                    if case .failed = round { list.read = [] }
                    return round
                }
                list.read.append(request.part)
            }
        }
        list.store = list.store.keeping(list.read)
        list.read = []
        list.store.roundEnded()
        return .answered
    }

    /// Takes up the matches that this feed has told of before this node had its duty; a list leaves over of them those
    /// that it dropped while nobody read it.
    private func recallUnfinished() async {
        guard !unlisted.isRecalled else { return }
        do {
            let known = try await surroundings.unfinished(feed.id)
            unlisted.recall(known, feed.adapter.provider, surroundings.aliases())
        } catch {
            surroundings.logger.warning("matches not recalled", metadata: place(nil, ["reason": "\(error)"]))
        }
    }

    /// Notes what was left out of a list, and where it goes on behind the last page that was asked for.
    private func note(_ listing: FixtureListing) {
        if let first = listing.refused.first { unreadable(first, nil, list.store.replies) }
        for _ in listing.refused.dropFirst() { metrics.quarantined(FetchLabel.badSchema.rawValue) }
        for part in listing.cut {
            metrics.listWasCut()
            surroundings.logger.warning("list cut short", metadata: place(nil, ["list": "\(part)"]))
        }
    }

    /// Gives the entries our names, by the alias table as it is now; what a provider's id meant before is let go of, or
    /// one match would be polled and told as two.
    func rename() {
        let (book, provider) = (surroundings.aliases(), feed.adapter.provider)
        list.fixtures = named(list.fixtures)
        announced = announced.filter { book.match($0.value.id, of: provider) == $0.key }
        unlisted.rename(provider, book)
        for (match, found) in followed where book.match(found.id, of: provider) != match {
            followed[match]?.end = .renamed
            found.signal.fire()
        }
    }

    private func named(_ fixtures: [Fixture]) -> [Fixture] {
        let book = surroundings.aliases()
        return fixtures.map { $0.named(by: book, of: feed.adapter.provider) }
    }

    /// Writes down what the list says of matches that are not polled yet or are gone, and looks at one of them.
    ///
    /// A list that comes while this is under way is gone through after it.
    func prepare() async {
        defer { isAnnouncing = false }
        while isListNews {
            isListNews = false
            // Given up for now; a list that came meanwhile is gone through nevertheless.
            guard await dropVanished(), await announce() else { continue }
            await look()
        }
    }

    /// Takes note of matches that neither their own address nor the list has any more; false as for `announce`.
    private func dropVanished() async -> Bool {
        for match in vanished.sorted() {
            guard await maySend(), !Task.isCancelled else { return false }
            do {
                try await withSink(of: match) { try await $0.removed() }
                vanished.remove(match)
            } catch {
                surroundings.logger.warning("match not removed", metadata: place(match, ["reason": "\(error)"]))
                if concernsAll(error) { return false }
            }
        }
        return true
    }

    /// Tells of matches that have not begun; one that cannot be written down holds up no other, and is tried again with
    /// the next list.
    ///
    /// Returns false when the rest has to wait for the next list.
    private func announce() async -> Bool {
        for fixture in schedule.upcoming(list.fixtures, polled: Set(followed.keys), clock: clock) {
            guard announced[fixture.match] != fixture, fixture.teams.count == 2 else { continue }
            guard await maySend(), !Task.isCancelled else { return false }
            do {
                try await withSink(of: fixture.match) { try await $0.announce(fixture, source: feed.source) }
                announced[fixture.match] = fixture
            } catch {
                surroundings.logger.warning(
                    "match not announced",
                    metadata: place(fixture.match, ["reason": "\(error)"])
                )
                if concernsAll(error) { return false }
            }
        }
        let listed = Set(list.fixtures.map(\.match))
        announced = announced.filter { listed.contains($0.key) }
        return true
    }

    /// Reads one match that is days ahead, for its squads: the soonest that was not looked at for long.
    private func look() async {
        guard let fixture = schedule.distant(list.fixtures, polled: Set(followed.keys), feed.cadence, clock: clock),
            await maySend(), budget?.takeSpare(now: clock.monotonic) != false,
            case .success(let session) = await session()
        else { return }
        schedule.looked(fixture.match, clock: clock)
        let (store, round) = await askAll(fixture, session, record: MatchRecord(), into: PartStore())
        guard case .answered = round else { return }
        do {
            let snapshot = try await read(store.replies, session)
            wasRead(at: clock.wall)
            let raw = RawReply(id: fixture.id, parts: store.news.bodies, isWhole: true)
            let reply = SeenReply(snapshot, seenAt: clock.wall, source: feed.source, raw: raw)
            try await withSink(of: fixture.match) { _ = try await $0.accept(reply) }
        } catch let error as AdapterError {
            unreadable(error, fixture.match, store.replies)
            _ = asksForOpening(error)
        } catch {
            surroundings.logger.warning("match not looked at", metadata: place(fixture.match, ["reason": "\(error)"]))
        }
    }

    /// Whether no other match could be written down either: the feed is another node's, or the database is away.
    private func concernsAll(_ error: any Error) -> Bool {
        switch error {
        case is CancellationError, JournalError.fenced: true
        case JournalError.postgres(let error): error.concernsAll
        default: false
        }
    }

    /// Opens a sink for one word about a match, and closes it whatever comes of it: one left open is never let go of.
    private func withSink(of match: MatchID, _ tell: (any ReplySink) async throws -> Void) async throws {
        let sink = try await surroundings.makeSink(match, feed.id)
        do {
            try await tell(sink)
        } catch {
            await sink.close()
            throw error
        }
        await sink.close()
    }
}

extension PostgresError {
    /// Whether the cause lies with the server or the node, not with what was to be written.
    fileprivate var concernsAll: Bool {
        switch kind {
        case .connection, .readOnly, .exhausted, .fenced, .poolFull: true
        // One match's row may be locked for long.
        case .timeout, .constraint, .serialization, .decoding, .other: false
        }
    }
}
