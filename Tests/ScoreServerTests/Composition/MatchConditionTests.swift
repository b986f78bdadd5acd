// The condition of a match (held, stale) outlasts new content.

import LiveActivities
import MatchEngine
import MatchSamples
import Postgres
import Providers
import ScoreTypes
import Synchronization
import TestSupport
import Testing

@testable import MatchJournal
@testable import ScoreIngest
@testable import ScoreServer

@Suite(.timeLimit(.minutes(1))) struct MatchConditionTests {
    private static let feed = FeedID(unchecked: "main")

    @Test func anOverrideDoesNotEndTheSilenceOfTheFeed() async throws {
        let info = try await ScratchDatabase.make()
        let (journal, clock) = (Journal(pool: Pool(info, size: 3, name: "standing")), ServiceClock())
        let membership = Membership(info: info, node: NodeID(unchecked: "n1"), clock: clock, timeToLive: .seconds(60))
        try await membership.join()
        let matches = MatchCache(load: { _ in nil }, changes: { _, _, _ in [] })
        let distributor = PublicationDistributor(
            matches: matches,
            hub: StreamHub(clock: clock),
            receipts: ReceiptMonitor(clock: clock)
        )
        let publisher = Publisher(
            PublicationCache(journal: journal, clock: clock, scheme: "score"),
            info: info,
            conditionChanged: { await distributor.update(from: $0) },
            outlet: { await distributor.publish($0) }
        )
        let writer = MatchWriter(
            match: Samples.match,
            feed: Self.feed,
            journal: journal,
            fence: { membership.fence() },
            clock: clock
        )
        let picture = MatchSnapshot(info: Samples.info(), status: StatusReport(status: .live))
        let source = JournalSource(.cricsheet, Self.feed)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await membership.run() }
            group.addTask { await publisher.run() }
            _ = try await writer.accept(SeenReply(picture, seenAt: clock.wall, source: source))
            let news = { try await matches.view(of: Samples.match)?.news }
            try await eventually("it is shown") { try await news() != nil }
            let since = Instant(milliseconds: clock.wall.milliseconds - 60_000)
            try await journal.setSilent(Samples.match, since: since, fence: nil)
            try await eventually("it is stale") { try await news()?.staleSince == since }
            let rain = MatchOverride(
                value: .status(.rain, note: nil),
                expiresAt: clock.wall + .seconds(600),
                actor: "token:ann",
                reason: "covers on"
            )
            try await journal.set(rain, of: Samples.match)
            try await writer.steer()
            try await eventually("it rains") { try await news()?.publication.state.status.status == .rain }
            #expect(try await news()?.staleSince == since)
            try await journal.hold(Samples.match, reason: "wrong teams")
            try await eventually("it is held") { try await news()?.hold?.reason == "wrong teams" }
            #expect(try await news()?.staleSince == since)
            try await journal.release(Samples.match)
            try await eventually("it continues") { try await news()?.isHeld == false }
            group.cancelAll()
        }
        await journal.connections.close()
    }

    @Test func aFailedHoldUpdateIsRetried() async throws {
        let info = try await ScratchDatabase.make()
        let (journal, clock) = (Journal(pool: Pool(info, size: 3, name: "standing")), ServiceClock())
        let membership = Membership(info: info, node: NodeID(unchecked: "n1"), clock: clock, timeToLive: .seconds(60))
        try await membership.join()
        let writer = MatchWriter(
            match: Samples.match,
            feed: Self.feed,
            journal: journal,
            fence: { membership.fence() },
            clock: clock
        )
        let picture = MatchSnapshot(info: Samples.info(), status: StatusReport(status: .live))
        let source = JournalSource(.cricsheet, Self.feed)
        _ = try await writer.accept(SeenReply(picture, seenAt: clock.wall, source: source))
        try await journal.hold(Samples.match, reason: "wrong teams")
        let tries = Mutex(0)
        let matches = MatchCache(
            load: { _ in
                let number = tries.withLock { tries in
                    tries += 1
                    return tries
                }
                if number == 1 { throw ServiceProblem(.temporarilyUnavailable) }
                return try Samples.view(1)
            },
            changes: { _, _, _ in [] }
        )
        let distributor = PublicationDistributor(
            matches: matches,
            hub: StreamHub(clock: clock),
            receipts: ReceiptMonitor(clock: clock)
        )
        let publisher = Publisher(
            PublicationCache(journal: journal, clock: clock, scheme: "score"),
            info: info,
            conditionChanged: { await distributor.update(from: $0) },
            outlet: { _ in }
        )
        let running = Task { await publisher.run() }
        try await eventually("it is held after all") { matches.views().first?.news.isHeld == true }
        running.cancel()
        await running.value
        await journal.connections.close()
    }
}
