// Every provider needs an adapter in the registry, and its captures must be readable through that adapter.

import Foundation
import MatchEngine
import ScoreIngest
import ScoreTypes
import Testing

@testable import MatchJournal
@testable import Providers

@Suite struct AdapterRegistryTests {
    @Test(arguments: Provider.allCases) func everyProviderHasItsOwnAdapter(provider: Provider) {
        #expect(AdapterRegistry.adapter(for: provider).provider == provider)
    }

    @Test func capturesOfCricketDataAreReplayed() async throws {
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
            waits: ConfirmationWaits(ServiceClock()),
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
