// The table of scores is read at opening, but a feed without it still reads its common balls.

import MatchEngine
import ScoreTypes
import Synchronization
import TestSupport
import Testing

@testable import CurlTransfer
@testable import MatchJournal
@testable import Providers
@testable import ScoreIngest

private typealias Sample = SportmonksSample

@Suite(.timeLimit(.minutes(1))) struct SportmonksOpeningTests {
    private static func session(_ table: [UInt8]?) throws -> ProviderSession {
        let replies = ProviderReplies(table.map { [.scores: $0] } ?? [:])
        let credentials = ProviderCredentials(key: Secret("t"))
        return try SportmonksAdapter().session(replies, credentials, at: Instant(milliseconds: 0))
    }

    @Test(
        "without a readable table the observed scores are used and reported",
        arguments: [
            nil, "<html>", #"{"data":"soon"}"#, #"{"data":null}"#,
        ]
    )
    func theObservedScoresAreUsed(table: String?) throws {
        let session = try Self.session(table.map { Array($0.utf8) })
        #expect(session.token?.text == "t" && session.doubts.count == 1)
        let body = Sample.fixture(balls: [Sample.ball(1, score: 69), Sample.ball(2, score: 54)])
        let balls = try SportmonksAdapter().snapshot(ProviderReplies([.match: body]), session).deliveries
        #expect(balls.map(\.runs.bat) == [1, 0] && balls[1].dismissals.count == 1)
        let strange = ProviderReplies([.match: Sample.fixture(balls: [Sample.ball(1, score: 999)])])
        #expect(throws: AdapterError.unknownWord(path: "data.balls[0].score_id", word: "999")) {
            try SportmonksAdapter().snapshot(strange, session)
        }
    }

    @Test("a refused token opens nothing")
    func aRefusedTokenOpensNothing() {
        let error = #expect(throws: AdapterError.self) {
            try Self.session(Array(#"{"message":"Unauthenticated."}"#.utf8))
        }
        #expect(error == .refused(path: "scores:error", reason: "Unauthenticated."))
    }

    @Test("an unreadable row is left out and reported")
    func anUnreadableRowIsLeftOut() throws {
        let rows = [Sample.score(300, "2 Runs", #""runs":2"#), #"{"id":301,"name":null}"#]
        let session = try Self.session(Array(#"{"data":[\#(rows.joined(separator: ","))]}"#.utf8))
        #expect(session.doubts == [.missing(path: "scores:data[1].name")])
        let body = Sample.fixture(balls: [Sample.ball(1, score: 300)])
        let balls = try SportmonksAdapter().snapshot(ProviderReplies([.match: body]), session).deliveries
        #expect(balls.map(\.runs.bat) == [2])
    }

    /// Serves one live match whose ball has a score; `table` is the answer to `/scores`.
    private static func server(
        score: @escaping @Sendable () -> Int,
        table: @escaping @Sendable () -> [UInt8]
    ) throws -> ScriptedServer {
        let list = String(decoding: Sample.fixture(), as: UTF8.self).dropFirst(#"{"data":"#.count).dropLast()
        return try ScriptedServer { request, write in
            let reply =
                switch request.path.split(separator: "?").first {
                case "/scores": table()
                case "/livescores": ScriptedServer.reply(body: Array(#"{"data":[\#(list)]}"#.utf8))
                case "/fixtures": ScriptedServer.reply(body: Array(#"{"data":[]}"#.utf8))
                case "/fixtures/7":
                    ScriptedServer.reply(
                        body: Sample.fixture(balls: [Sample.ball(1), Sample.ball(2, label: 0.2, score: score())])
                    )
                default: ScriptedServer.reply(status: 404)
                }
            return write(reply)
        }
    }

    @Test("a failed table delays no match")
    func aFailedTableDelaysNoMatch() async throws {
        let server = try Self.server(score: { 69 }, table: { ScriptedServer.reply(status: 500) })
        let sink = RecordingSink()
        try await SportmonksFeed.run(server, sink) { service in
            #expect(await sink.next() == .accepted(balls: 2))
            #expect(await service.status()[0].isOpen)
        }
    }

    @Test("a key that is refused for the table opens nothing")
    func aRefusedKeyOpensNothing() async throws {
        let server = try Self.server(score: { 69 }, table: { ScriptedServer.reply(status: 401) })
        try await SportmonksFeed.run(server, RecordingSink()) { service in
            await server.received(2)
            #expect(server.requests.allSatisfy { $0.path.hasPrefix("/scores") })
            #expect(await service.status()[0].isOpen == false)
        }
    }
}
