// A provider that settings can name has to be one that a server starts with, and that captures are read again for.

import Foundation
import MatchEngine
import Providers
import ScoreIngest
import ScoreTypes
import Testing

@testable import MatchJournal
@testable import ScoreServer

@Suite struct FeedAdapterTests {
    @Test(arguments: Provider.allCases) func everyProviderCanBeConfigured(provider: Provider) throws {
        let settings = try ConfigurationLoader.load(
            environment: [
                "FEED_URL": "https://feed.example", "FEED_PROVIDER": provider.rawValue, "FEED_KEY": "key-of-feed",
                "FEED_SECRET": "secret-of-feed", "FEED_PROJECT": "project",
            ],
            file: "/nonexistent/.env"
        )
        let feed: FeedConfiguration? = settings.feeds.first.flatMap { FeedConfiguration($0) }
        #expect(feed?.adapter.provider == provider)
        let adapter: (any Adapter)? = AdapterRegistry.adapter(for: provider)
        #expect(adapter?.provider == provider)
    }

    @Test func capturesOfCricketDataArePlayedAgain() async throws {
        let path = FileManager.default.temporaryDirectory.appending(path: "adapters-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        let feed = FeedID(unchecked: "cd")
        let match = MatchID(unchecked: "m1")
        let now = Instant(milliseconds: 1_760_000_000_000)
        let store = CaptureStore(directory: path, credentials: [:], clock: ServiceClock())
        let run = Task { await store.run() }
        defer { run.cancel() }
        let body = """
            {"status":"success","data":{"id":"m1","matchType":"t20","status":"Reds opt to bat","venue":"Lord's",
            "dateTimeGMT":"2025-10-09T08:00:00","teams":["Reds","Blues"],"matchStarted":true,"matchEnded":false,
            "score":[{"r":41,"w":2,"o":5.2,"inning":"Reds Inning 1"}]}}
            """
        let parts = ProviderReplies([.match: Array(body.utf8)])
        let reply = SeenReply(
            try CricketDataAdapter().snapshot(parts, ProviderSession()),
            seenAt: now,
            source: JournalSource(.cricketData, feed),
            raw: RawReply(id: ProviderMatchID(unchecked: "m1"), parts: parts.bodies, isWhole: true)
        )
        let empty = WriterState(
            match: match,
            revision: Revision(epoch: MatchWriter.randomEpoch(), number: 0),
            gate: Gate(),
            replica: MatchReplica(),
            clock: ServiceClock(),
            now: .zero
        )
        for kind in [CaptureEvent.Kind.opened, .event(.reply(reply))] {
            store.take(
                CaptureEvent(match: match, feed: feed, at: .seconds(1), wall: now, kind: kind, stateBefore: empty)
            )
        }
        await store.drain()
        var entries: [ReplayedEntry] = []
        let replay = CaptureReplay { AdapterRegistry.adapter(for: $0) }
        try replay.play(path) { entries.append($0) }
        #expect(!entries.isEmpty)
        #expect(entries.allSatisfy { $0.source == JournalSource(.cricketData, feed) })
    }
}
