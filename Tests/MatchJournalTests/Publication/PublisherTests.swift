// The publisher of a node with a real journal: publication, merging, recovery.

import JournalSamples
import MatchEngine
import MatchSamples
import Postgres
import ScoreTypes
import Synchronization
import TestSupport
import Testing

@testable import MatchJournal

/// Collects the publications of a publisher, and can make it wait.
private final class Outlet: Sendable {
    private let (taken, input) = AsyncStream.makeStream(of: Publication.self)
    private let (opened, opening) = AsyncStream.makeStream(of: Void.self)
    private let isShut = Mutex(false)

    func publications() -> AsyncStream<Publication>.Iterator { taken.makeAsyncIterator() }

    func take(_ publication: Publication) async {
        input.yield(publication)
        guard isShut.withLock({ $0 }) else { return }
        _ = await opened.first { true }
    }

    func shut() { isShut.withLock { $0 = true } }

    /// Opens for all that follow, and for the one that waits.
    func open() {
        isShut.withLock { $0 = false }
        opening.finish()
    }
}

@Suite(.timeLimit(.minutes(1))) struct PublisherTests {
    private static let seen = Instant(milliseconds: 1_700_000_000_500)
    private static let other = MatchID(unchecked: "other")

    /// Runs a publisher around the body, at a rate that a test can wait for.
    private func publishing(
        _ bench: JournalBench,
        to outlet: Outlet = Outlet(),
        listeningAt info: ConnectionInfo? = nil,
        _ body: (Publisher, inout AsyncStream<Publication>.Iterator) async throws -> Void
    ) async throws {
        let cache = PublicationCache(journal: bench.journal, clock: ServiceClock(speed: 100), scheme: "score")
        let publisher = Publisher(cache, info: info ?? bench.info) { await outlet.take($0) }
        let running = Task { await publisher.run() }
        var publications = outlet.publications()
        do { try await body(publisher, &publications) } catch {
            running.cancel()
            throw error
        }
        running.cancel()
        await running.value
    }

    @Test func aCommitIsPublishedOnceWithItsAlert() async throws {
        let bench = try await JournalBench()
        let clock = ManualClock()
        try await publishing(bench) { publisher, publications in
            let writer = bench.writer(clock: clock)
            var book = Scorebook.begun
            _ = try await writer.accept(book.snapshot, seenAt: Self.seen)
            let first = try #require(await publications.next())
            #expect(first.revision.number == 3)
            book.ball(out: ["Rohit Sharma"])
            _ = try await writer.accept(book.snapshot, seenAt: Self.seen)
            let silent = try #require(await publications.next())
            #expect(silent.alert == nil)
            #expect(silent.priority == .five)
            clock.advance(by: .seconds(10))
            try await writer.unchanged(seenAt: Self.seen)
            let loud = try #require(await publications.next())
            #expect(loud.alertKey?.text == "w:1:1")
            #expect(loud.priority == .ten)
            #expect(loud.apnsTimestamp > silent.apnsTimestamp)
            #expect(loud.cause == .confirmation)
            #expect(publisher.cache.current(Scorebook.match)?.revision == loud.revision)
            #expect(publisher.cache.known == [Scorebook.match])
        }
    }

    @Test func aPublicationNamesTheFeedOfItsNewestReply() async throws {
        let bench = try await JournalBench()
        try await publishing(bench) { publisher, publications in
            var book = Scorebook.begun
            let first = bench.writer()
            _ = try await first.accept(book.snapshot, seenAt: Self.seen)
            #expect(await publications.next()?.feed == Scorebook.feed)
            let second = bench.writer(feed: FeedID(unchecked: "second"))
            book.ball()
            _ = try await second.accept(book.snapshot, seenAt: Self.seen)
            #expect(await publications.next()?.feed == FeedID(unchecked: "second"))
            let read = try await publisher.cache.read(Scorebook.match, at: 3, from: bench.journal)
            #expect(read?.feed == Scorebook.feed, "of a past revision")
        }
    }

    @Test("P9: balls are published in order without any notification") func ballsArePublishedWithoutNotifications()
        async throws
    {
        let bench = try await JournalBench()
        let nowhere = ConnectionInfo("host=/tmp/nobody-listens-here")
        try await publishing(bench, listeningAt: nowhere) { _, publications in
            let writer = bench.writer()
            var book = Scorebook.begun
            var slowest = Duration.zero
            for _ in 0..<5 {
                book.ball(1)
                guard case .applied(let revision) = try await writer.accept(book.snapshot, seenAt: Self.seen) else {
                    Issue.record("the ball was not applied")
                    return
                }
                let start = ContinuousClock.now
                #expect(try #require(await publications.next()).revision == revision)
                slowest = max(slowest, ContinuousClock.now - start)
            }
            print("published after \(slowest) at most")
            #expect(slowest < .seconds(5), "the limit is a second on an idle machine")
        }
    }

    @Test func publicationsAreMergedWhileTheOutletIsBusy() async throws {
        let bench = try await JournalBench()
        let outlet = Outlet()
        outlet.shut()
        try await publishing(bench, to: outlet) { _, publications in
            let writer = bench.writer()
            var book = Scorebook.begun
            _ = try await writer.accept(book.snapshot, seenAt: Self.seen)
            let first = try #require(await publications.next())
            book.ball(out: ["Rohit Sharma"])
            book.amend(0) { $0.isFinal = true }
            for _ in 0..<5 {
                book.ball(1, striker: "Surya")
                _ = try await writer.accept(book.snapshot, seenAt: Self.seen)
            }
            outlet.open()
            let merged = try #require(await publications.next())
            #expect(merged.revision.number > first.revision.number + 5)
            #expect(merged.revision == (try await bench.journal.head(of: Scorebook.match))?.revision)
            #expect(merged.alertKey?.text == "w:1:1")
            #expect(try #require(merged.alertRevision) < merged.revision.number)
            // The alert was sent: the next state is silent.
            book.ball(1, striker: "Surya")
            _ = try await writer.accept(book.snapshot, seenAt: Self.seen)
            let next = try #require(await publications.next())
            #expect(next.alert == nil)
        }
    }

    @Test("O3: a released match is published once, at its newest revision")
    func aReleasedMatchIsPublished() async throws {
        let bench = try await JournalBench()
        try await publishing(bench) { publisher, publications in
            let writer = bench.writer()
            var book = Scorebook.begun
            _ = try await writer.accept(book.snapshot, seenAt: Self.seen)
            let before = try #require(await publications.next())
            try await bench.journal.hold(Scorebook.match, reason: "wrong teams")
            for _ in 0..<3 {
                book.ball(1)
                _ = try await writer.accept(book.snapshot, seenAt: Self.seen)
                publisher.wake(Scorebook.match)
            }
            // Another match continues beside it: had the held one been published, it would be before this.
            _ = try await bench.writer(Self.other).accept(Scorebook.begun.snapshot, seenAt: Self.seen)
            #expect(await publications.next()?.match == Self.other)
            #expect(publisher.cache.current(Scorebook.match)?.revision == before.revision)
            try await bench.journal.release(Scorebook.match)
            let released = try #require(await publications.next())
            #expect(released.match == Scorebook.match)
            #expect(released.revision.number == before.revision.number + 3)
            publisher.wake(Scorebook.match)
            _ = try await bench.writer(Self.other).unchanged(seenAt: Self.seen)
            book.ball(1)
            _ = try await writer.accept(book.snapshot, seenAt: Self.seen)
            #expect(await publications.next()?.revision.number == released.revision.number + 1)
        }
    }

    @Test("H2: a restart publishes the newest revision of every match in play")
    func aRestartPublishesEveryLiveHead() async throws {
        let bench = try await JournalBench()
        var book = Scorebook.begun
        book.ball(4)
        _ = try await bench.writer().accept(book.snapshot, seenAt: Self.seen)
        book.end(winner: .first)
        for name in ["ended", "long-over", "forgotten"] {
            _ = try await bench.writer(MatchID(unchecked: name)).accept(book.snapshot, seenAt: Self.seen)
        }
        try await bench.script(
            """
            update match set over_at = now() - interval '11 minutes' where match_id = 'long-over';
            update match set over_at = now() - interval '61 minutes' where match_id = 'forgotten';
            """
        )
        try await publishing(bench) { publisher, publications in
            var found: [MatchID: Publication] = [:]
            for _ in 0..<2 {
                let publication = try #require(await publications.next())
                found[publication.match] = publication
            }
            #expect(Set(found.keys) == [Scorebook.match, MatchID(unchecked: "ended")])
            #expect(found[MatchID(unchecked: "ended")]?.isFinal == true)
            try await eventually("all has been recovered") { publisher.cache.isRecovered }
            // Readers know it, but its followers received the alert long ago.
            #expect(publisher.cache.current(MatchID(unchecked: "long-over"))?.phase == .over)
            #expect(publisher.cache.current(MatchID(unchecked: "forgotten")) == nil)
            let recalled = try await publisher.cache.read(MatchID(unchecked: "forgotten"))
            #expect(recalled?.isFinal == true)
            #expect(recalled?.state.innings.first?.runs == 4)
            #expect(try await publisher.cache.read(MatchID(unchecked: "nobody")) == nil)
        }
    }

    @Test func aHeldMatchDoesNotPreventRecovery() async throws {
        let bench = try await JournalBench()
        let writer = bench.writer()
        var book = Scorebook.begun
        _ = try await writer.accept(book.snapshot, seenAt: Self.seen)
        try await bench.journal.hold(Scorebook.match, reason: "wrong teams")
        book.ball(1)
        _ = try await writer.accept(book.snapshot, seenAt: Self.seen)
        _ = try await bench.writer(Self.other).accept(Scorebook.begun.snapshot, seenAt: Self.seen)
        try await publishing(bench) { publisher, publications in
            #expect(await publications.next()?.match == Self.other)
            try await eventually("all has been recovered") { publisher.cache.isRecovered }
        }
    }

    @Test("H2: a restart sends a recent alert with the newest revision")
    func aRestartSendsARecentAlertWithTheHead() async throws {
        let bench = try await JournalBench()
        let writer = bench.writer()
        var book = Scorebook.begun
        _ = try await writer.accept(book.snapshot, seenAt: Self.seen)
        book.ball(out: ["Rohit Sharma"])
        book.amend(0) { $0.isFinal = true }
        book.ball(1, striker: "Surya")
        _ = try await writer.accept(book.snapshot, seenAt: Self.seen)
        book.ball(2, striker: "Surya")
        _ = try await writer.accept(book.snapshot, seenAt: Self.seen)
        try await publishing(bench) { _, publications in
            let head = try #require(await publications.next())
            #expect(head.alertKey?.text == "w:1:1")
            // Receivers of this revision must not receive it again.
            #expect(head.alertRevision == head.revision.number - 1)
        }
    }

    @Test("H16: a match with an unreadable entry does not stop others")
    func anUnreadableMatchDoesNotStopOthers() async throws {
        let bench = try await JournalBench()
        _ = try await bench.writer(Self.other).accept(Scorebook.begun.snapshot, seenAt: Self.seen)
        try await bench.script(
            """
            create table kept as select rev, body from journal;
            update journal set body = '{"fromTheFuture": {}}';
            """
        )
        try await publishing(bench) { publisher, publications in
            _ = try await bench.writer().accept(Scorebook.begun.snapshot, seenAt: Self.seen)
            #expect(await publications.next()?.match == Scorebook.match)
            #expect(publisher.cache.isRecovered == false)
            try await bench.script("update journal j set body = k.body from kept k where k.rev = j.rev")
            #expect(await publications.next()?.match == Self.other)
        }
    }

    @Test func aMatchThatIsPublishedBeforeTheOthersAreKnownIsRecovered() async throws {
        let bench = try await JournalBench()
        // The heads cannot be read, but each other match can.
        try await bench.script(
            "insert into match (match_id, feed_id, epoch, rev, phase) values ('other', 'one', '?', 1, 1)"
        )
        try await publishing(bench) { publisher, publications in
            _ = try await bench.writer().accept(Scorebook.begun.snapshot, seenAt: Self.seen)
            publisher.wake(Scorebook.match)
            #expect(await publications.next()?.match == Scorebook.match)
            #expect(publisher.cache.isRecovered == false)
            try await bench.script("delete from match where match_id = 'other'")
            try await eventually("all has been recovered") { publisher.cache.isRecovered }
        }
    }

    @Test func aMatchThatCannotBeReadDoesNotPreventRecoveryAfterItsEnd() async throws {
        let bench = try await JournalBench()
        _ = try await bench.writer(Self.other).accept(Scorebook.begun.snapshot, seenAt: Self.seen)
        try await bench.script("update journal set body = '{\"fromTheFuture\": {}}'")
        try await publishing(bench) { publisher, publications in
            _ = try await bench.writer().accept(Scorebook.begun.snapshot, seenAt: Self.seen)
            #expect(await publications.next()?.match == Scorebook.match)
            #expect(publisher.cache.isRecovered == false)
            try await bench.script(
                "update match set phase = 3, over_at = now() - interval '61 minutes' where match_id = 'other'"
            )
            try await eventually("all has been recovered") { publisher.cache.isRecovered }
        }
    }

    @Test func repeatedFailuresAreRetriedLessOften() {
        var setback: PublicationRetry?
        var pauses: [Duration] = []
        for _ in 0..<9 {
            setback = PublicationRetry(after: setback, now: .zero)
            pauses.append(setback?.until ?? .zero)
        }
        #expect(pauses.prefix(3) == [.milliseconds(500), .seconds(1), .seconds(2)])
        #expect(pauses.last == .seconds(30))
    }

    @Test func twoNodesRenderTheSameBytes() async throws {
        let bench = try await JournalBench()
        try await publishing(bench) { _, one in
            let writer = bench.writer()
            var book = Scorebook.begun
            book.ball(4)
            _ = try await writer.accept(book.snapshot, seenAt: Self.seen)
            let left = try #require(await one.next())
            try await publishing(bench) { _, other in
                let right = try #require(await other.next())
                #expect(left.contentState == right.contentState)
                #expect(left.stateHash == right.stateHash)
                #expect(left.apnsTimestamp == right.apnsTimestamp)
                #expect(left.attributes == right.attributes)
            }
        }
    }
}
