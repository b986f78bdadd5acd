// Overrides, their ends, and silences are published without any poller of the match.

import JournalSamples
import MatchEngine
import MatchSamples
import Postgres
import ScoreTypes
import Synchronization
import TestSupport
import Testing

@testable import CurlTransfer
@testable import MatchJournal
@testable import Providers
@testable import ScoreIngest

@Suite struct MatchTickerTests {
    private static let seen = Instant(milliseconds: 1_700_000_000_500)
    private static let seconds600: Duration = .seconds(600)

    /// A node without pollers.
    private struct Node {
        let ticker: MatchTicker

        init(
            _ bench: JournalBench,
            _ clock: ManualClock,
            polled: Set<FeedID> = [Scorebook.feed],
            hasDuty: @escaping @Sendable (FeedID) -> Bool = { _ in true },
            released: @escaping @Sendable () -> Void = {}
        ) {
            let service = clock.clock()
            let intakes = bench.intakes([:], clock: service)
            ticker = MatchTicker(
                journal: bench.journal,
                intakes: intakes,
                clock: service,
                polled: polled,
                acquire: { hasDuty($0) },
                release: { _ in released() }
            )
        }
    }

    private static func say(_ bench: JournalBench) async throws {
        let override = MatchOverride(
            value: .status(.abandoned, note: nil),
            expiresAt: ManualClock.wallAtZero + seconds600,
            actor: "token:ann",
            reason: "wet ground"
        )
        #expect(try await bench.journal.set(override, of: Scorebook.match))
    }

    /// A finished match, so that no feed is polled for it any more.
    private static func ended(_ bench: JournalBench) async throws {
        var book = Scorebook.begun
        book.ball(4)
        book.end(winner: .first)
        _ = try await bench.writer().accept(book.snapshot, seenAt: seen)
    }

    private static func status(_ bench: JournalBench) async throws -> MatchStatus {
        try await bench.writer().stored().record.status.status
    }

    @Test func anOverrideBeginsAndEndsWithoutAFeed() async throws {
        let bench = try await JournalBench()
        let clock = ManualClock()
        try await Self.ended(bench)
        let node = Node(bench, clock)
        let rows = try await bench.count("publication")
        try await Self.say(bench)
        node.ticker.overridesChanged(Scorebook.match)
        #expect(await node.ticker.round() == Self.seconds600)
        #expect(try await bench.count("publication") == rows + 1)
        clock.advance(by: .seconds(599))
        #expect(await node.ticker.round() == .seconds(1))
        clock.advance(by: .seconds(1))
        #expect(await node.ticker.round() == IngestLimits.idleMax)
        #expect(try await Self.status(bench) == .result)
        #expect(try await bench.count("publication") == rows + 2)
    }

    @Test func aLiftIsAppliedAtOnce() async throws {
        let bench = try await JournalBench()
        try await Self.ended(bench)
        let node = Node(bench, ManualClock())
        try await Self.say(bench)
        node.ticker.overridesChanged(Scorebook.match)
        _ = await node.ticker.round()
        #expect(try await bench.journal.liftOverride("status", of: Scorebook.match))
        node.ticker.overridesChanged(Scorebook.match)
        #expect(await node.ticker.round() == IngestLimits.idleMax)
        #expect(try await Self.status(bench) == .result)
    }

    @Test func waitingForAnEndNeedsNoQuery() async throws {
        let bench = try await JournalBench()
        let clock = ManualClock()
        try await Self.ended(bench)
        let node = Node(bench, clock)
        try await Self.say(bench)
        node.ticker.overridesChanged(Scorebook.match)
        _ = await node.ticker.round()
        // Every query from here on fails, and is tried again a second later.
        await bench.pool.close()
        for left in stride(from: 590, through: 10, by: -10) {
            clock.advance(by: .seconds(10))
            #expect(await node.ticker.round() == .seconds(left))
        }
        clock.advance(by: .seconds(10))
        #expect(await node.ticker.round() == IngestLimits.tickRetryInterval)
    }

    @Test func theEndOfAnOverrideAppliesAfterARestart() async throws {
        let bench = try await JournalBench()
        let clock = ManualClock()
        try await Self.ended(bench)
        try await Self.say(bench)
        let first = Node(bench, clock)
        first.ticker.overridesChanged(Scorebook.match)
        _ = await first.ticker.round()
        #expect(try await Self.status(bench) == .abandoned)
        // One starts before the end, another after it; both have only the tables.
        let second = Node(bench, clock)
        second.ticker.anyOverridesChanged()
        #expect(await second.ticker.round() == Self.seconds600)
        clock.advance(by: .seconds(700))
        let third = Node(bench, clock)
        third.ticker.gained(Scorebook.feed)
        #expect(await third.ticker.round() == IngestLimits.idleMax)
        #expect(try await Self.status(bench) == .result)
    }

    @Test func aNodeWithoutTheDutyWritesNothing() async throws {
        let bench = try await JournalBench()
        try await Self.ended(bench)
        let node = Node(bench, ManualClock(), hasDuty: { _ in false })
        try await Self.say(bench)
        node.ticker.overridesChanged(Scorebook.match)
        #expect(await node.ticker.round() == IngestLimits.idleMax)
        #expect(try await Self.status(bench) == .result)
    }

    @Test func anOverrideAppliesToAnUnpolledFeedWithoutItsDuty() async throws {
        let bench = try await JournalBench()
        let clock = ManualClock()
        try await Self.ended(bench)
        try await Self.say(bench)
        let released = Mutex(0)
        let node = Node(bench, clock, polled: [], released: { released.withLock { $0 += 1 } })
        let late = Node(bench, clock, polled: [], hasDuty: { _ in false })
        for ticker in [node.ticker, late.ticker] {
            ticker.overridesChanged(Scorebook.match)
            #expect(await ticker.round() == Self.seconds600)
        }
        #expect(try await Self.status(bench) == .abandoned)
        #expect(released.withLock { $0 } == 1)
        clock.advance(by: Self.seconds600)
        // The other node has the duty at this moment: check again later whether it is done.
        #expect(await late.ticker.round() == IngestLimits.orphanInterval)
        #expect(await node.ticker.round() == IngestLimits.idleMax)
        #expect(try await Self.status(bench) == .result)
        clock.advance(by: IngestLimits.orphanInterval)
        #expect(await late.ticker.round() == IngestLimits.idleMax)
    }

    /// A match in play without a journal entry for five minutes.
    private static func orphaned(_ bench: JournalBench, _ clock: ManualClock) async throws {
        var book = Scorebook.begun
        book.ball(1)
        _ = try await bench.writer(clock: clock).accept(book.snapshot, seenAt: seen)
        try await bench.script("update journal set at = at - interval '300 seconds'")
    }

    private static func silentSince(_ bench: JournalBench) async throws -> Instant? {
        try await bench.journal.head(of: Scorebook.match)?.silentSince
    }

    @Test func aMatchOfARemovedFeedIsReportedAsSilent() async throws {
        let bench = try await JournalBench()
        let clock = ManualClock()
        try await Self.orphaned(bench, clock)
        let taken = Mutex(0)
        let node = Node(
            bench,
            clock,
            polled: [FeedID(unchecked: "another")],
            hasDuty: { _ in
                taken.withLock { $0 += 1 }
                return true
            },
            released: { taken.withLock { $0 -= 1 } }
        )
        node.ticker.findOrphans()
        #expect(await node.ticker.round() == .seconds(15), "its poller may be starting")
        #expect(try await Self.silentSince(bench) == nil)
        clock.advance(by: .seconds(15))
        #expect(await node.ticker.round() == IngestLimits.idleMax)
        let since = try #require(try await Self.silentSince(bench))
        #expect(since < ManualClock.wallAtZero + .seconds(-280), "since the last journal entry")
        #expect(taken.withLock { $0 } == 0, "its duty is free for a node that gets the feed again")
        // An announced silence is not repeated.
        let rows = try await bench.count("publication")
        node.ticker.findOrphans()
        #expect(await node.ticker.round() == IngestLimits.idleMax)
        #expect(try await bench.count("publication") == rows)
    }

    @Test func aMatchPolledByAnotherNodeIsNotTicked() async throws {
        let bench = try await JournalBench()
        let clock = ManualClock()
        try await Self.orphaned(bench, clock)
        let isPolled = Mutex(false)
        let node = Node(bench, clock, polled: [], hasDuty: { _ in isPolled.withLock { !$0 } })
        // Free at one check and taken at the next, as when the only node that polls it was restarted.
        node.ticker.findOrphans()
        #expect(await node.ticker.round() == .seconds(15))
        isPolled.withLock { $0 = true }
        clock.advance(by: .seconds(15))
        #expect(await node.ticker.round() == IngestLimits.idleMax)
        node.ticker.findOrphans()
        #expect(await node.ticker.round() == IngestLimits.idleMax)
        #expect(try await Self.silentSince(bench) == nil)
    }

    /// Precedence may have given the match to another feed since: as long as that is polled, it is not silent.
    @Test func aMatchLedByAnotherFeedIsNotSilent() async throws {
        let bench = try await JournalBench()
        let clock = ManualClock()
        try await Self.orphaned(bench, clock)
        try await bench.script("update journal set feed_id = 'second' where feed_id <> ''")
        let second = FeedID(unchecked: "second")
        for node in [
            Node(bench, clock, polled: [], hasDuty: { $0 != second }),
            Node(bench, clock, polled: [second]),
        ] {
            node.ticker.findOrphans()
            #expect(await node.ticker.round() == IngestLimits.idleMax)
        }
        #expect(try await Self.silentSince(bench) == nil)
        let last = Node(bench, clock, polled: [])
        last.ticker.findOrphans()
        #expect(await last.ticker.round() == .seconds(15), "neither of them is polled")
    }

    @Test func aNodeThatGainsTheDutyReportsTheSilence() async throws {
        let bench = try await JournalBench()
        let clock = ManualClock()
        var book = Scorebook.begun
        book.ball(1)
        _ = try await bench.writer(clock: clock).accept(book.snapshot, seenAt: Self.seen)
        try await bench.script("update journal set at = at - interval '300 seconds'")
        let node = Node(bench, clock)
        node.ticker.gained(Scorebook.feed)
        #expect(await node.ticker.round() == .seconds(15))
        #expect(try await bench.journal.head(of: Scorebook.match)?.silentSince == nil)
        clock.advance(by: .seconds(15))
        // It is announced, and then there is nothing to wait for.
        #expect(await node.ticker.round() == IngestLimits.idleMax)
        let since = try #require(try await bench.journal.head(of: Scorebook.match)?.silentSince)
        #expect(since < ManualClock.wallAtZero + .seconds(-280))
        let next = Node(bench, clock)
        next.ticker.gained(Scorebook.feed)
        #expect(await next.ticker.round() == IngestLimits.idleMax)
        #expect(try await bench.journal.head(of: Scorebook.match)?.silentSince == since)
    }

    /// The node's term ends, or begins again: without it nothing is written.
    private static func setTerm(_ bench: JournalBench, isOver: Bool) async throws {
        if isOver {
            try await bench.script("update node set expires_at = now() - interval '1 hour'")
        } else {
            try await bench.script("update node set expires_at = now() + interval '1 day'")
        }
    }

    /// A node whose first attempt to publish the ended match again has failed, and the publications before it.
    private static func nodeWithFailedOrder(
        _ bench: JournalBench,
        _ clock: ManualClock
    ) async throws -> (node: Node, rows: Int64) {
        try await ended(bench)
        let node = Node(bench, clock)
        let rows = try await bench.count("publication")
        try await setTerm(bench, isOver: true)
        node.ticker.republish(Scorebook.match)
        #expect(await node.ticker.round() == IngestLimits.tickRetryInterval)
        return (node, rows)
    }

    @Test func aFailedOrderToPublishAgainIsRepeatedOnce() async throws {
        let (bench, clock) = (try await JournalBench(), ManualClock())
        let (node, rows) = try await Self.nodeWithFailedOrder(bench, clock)
        #expect(try await bench.count("publication") == rows)
        try await Self.setTerm(bench, isOver: false)
        clock.advance(by: IngestLimits.tickRetryInterval)
        for _ in 0..<2 {
            #expect(await node.ticker.round() == IngestLimits.idleMax)
            #expect(try await bench.count("publication") == rows + 1)
        }
    }

    @Test func anOldOrderToPublishAgainIsDropped() async throws {
        let (bench, clock) = (try await JournalBench(), ManualClock())
        let (node, rows) = try await Self.nodeWithFailedOrder(bench, clock)
        clock.advance(by: IngestLimits.republishPatience)
        try await Self.setTerm(bench, isOver: false)
        #expect(await node.ticker.round() == IngestLimits.idleMax)
        #expect(try await bench.count("publication") == rows)
    }
}
