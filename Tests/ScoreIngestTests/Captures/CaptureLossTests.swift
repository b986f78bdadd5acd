// A gap in the captures is bridged or reported, never replayed across.

import Foundation
import JournalSamples
import MatchEngine
import MatchSamples
import ScoreTypes
import TestSupport
import Testing

@testable import CurlTransfer
@testable import MatchJournal
@testable import Providers
@testable import ScoreIngest

@Suite(.timeLimit(.minutes(1))) struct CaptureLossTests {
    private static let feed = Scorebook.feed
    private static let source = JournalSource(.roanuz, feed)
    private static let session = ProviderSession(tables: ProviderReplies(["words": Array("words".utf8)]))

    /// One node's writer and captures, beside other nodes of the same journal.
    private struct Setup {
        let path = FileManager.default.temporaryDirectory.appending(path: "lost-\(UUID().uuidString)").path
        let bench: JournalBench
        let clock = ManualClock()
        let captures: CaptureStore
        let run: Task<Void, Never>

        init() async throws {
            bench = try await JournalBench()
            let captures = CaptureStore(directory: path, credentials: [:], clock: ServiceClock())
            self.captures = captures
            run = Task { await captures.run() }
            captures.take(FeedCapture(feed: feed, wall: clock.clock().wall, kind: .session(source, session)))
        }

        func end() {
            run.cancel()
            try? FileManager.default.removeItem(atPath: path)
        }

        func writer(isCaptured: Bool = true) -> MatchWriter {
            let record: @Sendable (CaptureEvent) -> Void = { [captures] event in captures.take(event) }
            return MatchWriter(
                match: Scorebook.match,
                feed: feed,
                journal: bench.journal,
                fence: { JournalBench.fence },
                clock: clock.clock(),
                record: isCaptured ? record : nil
            )
        }

        /// Sends so many balls; those that are not `news` were sent before.
        func say(
            _ balls: Int,
            _ store: inout ProviderReplies,
            news: ProviderReplies = ProviderReplies(),
            to writer: MatchWriter
        ) async throws {
            clock.advance(by: .seconds(5))
            var news = news
            news["balls"] = Array("\(balls)".utf8)
            let isWhole = news[.match] != nil
            store.merge(news)
            _ = try await writer.accept(
                SeenReply(
                    try PartsAdapter().snapshot(store, session),
                    seenAt: clock.clock().wall,
                    source: source,
                    raw: RawReply(id: ProviderMatchID(unchecked: "m1"), parts: news.bodies, isWhole: isWhole)
                )
            )
        }

        /// Replays the captures and compares each entry with the journal.
        func expectTrueReplay() async throws -> (replayed: [ReplayedEntry], skipped: [CaptureReplay.Skipped]) {
            await captures.drain()
            var replayed: [ReplayedEntry] = []
            let replay = CaptureReplay { $0 == .roanuz ? PartsAdapter() : nil }
            try replay.play(path) { replayed.append($0) }
            var stored: [Int64: Change] = [:]
            while true {
                let page = try await bench.journal.entries(of: Scorebook.match, after: stored.keys.max() ?? 0)
                if page.isEmpty { break }
                for entry in page { stored[entry.revision] = entry.change }
            }
            let wrong = replayed.filter { stored[$0.revision] != $0.change }
            #expect(wrong.isEmpty, "\(wrong.map { "\($0.revision): \($0.change)" })")
            #expect(Set(replayed.map(\.revision)).count == replayed.count)
            return (replayed, replay.skipped)
        }
    }

    private static let frame = ProviderReplies([.match: Array("Lord's".utf8)])

    @Test func entriesOfAnotherNodeAreReadWhenTheDutyReturns() async throws {
        let setup = try await Setup()
        defer { setup.end() }
        var store = ProviderReplies()
        let first = setup.writer()
        for balls in 1...4 { try await setup.say(balls, &store, news: balls == 1 ? Self.frame : .init(), to: first) }
        let other = setup.writer(isCaptured: false)
        // Some are withdrawn, so that the next balls do not lead to as many entries.
        for balls in [5, 6, 7, 8, 6, 7, 8, 9, 7, 8, 9] { try await setup.say(balls, &store, to: other) }
        let between = try #require(try await setup.bench.journal.head(of: Scorebook.match)?.revision.number)
        var fresh = ProviderReplies()
        let second = setup.writer()
        try await setup.say(10, &fresh, news: Self.frame, to: second)
        for balls in 11...13 { try await setup.say(balls, &fresh, to: second) }
        let (replayed, skipped) = try await setup.expectTrueReplay()
        #expect(skipped.isEmpty)
        #expect(replayed.first?.revision == 1)
        #expect(replayed.first { $0.revision > between }?.revision == between + 1)
        let last = try await setup.bench.journal.head(of: Scorebook.match)?.revision.number
        #expect(replayed.last?.revision == last)
    }

    @Test func aLostEntryIsNotReplayedAcross() async throws {
        let setup = try await Setup()
        defer { setup.end() }
        var store = ProviderReplies()
        let writer = setup.writer()
        for balls in 1...4 { try await setup.say(balls, &store, news: balls == 1 ? Self.frame : .init(), to: writer) }
        await setup.captures.drain()
        // Larger than all that may wait to be written.
        var large = ProviderReplies([.match: Array("The Oval".utf8)])
        large["echo"] = [UInt8](repeating: 32, count: IngestLimits.waitingCaptureBytesMax + 1)
        try await setup.say(5, &store, news: large, to: writer)
        // The toss is in a part that is not sent again, so these cannot be read.
        for balls in 6...8 { try await setup.say(balls, &store, to: writer) }
        let between = try #require(try await setup.bench.journal.head(of: Scorebook.match)?.revision.number)
        let place = ProviderReplies([.match: Array("The Oval".utf8)])
        for balls in 9...12 { try await setup.say(balls, &store, news: balls == 9 ? place : .init(), to: writer) }
        let (replayed, skipped) = try await setup.expectTrueReplay()
        #expect(!skipped.isEmpty)
        #expect(replayed.first { $0.revision > between }?.revision == between + 1)
        let last = try await setup.bench.journal.head(of: Scorebook.match)?.revision.number
        #expect(replayed.last?.revision == last)
    }

    @Test("S38: captures of one feed contain no secret of it, whichever feed the match was opened for")
    func secretsOfTheLeadingFeedAreRedacted() async throws {
        let path = FileManager.default.temporaryDirectory.appending(path: "two-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        let (one, two) = (FeedID(unchecked: "one"), FeedID(unchecked: "two"))
        let store = CaptureStore(
            directory: path,
            credentials: [
                one: ProviderCredentials(key: Secret("key-abc")),
                two: ProviderCredentials(key: Secret("key-abc-and-more")),
            ],
            clock: ServiceClock()
        )
        let run = Task { await store.run() }
        defer { run.cancel() }
        let wall = Instant(milliseconds: 1)
        let token = ProviderSession(token: Secret("token-of-two"))
        store.take(FeedCapture(feed: two, wall: wall, kind: .session(JournalSource(.roanuz, two), token)))
        let body = ProviderReplies([.match: Array("key-abc-and-more token-of-two end".utf8)])
        let raw = RawReply(id: ProviderMatchID(unchecked: "m1"), parts: body.bodies, isWhole: true)
        let snapshot = Scorebook.begun.snapshot
        let reply = SeenReply(snapshot, seenAt: wall, source: JournalSource(.roanuz, two), raw: raw)
        store.take(CaptureEvent(match: Scorebook.match, feed: one, at: .zero, wall: wall, kind: .event(.reply(reply))))
        await store.drain()
        let kept = CaptureSequence([CaptureFolder.files(in: "\(path)/one")])
        #expect(kept.map { String(decoding: $0.payload, as: UTF8.self) } == ["---------------- ------------ end"])
    }
}
