// An override reaches the node that writes the match and expires, without any poll of a feed.

import MatchEngine
import MatchSamples
import Postgres
import ScoreTypes
import TestSupport
import Testing

@testable import CurlTransfer
@testable import MatchJournal
@testable import Providers
@testable import ScoreIngest
@testable import ScoreServer

@Suite(.timeLimit(.minutes(1))) struct OverrideOrderTests {
    private static let feed = FeedID(unchecked: "main")

    @Test func settingLiftingAndExpiryOfAnOverrideEachPublish() async throws {
        let info = try await ScratchDatabase.make()
        let (journal, clock) = (Journal(pool: Pool(info, size: 3, name: "words")), ServiceClock())
        let membership = Membership(info: info, node: NodeID(unchecked: "n1"), clock: clock, timeToLive: .seconds(60))
        try await membership.join()
        let intakes = MatchIntakes(precedence: [:], clock: clock) { match, feed in
            MatchWriter(
                match: match,
                feed: feed,
                journal: journal,
                fence: { membership.fence(lease: "feed:main") },
                clock: clock
            )
        }
        let ticker = MatchTicker(journal: journal, intakes: intakes, clock: clock, polled: [Self.feed]) { _ in
            (try? await membership.acquire(lease: "feed:main")) ?? false
        }
        let orders = Self.orders(info, ticker)
        _ = try await membership.acquire(lease: "feed:main")
        let sink = await intakes.open(Samples.match, Self.feed)
        let snapshot = MatchSnapshot(info: Samples.info(), status: StatusReport(status: .scheduled))
        _ = try await sink.accept(SeenReply(snapshot, seenAt: clock.wall, source: JournalSource(.cricsheet, Self.feed)))
        await sink.close()
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await membership.run() }
            group.addTask { await ticker.run() }
            group.addTask { await orders.run() }
            let summary = { try await journal.matches(phases: [.scheduled, .live, .onBreak]).first.map(Self.state) }
            func say(_ status: MatchStatus, for span: Duration) async throws {
                let override = MatchOverride(
                    value: .status(status, note: nil),
                    expiresAt: clock.wall + span,
                    actor: "token:ann",
                    reason: "the feed is wrong"
                )
                #expect(try await journal.set(override, of: Samples.match))
            }
            try await say(.tossDelayed, for: .seconds(3_600))
            try await eventually("it applies") { try await summary() == "delayed" }
            #expect(try await journal.liftOverride("status", of: Samples.match))
            try await eventually("it is lifted") { try await summary() == "scheduled" }
            try await say(.tossDelayed, for: .seconds(6))
            try await eventually("it applies again") { try await summary() == "delayed" }
            try await eventually("its time is over") { try await summary() == "scheduled" }
            group.cancelAll()
        }
        await journal.connections.close()
    }

    /// Listens for orders of operators, and polls nothing.
    private static func orders(_ info: ConnectionInfo, _ ticker: MatchTicker) -> IngestOrderListener {
        let ingest = IngestService(
            feeds: [],
            driver: TransferDriver(name: "words"),
            clock: ServiceClock(),
            mayPoll: { _ in false },
            makeSink: { _, _ in throw CancellationError() }
        )
        return IngestOrderListener(
            info: info,
            ingest: ingest,
            ticker: ticker,
            table: { AliasTable() },
            aliases: AliasCache(),
            paused: { [] }
        )
    }

    @Sendable private static func state(_ row: MatchRow) -> String? {
        (try? JSONValue(parsing: row.summary))?["state"]?.string
    }
}
