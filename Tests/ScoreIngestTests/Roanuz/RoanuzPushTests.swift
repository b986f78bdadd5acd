// Bodies of the webhook: small notices, whole matches in gzip, and bodies that only look like them.

import Foundation
import MatchEngine
import ScoreTypes
import TestSupport
import Testing

@testable import CurlTransfer
@testable import MatchJournal
@testable import Providers
@testable import ScoreIngest

@Suite struct RoanuzPushTests {
    private func notice(_ json: String) throws -> ProviderNotice {
        guard case .notice(let notice) = try RoanuzPush.read(Array(json.utf8)) else {
            throw AdapterError.missing(path: "notice")
        }
        return notice
    }

    private static let small = #"""
        {"sport":"cricket","data_kind":"match-entry-update","data":{"matchkey":"m1","ball":{"ball_key":1049280,
        "over":1,"batting_order":2,"is_delete":true},"push_reason":"Update","match_push_kind":"Ball","ts":1234567890}}
        """#

    @Test func aNoticeContainsItsBall() throws {
        let notice = try notice(Self.small)
        #expect(notice.match.text == "m1")
        #expect(notice.ball == ProviderNotice.Ball(innings: 2, over: 1))
        #expect(notice.sentAt == 1_234_567_890)
    }

    @Test(.needsRecordedMatches) func theRecordedNoticesAreRead() throws {
        let body = try RecordedData.bytes("feeds/roanuz/v5_webhook_notifications.json")
        let list = try JSONSerialization.jsonObject(with: Data(body))
        let notices = try #require(list as? [[String: Any]]).map { entry in
            try notice(String(decoding: JSONSerialization.data(withJSONObject: entry), as: UTF8.self))
        }
        #expect(notices.map { $0.ball != nil } == [false, true, false, false])
        #expect(notices[1].ball == ProviderNotice.Ball(innings: 2, over: 1))
    }

    @Test(arguments: [
        (#""matchkey":"m1""#, #""matchkey":"m 1""#, "data.matchkey"),
        (#""matchkey":"m1","#, "", "data.matchkey"),
        (#""ball_key":1049280"#, #""ball_key":-1"#, "data.ball.ball_key"),
        (#""ball_key":1049280"#, #""ball_key":1e300"#, "data.ball.ball_key"),
        (#""batting_order":2"#, #""batting_order":1"#, "data.ball.batting_order"),
        (#""over":1"#, #""over":-1"#, "data.ball.over"),
    ])
    func aMalformedNoticeIsRefused(part: String, other: String, path: String) throws {
        let error = #expect(throws: AdapterError.self) { try notice(Self.small.replacing(part, with: other)) }
        #expect(error?.path == path)
    }

    /// The body is the content of the Match API, with its kind at its end.
    @Test(arguments: [#","data_kind":"match"}"#, "}"]) func aGzipSnapshotIsTheMatch(end: String) throws {
        let whole = String(decoding: RoanuzSample.match(), as: UTF8.self)
        let json = Array(whole.replacing(#","data_kind":"match"}"#, with: end).utf8)
        for body in [json, StoredGzip.pack(json)] {
            guard case .replies(let id, let replies) = try RoanuzPush.read(body) else {
                Issue.record("no replies")
                continue
            }
            #expect(id.text == "m1")
            #expect(replies[.match] == json)
        }
    }

    @Test func brokenAndHugeGzipIsRefused() {
        let whole = StoredGzip.pack(RoanuzSample.match())
        for count in stride(from: 0, to: whole.count, by: 7) {
            #expect(throws: AdapterError.self) { try RoanuzPush.read(Array(whole.prefix(count))) }
        }
        var damaged = whole
        damaged[30] ^= 0xff
        #expect(throws: AdapterError.self) { try RoanuzPush.read(damaged) }
        let huge = StoredGzip.pack([UInt8](repeating: 0x20, count: TransferLimits.bodyBytes + 1))
        let error = #expect(throws: AdapterError.self) { try RoanuzPush.read(huge) }
        #expect(error == .tooLarge(limit: TransferLimits.bodyBytes))
    }

    @Test(arguments: ["", "null", "[]", "{}", "\u{1f}\u{8b}", #"{"data_kind":"x"}"#, #"{"data_kind":"x","data":{}}"#])
    func otherBodiesAreRefused(text: String) {
        #expect(throws: AdapterError.self) { try RoanuzPush.read(Array(text.utf8)) }
    }
}

/// Packs gzip without compression, without a library.
enum StoredGzip {
    static func pack(_ body: [UInt8]) -> [UInt8] {
        var packed: [UInt8] = [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255]
        var start = 0
        repeat {
            let count = min(65_535, body.count - start)
            packed.append(start + count == body.count ? 1 : 0)
            packed += [UInt8(count & 255), UInt8(count >> 8), UInt8(~count & 255), UInt8(~count >> 8 & 255)]
            packed += body[start..<start + count]
            start += count
        } while start < body.count
        for number in [checksum(body), UInt32(truncatingIfNeeded: body.count)] {
            packed += (0..<4).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
        }
        return packed
    }

    private static let table: [UInt32] = (0..<256).map { entry in
        (0..<8).reduce(UInt32(entry)) { value, _ in value & 1 == 1 ? 0xedb8_8320 ^ value >> 1 : value >> 1 }
    }

    private static func checksum(_ body: [UInt8]) -> UInt32 {
        ~body.reduce(~UInt32(0)) { table[Int(($0 ^ UInt32($1)) & 255)] ^ $0 >> 8 }
    }
}

extension String {
    /// The text with the first occurrence of a part replaced.
    func replacing(_ part: String, with other: String) -> String {
        guard let range = firstRange(of: part) else { return self }
        return String(self[..<range.lowerBound]) + other + String(self[range.upperBound...])
    }
}
