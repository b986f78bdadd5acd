// The list says which matches there are, days ahead: those to be polled now, and those that can be followed already.

internal import Logging
internal import MatchEngine
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

extension FeedPoller {
    /// Reads the list; returns the real time until it is to be read again.
    func refresh() async -> Duration {
        let session: ProviderSession
        switch await self.session() {
        case .failure(let postponed): return max(postponed.wait, Cadence.liveFloor)
        case .success(let opened): session = opened
        }
        switch await askList(session) {
        case .refused(let wait): return max(wait, Cadence.liveFloor)
        case .failed(let failure):
            return list.backoff.failed(retryAfter: failure.retryAfter, clock: clock, jitter: surroundings.jitter())
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
                if asksForOpening(error) { return Cadence.liveFloor }
                return list.backoff.failed(retryAfter: nil, clock: clock, jitter: surroundings.jitter())
            }
        }
        list.backoff.succeeded()
        vanished.subtract(list.fixtures.map(\.match))
        vanished.formUnion(schedule.listed(list.fixtures))
        await lookForUnlisted()
        return feed.cadence.waitForFixtures(clock: clock, jitter: surroundings.jitter())
    }

    /// Asks for the first page of each list, and then for those that they name; a reading that the limits have stopped
    /// goes on where it was.
    private func askList(_ session: ProviderSession) async -> Round {
        let now = clock.wall
        while list.read.count < Self.roundMax {
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

    /// Finds the matches that the list has dropped: while it was read, or while nobody read it.
    private func lookForUnlisted() async {
        if !unlisted.isRecalled {
            do {
                let known = try await surroundings.unfinished(feed.id)
                unlisted.recall(known, feed.adapter.provider, surroundings.aliases())
            } catch {
                surroundings.logger.warning("matches not recalled", metadata: place(nil, ["reason": "\(error)"]))
            }
        }
        unlisted.compare(with: list.fixtures, announced: announced)
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

    /// Gives the entries our names, by the alias table as it is now.
    func rename() { list.fixtures = named(list.fixtures) }

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
            guard await dropVanished(), await announce() else { return }
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
                return false
            }
        }
        return true
    }

    /// Returns false when the rest has to wait for the next list.
    private func announce() async -> Bool {
        for fixture in schedule.upcoming(list.fixtures, polled: Set(signals.keys), clock: clock) {
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
                return false
            }
        }
        let listed = Set(list.fixtures.map(\.match))
        announced = announced.filter { listed.contains($0.key) }
        return true
    }

    /// Reads one match that is days ahead, for its squads: the soonest that was not looked at for long.
    private func look() async {
        guard let fixture = schedule.distant(list.fixtures, polled: Set(signals.keys), feed.cadence, clock: clock),
            await maySend(), budget?.takeSpare(now: clock.monotonic) != false,
            case .success(let session) = await session()
        else { return }
        schedule.looked(fixture.match, clock: clock)
        let (store, round) = await askAll(fixture, session, record: MatchRecord(), into: PartStore())
        guard case .answered = round else { return }
        do {
            let snapshot = try await read(store.replies, session)
            let raw = RawReply(id: fixture.id, parts: store.news, isWhole: true)
            let reply = SeenReply(snapshot, seenAt: clock.wall, source: feed.source, raw: raw)
            try await withSink(of: fixture.match) { _ = try await $0.accept(reply) }
        } catch let error as AdapterError {
            unreadable(error, fixture.match, store.replies)
            _ = asksForOpening(error)
        } catch {
            surroundings.logger.warning("match not looked at", metadata: place(fixture.match, ["reason": "\(error)"]))
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
