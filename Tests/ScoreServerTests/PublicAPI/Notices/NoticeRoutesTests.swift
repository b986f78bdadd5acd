// Webhooks need the secret of their feed, and repeated or old bodies have no effect.

import MatchJournal
import Providers
import ScoreIngest
import ScoreTypes
import Synchronization
import Testing

@testable import ScoreServer

@Suite struct NoticeRoutesTests {
    private static let path = "/v1/feeds/main/notices"
    private static let secret = ["rs-api-key": "the-webhook-secret"]

    private static func stubs(_ bodies: @escaping @Sendable ([UInt8]) -> Void = { _ in }) -> TestDependencies {
        var stubs = TestDependencies()
        stubs.notices.secrets = [FeedID(unchecked: "main"): "the-webhook-secret"]
        stubs.notices.onTake = { body, _ in
            bodies(body)
            return .taken
        }
        return stubs
    }

    @Test func aNoticeWithTheSecretIsAccepted() async throws {
        let bodies = Mutex<[[UInt8]]>([])
        try await withServer(Self.stubs { body in bodies.withLock { $0.append(body) } }) { server in
            let answer = try await server.publicClient.send("POST", Self.path, Self.secret, json: #"{"a":1}"#)
            #expect(answer.status == 202 && answer.text == #"{"outcome":"taken"}"#)
            var gzip = Self.secret
            gzip["Content-Type"] = "application/gzip"
            let packed = try await server.publicClient.send("POST", Self.path, gzip, body: [0x1f, 0x8b, 0x00])
            #expect(packed.status == 202)
            #expect(bodies.withLock { $0 } == [Array(#"{"a":1}"#.utf8), [0x1f, 0x8b, 0x00]])
        }
    }

    @Test("C16: wrong secrets are limited by a quota of their own, and never refuse the right one")
    func aWrongSecretIsRefusedAndRateLimited() async throws {
        var stubs = Self.stubs()
        stubs.limits = RateLimits([
            .noticeLogin: Quota(count: 4, per: .seconds(3_600)), .deviceLogin: Quota(count: 1, per: .seconds(3_600)),
        ])
        try await withServer(stubs) { server in
            let client = server.publicClient
            for headers in [[:], ["rs-api-key": ""], ["rs-api-key": "the-webhook-secre"], ["rs-api-key": "x"]] {
                let answer = try await client.send("POST", Self.path, headers, json: "{}")
                #expect(answer.status == 401)
            }
            let spent = try await client.send("POST", Self.path, ["rs-api-key": "x"], json: "{}")
            #expect(spent.status == 429 && spent.json["violatedPolicies"]?.list == [.text("notice.login")])
            #expect(try await client.send("POST", Self.path, Self.secret, json: "{}").status == 202)
            #expect(try await client.send("POST", "/v1/feeds/other/notices", Self.secret, json: "{}").status == 404)
            #expect(try await client.send("POST", "\(Self.path)?secret=x", Self.secret, json: "{}").status == 400)
        }
    }

    @Test func noticeBodiesRequireATypeAndALimitedSize() async throws {
        try await withServer(Self.stubs()) { server in
            let large = String(repeating: "x", count: ServerLimits.noticeBodyBytes)
            let answer = try await server.publicClient.send("POST", Self.path, Self.secret, json: "\"\(large)\"")
            #expect(answer.status == 413)
            var text = Self.secret
            text["Content-Type"] = "text/plain"
            #expect(try await server.publicClient.send("POST", Self.path, text, body: [1]).status == 415)
        }
    }
}

@Suite struct NoticeHistoryTests {
    private static let feed = FeedID(unchecked: "main")
    private static let now = Instant(milliseconds: 1_800_000_000_000)

    private func judge(_ history: NoticeHistory, _ body: String, _ sentAt: Int64? = nil) -> NoticeOutcome? {
        history.take(Array(body.utf8), sentAt: sentAt, feed: Self.feed, now: Self.now)
    }

    @Test func aRepeatedBodyCountsOnce() {
        let history = NoticeHistory()
        #expect(judge(history, "a") == nil)
        #expect(judge(history, "b") == nil)
        #expect(judge(history, "a") == .repeated)
        let other = history.take(Array("a".utf8), sentAt: nil, feed: FeedID(unchecked: "two"), now: Self.now)
        #expect(other == nil)
    }

    @Test func theOldestBodiesAreForgotten() {
        let history = NoticeHistory()
        let count = ServerLimits.noticeDigests
        for number in 0..<2 * count { #expect(judge(history, "\(number)") == nil) }
        for number in [count, 2 * count - 1] { #expect(judge(history, "\(number)") == .repeated) }
        #expect(judge(history, "more") == nil)
        #expect(judge(history, "0") == nil)
    }

    @Test func aForgottenBodyCountsAsNew() {
        let history = NoticeHistory()
        for body in ["a", "b"] { #expect(judge(history, body) == nil) }
        history.forget(Array("a".utf8), feed: Self.feed)
        #expect(judge(history, "a") == nil)
        #expect(judge(history, "a") == .repeated && judge(history, "b") == .repeated)
    }

    @Test func lateBodiesAreDetectedByTheProvidersClock() {
        let history = NoticeHistory()
        // The clock is an hour slow; only its order counts.
        let slow = Self.now.seconds - 3_600
        #expect(judge(history, "a", slow) == nil)
        #expect(judge(history, "b", slow + 1) == nil)
        #expect(judge(history, "c", slow - 300) == nil)
        #expect(judge(history, "d", slow - 301) == .late)
    }

    /// Minutes, hours or a year ahead, also as the first one.
    @Test(
        "F18: one notice from the future does not make later ones late",
        arguments: [600, 3_600, 86_399, 31_536_000] as [Int64]
    )
    func oneNoticeFromTheFutureSilencesNone(ahead: Int64) {
        let history = NoticeHistory()
        #expect(judge(history, "first", Self.now.seconds + ahead) == nil)
        #expect(judge(history, "a", Self.now.seconds) == nil)
        #expect(judge(history, "b", Self.now.seconds + 1) == nil)
        let other = NoticeHistory()
        #expect(judge(other, "a", Self.now.seconds) == nil)
        #expect(judge(other, "future", Self.now.seconds + ahead) == nil)
        for second in 1...20 as ClosedRange<Int64> {
            #expect(judge(other, "\(second)", Self.now.seconds + second) == nil)
        }
        #expect(judge(other, "far", .max) == nil)
    }
}
