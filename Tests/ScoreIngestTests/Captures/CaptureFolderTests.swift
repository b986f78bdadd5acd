// Captures keep their limits, contain no secret, and never fail for a damaged file or a full disk.

import Foundation
import ScoreTypes
import Testing

@testable import CurlTransfer
@testable import MatchJournal
@testable import Providers
@testable import ScoreIngest

@Suite struct CaptureFolderTests {
    private static let feed = FeedID(unchecked: "main")

    private static func folder() -> String {
        FileManager.default.temporaryDirectory.appending(path: "captures-\(UUID().uuidString)").path
    }

    private static func record(_ number: Int64, body: String = "") -> CaptureRecord {
        var head = CaptureRecord.Head(kind: .reply, feed: feed, wall: 1_700_000_000_000)
        head.number = number
        return CaptureRecord(head, parts: ProviderReplies(body.isEmpty ? [:] : ["match": Array(body.utf8)]))
    }

    private static func captures(in path: String) -> CaptureStore {
        let credentials = ProviderCredentials(key: Secret("key-abcdef"), secret: Secret("sssecret"))
        return CaptureStore(directory: path, credentials: [feed: credentials], clock: ServiceClock())
    }

    private static func read(_ path: String) -> [CaptureRecord] {
        Array(CaptureSequence([CaptureFolder.files(in: path)]))
    }

    /// The entries of a file of these bytes.
    private static func read(_ bytes: [UInt8]) throws -> [CaptureRecord] {
        let path = folder()
        defer { try? FileManager.default.removeItem(atPath: path) }
        try Data(bytes).write(to: URL(fileURLWithPath: path))
        return Array(CaptureSequence([[path]]))
    }

    @Test func entriesAreReadBackUnchanged() throws {
        let records = [Self.record(1, body: "{\"a\":\"\n\"}"), Self.record(2), Self.record(3, body: "ü\0")]
        let bytes = try records.flatMap { try #require($0.encoded()) }
        let back = try Self.read(bytes)
        #expect(back.map(\.head.number) == [1, 2, 3])
        #expect(back.map(\.replies) == records.map(\.replies))
        // A file that is cut off in the middle of an entry, or overwritten, ends before that entry.
        for cut in [1, 40, 200] { #expect(try Self.read(Array(bytes.dropLast(cut))).count < 3) }
        #expect(try Self.read(Array("{}\n".utf8)).isEmpty)
        #expect(try Self.read(Array(repeating: 0x0a, count: 10_000)).isEmpty)
        #expect(try Self.read([]).isEmpty && CaptureFile("/nonexistent") == nil)
        // Nor does a line without an end use more than the limit of a line.
        let endless = bytes + [UInt8](repeating: 32, count: 4 * IngestLimits.captureLineMax)
        #expect(try Self.read(endless).count == 3)
    }

    @Test func bodiesOfAnySizeAreReadOrSkipped() throws {
        let path = Self.folder()
        defer { try? FileManager.default.removeItem(atPath: path) }
        var generator = SplitMix64(seed: 3)
        // From a few bytes to several times the read buffer, and none at all.
        let sizes = [0, 1, 60_000, 64 * 1024, 70_000, 0, 300_000, 5]
        let records = sizes.enumerated().map { number, size in
            let noise = (0..<size).map { _ in UInt8.random(in: 33...126, using: &generator) }
            return Self.record(Int64(number), body: String(decoding: noise, as: UTF8.self))
        }
        var bytes = try records.flatMap { try #require($0.encoded()) }
        #expect(try Self.read(bytes).map(\.replies) == records.map(\.replies))
        try Data(bytes).write(to: URL(fileURLWithPath: path))
        var file = try #require(CaptureFile(path))
        #expect(file.size == bytes.count)
        for record in records {
            // One is read, the next is skipped.
            let isRead = record.head.number.isMultiple(of: 2)
            #expect((isRead ? file.next()?.head.number : file.skip()?.number) == record.head.number)
        }
        #expect(file.next() == nil && file.skip() == nil)
        // A damaged body is skipped unread: counting needs no decoding.
        let first = try #require(records[0].encoded()).count + (try #require(records[1].encoded()).count)
        let line = try #require(bytes[first...].firstIndex(of: UInt8(ascii: "\n")))
        for index in line + 1..<line + 5_000 { bytes[index] = 0 }
        try Data(bytes).write(to: URL(fileURLWithPath: path))
        file = try #require(CaptureFile(path))
        var count = 0
        while file.skip() != nil { count += 1 }
        #expect(count == records.count)
        #expect(try Self.read(bytes).map(\.head.number) == [0, 1])
    }

    @Test func entriesOfSeveralFeedsAreReadInCaptureOrder() throws {
        let path = Self.folder()
        defer { try? FileManager.default.removeItem(atPath: path) }
        var folders = [0, 1, 2].map { feed in
            CaptureFolder(path: "\(path)/\(feed)", bounds: .init(records: 80, bytes: 1_000_000))
        }
        for number in 1...60 {
            let feed = number % 7 % 3
            // A basis has the position of the entry after it, and stays in front of it.
            if number.isMultiple(of: 5) {
                let basis = try #require(Self.record(Int64(number), body: "basis").encoded())
                try folders[feed].append(basis, isBasis: true, now: .zero)
            }
            try folders[feed].append(try #require(Self.record(Int64(number)).encoded()), now: .zero)
        }
        for index in folders.indices { folders[index].close() }
        let files = folders.indices.map { CaptureFolder.files(in: "\(path)/\($0)") }
        #expect(files.allSatisfy { $0.count > 1 })
        let reported = CaptureSequence(files).map { ($0.head.number, $0.payload.isEmpty) }
        let expected = (1...60).flatMap { number -> [(Int64, Bool)] in
            (number.isMultiple(of: 5) ? [(Int64(number), false)] : []) + [(Int64(number), true)]
        }
        #expect(reported.elementsEqual(expected) { $0 == $1 })
    }

    @Test func theOldestEntriesAreDeletedAboveTheLimit() throws {
        let path = Self.folder()
        defer { try? FileManager.default.removeItem(atPath: path) }
        var folder = CaptureFolder(path: path, bounds: .init(records: 80, bytes: 1_000_000))
        for number in 1...500 {
            try folder.append(try #require(Self.record(Int64(number)).encoded()), now: .zero)
        }
        folder.close()
        let kept = Self.read(path)
        #expect(kept.count <= 80 && kept.count > 60)
        #expect(kept.last?.head.number == 500)
        // The next process continues after the last entry, within the same limits.
        var next = CaptureFolder(path: path, bounds: .init(records: 80, bytes: 1_000_000))
        for number in 501...520 {
            try next.append(try #require(Self.record(Int64(number)).encoded()), now: .zero)
        }
        #expect(Self.read(path).last?.head.number == 520 && Self.read(path).count <= 80)
    }

    @Test func theBytesOfCapturesAreBounded() throws {
        let path = Self.folder()
        defer { try? FileManager.default.removeItem(atPath: path) }
        var folder = CaptureFolder(path: path, bounds: .init(records: 1_000_000, bytes: 400_000))
        var generator = SplitMix64(seed: 1)
        for number in 1...200 {
            let noise = (0..<10_000).map { _ in String(UInt8.random(in: 0...255, using: &generator)) }.joined()
            try folder.append(try #require(Self.record(Int64(number), body: noise).encoded()), now: .zero)
        }
        let sizes = CaptureFolder.files(in: path).map { FileManager.default.contents(atPath: $0)?.count ?? 0 }
        #expect(sizes.reduce(0, +) <= 400_000 && sizes.reduce(0, +) > 200_000)
        #expect(throws: CaptureFolder.Refusal.tooLarge) {
            try folder.append([UInt8](repeating: 0, count: 60_000), now: .zero)
        }
    }

    @Test("H9: a disk that refuses writes drops captures and pauses the writes")
    func aFullDiskDropsCapturesAndPausesWrites() throws {
        // Nothing can be created below a file: the same as a full disk.
        var folder = CaptureFolder(path: "/dev/null/captures", bounds: .init(records: 100, bytes: 1_000_000))
        let bytes = try #require(Self.record(1).encoded())
        #expect(throws: CaptureFolder.Refusal.disk) { try folder.append(bytes, now: .zero) }
        #expect(throws: CaptureFolder.Refusal.paused) { try folder.append(bytes, now: .seconds(4)) }
        #expect(throws: CaptureFolder.Refusal.disk) { try folder.append(bytes, now: .seconds(6)) }
    }

    @Test("S38: captures contain no secret")
    func capturesContainNoSecret() async throws {
        let path = Self.folder()
        defer { try? FileManager.default.removeItem(atPath: path) }
        let captures = Self.captures(in: path)
        let task = Task { await captures.run() }
        defer { task.cancel() }
        let source = JournalSource(.roanuz, Self.feed)
        let session = ProviderSession(
            token: Secret("token-123456"),
            tables: ProviderReplies(["auth": Array(#"{"token":"token-123456","table":1}"#.utf8)])
        )
        captures.take(FeedCapture(feed: Self.feed, wall: Instant(milliseconds: 1), kind: .session(source, session)))
        let body = #"{"echo":"key-abcdef","other":"key-abcde","twice":"sssecretsssecret","t":"token-123456"}"#
        captures.take(
            FeedCapture(
                feed: Self.feed,
                wall: Instant(milliseconds: 2),
                kind: .unreadable(
                    nil,
                    ProviderReplies(["match": Array(body.utf8)]),
                    reason: "status: the provider refused: no plan for key-abcdef with token-123456"
                )
            )
        )
        await captures.drain()
        let kept = Self.read("\(path)/main")
        #expect(kept.count == 2)
        for record in kept {
            let text = String(decoding: record.payload, as: UTF8.self) + (record.head.reason ?? "")
            for secret in ["key-abcdef", "sssecret", "token-123456"] { #expect(!text.contains(secret), "\(text)") }
        }
        #expect(String(decoding: kept[1].payload, as: UTF8.self).contains("\"other\":\"key-abcde\""))
    }

    @Test("S38: credentials are redacted whatever the number of tokens")
    func credentialsAreRedactedAfterManyTokens() async throws {
        let path = Self.folder()
        defer { try? FileManager.default.removeItem(atPath: path) }
        let captures = Self.captures(in: path)
        let task = Task { await captures.run() }
        defer { task.cancel() }
        let source = JournalSource(.roanuz, Self.feed)
        for number in 10..<30 {
            let session = ProviderSession(token: Secret("token-of-\(number)"))
            captures.take(FeedCapture(feed: Self.feed, wall: Instant(milliseconds: 1), kind: .session(source, session)))
        }
        let body = Array("key-abcdef sssecret token-of-29 token-of-22 end".utf8)
        let kind = FeedCapture.Kind.unreadable(nil, ProviderReplies(["match": body]), reason: "body")
        captures.take(FeedCapture(feed: Self.feed, wall: Instant(milliseconds: 2), kind: kind))
        await captures.drain()
        let payload = try #require(Self.read("\(path)/main").last?.payload)
        #expect(String(decoding: payload, as: UTF8.self) == "---------- -------- ----------- ----------- end")
    }

    @Test func unpackedBodiesAreBounded() throws {
        let packed = try #require(Compression.pack([UInt8](repeating: 7, count: 1_000_000)))
        #expect(packed.count < 10_000)
        #expect(try Compression.unpack(packed, limit: 1_000_000).count == 1_000_000)
        #expect(throws: Compression.Failure.tooLarge) { try Compression.unpack(packed, limit: 999_999) }
        #expect(throws: Compression.Failure.malformed) {
            try Compression.unpack(Array(packed.dropLast(9)), limit: .max)
        }
        #expect(throws: Compression.Failure.malformed) { try Compression.unpack(Array("{}".utf8), limit: .max) }
        #expect(throws: Compression.Failure.malformed) { try Compression.unpack([], limit: .max) }
    }
}
