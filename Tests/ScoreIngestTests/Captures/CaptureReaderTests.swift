// Operators read captures by feed, match and time; their texts are bounded, and a wrong id finds nothing.

import Foundation
import MatchEngine
import ScoreTypes
import Testing

@testable import MatchJournal
@testable import Providers
@testable import ScoreIngest

@Suite struct CaptureReaderTests {
    private static let feed = FeedID(unchecked: "main")

    /// A folder with two files of a feed.
    private struct Folder {
        let path = FileManager.default.temporaryDirectory.appending(path: "reader-\(UUID().uuidString)").path

        func write(_ file: Int, _ records: [CaptureRecord]) throws {
            let folder = "\(path)/\(feed)"
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            let bytes = try records.flatMap { try #require($0.encoded()) }
            let name = String(format: "%012d.capture", file)
            try Data(bytes).write(to: URL(filePath: "\(folder)/\(name)"))
        }
    }

    private static func record(
        _ kind: CaptureRecord.Head.Kind = .reply,
        match: String = "m1",
        at wall: Int64,
        body: String = "{}"
    ) -> CaptureRecord {
        var head = CaptureRecord.Head(kind: kind, feed: feed, wall: wall)
        head.match = MatchID(unchecked: match)
        return CaptureRecord(head, parts: ProviderReplies(["match": Array(body.utf8)]))
    }

    @Test func theNewestEntriesAreFirstAndAreFoundByMatchAndTime() throws {
        let folder = Folder()
        defer { try? FileManager.default.removeItem(atPath: folder.path) }
        try folder.write(9, [Self.record(.state, at: 1), Self.record(at: 1_000), Self.record(match: "m2", at: 2_000)])
        try folder.write(10, [Self.record(.parts, at: 3), Self.record(.tick, at: 4), Self.record(at: 3_000)])
        let reader = CaptureReader(directory: folder.path)
        #expect(reader.captures(of: Self.feed, limit: 10).map(\.id) == ["10-3", "9-3", "9-2"])
        #expect(reader.captures(of: Self.feed, limit: 2).map(\.at.milliseconds) == [3_000, 2_000])
        let own = reader.captures(of: Self.feed, about: MatchID(unchecked: "m1"), limit: 10)
        #expect(own.map(\.id) == ["10-3", "9-2"])
        let then = reader.captures(of: Self.feed, at: Instant(milliseconds: 1_000), limit: 10)
        #expect(then.map(\.id) == ["9-2"] && then[0].bodies.map(\.byteCount) == [2] && then[0].bodies[0].text == "")
        #expect(reader.captures(of: FeedID(unchecked: "other"), limit: 10) == [])
    }

    @Test func anEntryHasItsTextsUpToTheLimit() throws {
        let folder = Folder()
        defer { try? FileManager.default.removeItem(atPath: folder.path) }
        let long = String(repeating: "x", count: IngestLimits.shownCaptureBytes + 1)
        try folder.write(1, [Self.record(at: 1, body: "{\"a\":1}"), Self.record(at: 2, body: long)])
        let reader = CaptureReader(directory: folder.path)
        let short = try #require(reader.capture("1-1", of: Self.feed))
        #expect(short.bodies.map(\.text) == ["{\"a\":1}"] && !short.bodies[0].isCut && short.kind == "reply")
        let cut = try #require(reader.capture("1-2", of: Self.feed))
        #expect(cut.bodies[0].text.utf8.count == IngestLimits.shownCaptureBytes && cut.bodies[0].isCut)
        #expect(cut.bodies[0].byteCount == IngestLimits.shownCaptureBytes + 1)
        for id in ["", "1", "1-", "1-0", "1-3", "2-1", "-1", "1-1-1", "../1-1", "1-99999999999999999999"] {
            #expect(reader.capture(id, of: Self.feed) == nil, "\(id)")
        }
    }
}
