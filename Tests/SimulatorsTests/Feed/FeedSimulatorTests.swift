import Foundation
import ScoreTypes
import TestSupport
import Testing

@testable import Simulators

@Suite struct FeedSimulatorTests {
    private struct Innings: Decodable {
        struct Over: Decodable {
            struct Ball: Decodable {
                struct Runs: Decodable { let total: Int }
                struct Wicket: Decodable { let kind: String }
                let runs: Runs
                let wickets: [Wicket]?
            }
            let deliveries: [Ball]
        }
        let team: String
        let overs: [Over]
        var runs: Int { overs.flatMap(\.deliveries).reduce(0) { $0 + $1.runs.total } }
        var wickets: Int { overs.flatMap(\.deliveries).reduce(0) { $0 + ($1.wickets?.count ?? 0) } }
    }

    private struct Document: Decodable {
        struct Live: Decodable { let state: String }
        let innings: [Innings]
        let live: Live
    }

    private func document(_ reply: FeedReply) throws -> Document {
        try JSONDecoder().decode(Document.self, from: Data(reply.body))
    }

    @Test func theDemoMatchAddsUp() throws {
        let whole = ManualClock()
        let feed = try FeedSimulator(match: #require(MatchID("demo")), played: DemoMatch.load(), clock: whole.clock())
        feed.open()
        whole.advance(by: .seconds(1_000_000))
        let last = try document(feed.reply())
        #expect(last.innings.map(\.runs) == [168, 172])
        #expect(last.innings.map(\.wickets) == [8, 8])
        #expect(last.innings.map(\.overs.count) == [20, 20])
        #expect(last.live.state == "result")
        #expect(feed.isFinished)
        let text = String(decoding: feed.reply().body, as: UTF8.self)
        #expect(text.contains(#""by":{"wickets":2},"winner":"Iron Hill""#))
    }

    @Test func nothingOfTheFutureIsServed() throws {
        let time = ManualClock()
        let feed = try FeedSimulator(match: #require(MatchID("demo")), played: DemoMatch.load(), clock: time.clock())
        #expect(try document(feed.reply()).live.state == "scheduled")
        #expect(feed.reply().version == 0)
        feed.open()
        #expect(try document(feed.reply()).live.state == "scheduled")
        let pace = FeedPace()
        time.advance(by: pace.beforeStart)
        #expect(try document(feed.reply()).live.state == "live")
        var last = 0
        for ball in 1...120 {
            time.advance(by: pace.ball)
            let now = try document(feed.reply())
            let balls = now.innings.flatMap { $0.overs.flatMap(\.deliveries) }.count
            #expect(balls == ball)
            let text = String(decoding: feed.reply().body, as: UTF8.self)
            #expect(!text.contains("outcome"))
            last = balls
        }
        #expect(last == 120)
    }

    @Test func aWrongBallIsPutRight() throws {
        let time = ManualClock()
        let played = try DemoMatch.load()
        let wrong = try #require(played.misreports.first)
        let feed = try FeedSimulator(match: #require(MatchID("demo")), played: played, clock: time.clock())
        feed.open()
        time.advance(by: FeedPace().beforeStart + FeedPace().ball * (wrong.ball + 1))
        let before = try document(feed.reply())
        time.advance(by: wrong.correctedAfter)
        let after = try document(feed.reply())
        #expect(before.innings[0].runs + 2 == after.innings[0].runs)
    }

    @Test func aFileThatIsNoMatchIsRefusedInOneSentence() throws {
        let id = try #require(MatchID("x"))
        for text in ["", "[]", "{}", #"{"info":{"teams":["A"]}}"#, #"{"info":{"teams":["A","B"]}}"#] {
            #expect(throws: FeedMatchError.self) {
                try FeedSimulator(match: id, played: PlayedMatch(document: Array(text.utf8)), clock: ServiceClock())
            }
        }
    }
}
