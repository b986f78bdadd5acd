// A season of faults, captured and replayed: the journal is equal byte by byte.

import Foundation
import JournalSamples
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

@Suite(.timeLimit(.minutes(2))) struct CaptureReplayTests {
    private static let feed = FeedID(unchecked: "main")
    private static let match = MatchID(unchecked: "m1")

    /// The match as a feed sends it, changed at random as feeds change it.
    private struct Course {
        var generator: SplitMix64
        var balls: [String] = []
        var state = "live"

        mutating func move() {
            let names = ["A One", "B Two", "C Three", "D Four", "E Five", "F Six", "G Seven", "H Eight"]
            switch Int.random(in: 0..<10, using: &generator) {
            case 0 where balls.count > 2: balls[balls.count - 1] = CricsheetSample.ball(6)
            case 1 where balls.count > 8: balls.removeLast(5)
            case 2: state = state == "live" ? "rain" : "live"
            case 3:
                let out = names[balls.count % names.count]
                let more = #","wickets":[{"player_out":"\#(out)","kind":"bowled"}]"#
                balls.append(CricsheetSample.ball(0, batter: out, nonStriker: "Z Last", more: more))
            default:
                let runs = Int.random(in: 0...4, using: &generator)
                balls.append(CricsheetSample.ball(runs, batter: names[balls.count % names.count], nonStriker: "Z Last"))
            }
        }

        var document: [UInt8] {
            let overs = stride(from: 0, to: balls.count, by: 6).map { Array(balls[$0..<min($0 + 6, balls.count)]) }
            return CricsheetSample.document(
                innings: [CricsheetSample.innings(overs: overs)],
                live: #"{"state":"\#(state)"}"#
            )
        }
    }

    private struct Setup {
        let bench: JournalBench
        let clock = ManualClock()
        let captures: CaptureStore

        func writer() -> MatchWriter {
            MatchWriter(
                match: match,
                feed: feed,
                journal: bench.journal,
                fence: { JournalBench.fence },
                clock: clock.clock(),
                record: { [captures] event in captures.take(event) }
            )
        }

        func reply(_ document: [UInt8]) throws -> SeenReply {
            let parts = ProviderReplies([.match: document])
            return SeenReply(
                try CricsheetAdapter().snapshot(parts, ProviderSession()),
                seenAt: clock.clock().wall,
                source: JournalSource(.cricsheet, feed),
                raw: RawReply(id: ProviderMatchID(unchecked: "m1"), parts: parts.bodies, isWhole: true)
            )
        }
    }

    @Test(arguments: [1, 2, 3]) func theSameRepliesReplayTheSameJournal(seed: UInt64) async throws {
        let path = FileManager.default.temporaryDirectory.appending(path: "replay-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        let bench = try await JournalBench()
        let captures = CaptureStore(directory: path, credentials: [:], clock: ServiceClock())
        let run = Task { await captures.run() }
        defer { run.cancel() }
        let setup = Setup(bench: bench, captures: captures)
        var course = Course(generator: SplitMix64(seed: seed))
        var writer = setup.writer()
        try await writer.announce(Self.fixture, source: JournalSource(.cricsheet, Self.feed))
        for step in 0..<250 {
            switch Int.random(in: 0..<12, using: &course.generator) {
            case 0:
                try await writer.unchanged(
                    seenAt: setup.clock.clock().wall,
                    source: JournalSource(.cricsheet, Self.feed)
                )
            case 1: setup.clock.advance(by: .seconds(Int.random(in: 1...90, using: &course.generator)))
            case 2: writer = setup.writer()
            case 3: try await Self.override(setup, writer, step)
            default:
                if Bool.random(using: &course.generator) { course.move() }
                _ = try await writer.accept(try setup.reply(course.document))
            }
            setup.clock.advance(by: .milliseconds(Int.random(in: 500...8_000, using: &course.generator)))
            _ = try await writer.tick()
        }
        await captures.drain()
        var replayed: [ReplayedEntry] = []
        let replay = CaptureReplay { $0 == .cricsheet ? CricsheetAdapter() : nil }
        try replay.play(path) { replayed.append($0) }
        let stored = try await Self.journal(bench)
        #expect(stored.count > 90, "seed \(seed)")
        #expect(replayed.map(\.revision) == stored.map(\.entry.revision))
        for (mine, theirs) in zip(replayed, stored) {
            let body = try ChangeCoding.canonical(theirs.entry.change)
            guard mine.body == body, mine.source == theirs.source else {
                Issue.record("seed \(seed), revision \(mine.revision): \(mine.change) and \(theirs.entry.change)")
                break
            }
        }
    }

    @Test func aFolderWithoutCapturesIsAnError() {
        let replay = CaptureReplay { _ in nil }
        #expect(throws: CaptureReplay.Failure.self) { try replay.play("/nonexistent") { _ in } }
    }

    private static let fixture = Fixture(
        id: ProviderMatchID(unchecked: "m1"),
        startsAt: 1_800_000_000,
        status: .scheduled,
        teams: [TeamInfo(id: "Reds", name: "Reds"), TeamInfo(id: "Blues", name: "Blues")],
        format: .t20
    )

    private static func override(_ setup: Setup, _ writer: MatchWriter, _ step: Int) async throws {
        let override = MatchOverride(
            value: .status(step.isMultiple(of: 2) ? .badLight : .lunch, note: "step \(step)"),
            expiresAt: setup.clock.clock().wall + .seconds(40),
            actor: "token:ann",
            reason: "because"
        )
        try await setup.bench.journal.set(override, of: match)
        try await writer.steer()
    }

    private static func journal(_ bench: JournalBench) async throws -> [JournalStatement] {
        var all: [JournalStatement] = []
        while true {
            let page = try await bench.journal.statements(of: match, after: all.last?.entry.revision ?? 0)
            if page.isEmpty { return all }
            all += page
        }
    }
}
