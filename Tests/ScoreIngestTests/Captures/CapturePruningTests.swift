// The oldest captures are deleted during a match; the rest has to replay without a difference.

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

@Suite(.timeLimit(.minutes(1))) struct CapturePruningTests {
    private static let feed = Scorebook.feed
    private static let source = JournalSource(.roanuz, feed)
    private static let session = ProviderSession(
        token: Secret("token-123456"),
        tables: ProviderReplies(["words": Array("words".utf8)])
    )

    private static func folder() -> String {
        FileManager.default.temporaryDirectory.appending(path: "pruned-\(UUID().uuidString)").path
    }

    /// Plays a match whose frame is read once and whose balls come with each reply, as with most paged providers.
    private static func play(into captures: CaptureStore, _ bench: JournalBench) async throws {
        let clock = ManualClock()
        func writer() -> MatchWriter {
            MatchWriter(
                match: Scorebook.match,
                feed: feed,
                journal: bench.journal,
                fence: { JournalBench.fence },
                clock: clock.clock(),
                record: { captures.take($0) }
            )
        }
        captures.take(FeedCapture(feed: feed, wall: clock.clock().wall, kind: .session(source, session)))
        var store = ProviderReplies([.match: Array("Lord's".utf8), "echo": Array("token-123456".utf8)])
        var match = writer()
        for step in 1...120 {
            // Balls arrive, two are withdrawn at times, and a whole over vanishes until it is seen twice.
            let count = step.isMultiple(of: 17) ? step - 2 : step.isMultiple(of: 29) ? step - 6 : step
            let news = ProviderReplies(["balls": Array("\(count)".utf8)])
            store.merge(news)
            let isFirst = step == 1
            let reply = SeenReply(
                try PartsAdapter().snapshot(store, session),
                seenAt: clock.clock().wall,
                source: source,
                raw: RawReply(
                    id: ProviderMatchID(unchecked: "m1"),
                    parts: (isFirst ? store : news).bodies,
                    isWhole: isFirst
                )
            )
            _ = try await match.accept(reply)
            clock.advance(by: .seconds(4))
            _ = try await match.tick()
            if step.isMultiple(of: 40) {
                let override = MatchOverride(
                    value: .status(.badLight, note: "step \(step)"),
                    expiresAt: clock.clock().wall + .seconds(30),
                    actor: "token:ann",
                    reason: "dark"
                )
                try await bench.journal.set(override, of: Scorebook.match)
                try await match.steer()
            }
            // Another writer begins with the rows alone.
            if step.isMultiple(of: 50) { match = writer() }
        }
        await captures.drain()
    }

    @Test func prunedCapturesReplayTheSameJournal() async throws {
        let path = Self.folder()
        defer { try? FileManager.default.removeItem(atPath: path) }
        let bench = try await JournalBench()
        let bounds = CaptureStore.Bounds(records: 40, bytes: 8 << 20)
        let captures = CaptureStore(directory: path, bounds: bounds, credentials: [:], clock: ServiceClock())
        let run = Task { await captures.run() }
        defer { run.cancel() }
        try await Self.play(into: captures, bench)
        let files = CaptureFolder.files(in: "\(path)/\(Self.feed)")
        #expect(files.first?.hasSuffix("000001.capture") == false, "the oldest are deleted")
        var stored: [JournalEntry] = []
        while true {
            let page = try await bench.journal.entries(of: Scorebook.match, after: stored.last?.revision ?? 0)
            if page.isEmpty { break }
            stored += page
        }
        // Replays from each of the remaining files as the oldest.
        for first in 0..<files.count {
            if first > 0 { try FileManager.default.removeItem(atPath: files[first - 1]) }
            var replayed: [ReplayedEntry] = []
            let replay = CaptureReplay { $0 == .roanuz ? PartsAdapter() : nil }
            try replay.play(path) { replayed.append($0) }
            let begin = try #require(replayed.first?.revision)
            let rest = stored.filter { $0.revision >= begin }
            #expect(begin > 1 && replayed.map(\.revision) == rest.map(\.revision), "file \(first)")
            for (mine, theirs) in zip(replayed, rest) where mine.body != (try ChangeCoding.canonical(theirs.change)) {
                Issue.record("file \(first), revision \(mine.revision): \(mine.change) and \(theirs.change)")
                break
            }
        }
        // No file contains a secret, and each begins with the session's tables.
        for file in files.suffix(1) {
            let records = Array(CaptureSequence([[file]]))
            for record in records {
                #expect(!String(decoding: record.payload, as: UTF8.self).contains("token-123456"))
                #expect(record.head.reason?.contains("token") != true)
            }
            #expect(records.first?.head.kind == .session)
        }
    }

    /// Writes entries; each writer that opens the journal finds it empty.
    private static func write(_ entries: [(CaptureRecord.Head.Kind, ProviderReplies)], to path: String) throws {
        var folder = CaptureFolder(path: path, bounds: .init(records: 1_000, bytes: 1 << 20))
        let wall = Instant(milliseconds: 1_700_000_000_000)
        let empty = WriterState(
            match: Scorebook.match,
            revision: Revision(epoch: MatchWriter.randomEpoch(), number: 0),
            gate: Gate(),
            replica: MatchReplica(),
            waits: ConfirmationWaits(ServiceClock()),
            clock: ServiceClock(),
            now: .zero
        )
        let opening = CaptureEvent(
            match: Scorebook.match,
            feed: feed,
            at: .zero,
            wall: wall,
            kind: .opened,
            stateBefore: empty
        )
        for (number, (kind, parts)) in entries.enumerated() {
            if kind == .opened, let state = CaptureRecord(stateBefore: opening, clean: { $0 }) {
                let bytes = state.placed(run: 0, number: Int64(number)).encoded()
                try folder.append(try #require(bytes), isBasis: true, now: .zero)
            }
            var head = CaptureRecord.Head(kind: kind, feed: feed, wall: wall.milliseconds)
            head.number = Int64(number)
            head.match = Scorebook.match
            head.provider = source.provider
            head.sourceFeed = source.feed
            head.isWhole = parts.parts.count > 1
            let record = CaptureRecord(head, parts: parts)
            try folder.append(try #require(record.encoded()), now: .zero)
        }
        folder.close()
    }

    @Test func unreadableEntriesAreSkippedAndReported() throws {
        let path = Self.folder()
        defer { try? FileManager.default.removeItem(atPath: path) }
        let words = ProviderReplies(["words": Array("words".utf8)])
        func balls(_ count: Int) -> ProviderReplies { ProviderReplies(["balls": Array("\(count)".utf8)]) }
        var whole = balls(5)
        whole[.match] = Array("Lord's".utf8)
        try Self.write(
            [
                // The middle of a match; then a new writer, while its poller still holds the frame.
                (.reply, balls(2)), (.tick, ProviderReplies()), (.opened, ProviderReplies()), (.reply, balls(3)),
                (.reply, balls(4)),
                // All parts, without the tables of the session.
                (.opened, ProviderReplies()), (.reply, whole),
                (.session, words), (.opened, ProviderReplies()), (.reply, whole), (.reply, balls(6)),
            ],
            to: path
        )
        var replayed: [ReplayedEntry] = []
        let replay = CaptureReplay { $0 == .roanuz ? PartsAdapter() : nil }
        try replay.play(path) { replayed.append($0) }
        #expect(replayed.count { if case .inserted = $0.change { true } else { false } } == 6)
        #expect(replay.skipped.map(\.entries) == [2, 1, 1, 1])
        let reported = replay.skipped.map(\.description)
        #expect(reported[0].hasPrefix("Skipped 2 captured entries about mi-csk: the state of the match"))
        #expect(reported[1].contains("parts that were not requested again"))
        #expect(reported[3].contains("the tables of feed test are not among the captures"))
    }

    @Test func repliesOfOldMatchesAreForgottenByTheirBytes() {
        let large = [UInt8](repeating: 32, count: IngestLimits.captureBasisBytesMax / 4)
        func record(_ kind: CaptureRecord.Head.Kind, _ number: Int) -> CaptureRecord {
            var head = CaptureRecord.Head(kind: kind, feed: Self.feed, wall: 0)
            head.match = MatchID(unchecked: "m\(number)")
            head.isWhole = true
            return CaptureRecord(head, parts: kind == .reply ? ProviderReplies([.match: large]) : ProviderReplies())
        }
        var basis = CaptureBasis()
        for number in 1...6 { basis.take(record(.reply, number)) }
        // The same body again needs no more space.
        basis.take(record(.reply, 6))
        let known = (1...6).filter { number in
            basis.entries(before: record(.tick, number)) { record(.state, number) }
                .contains { $0.head.kind == .parts }
        }
        #expect(known == [3, 4, 5, 6])
    }
}
