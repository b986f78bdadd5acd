// The feed of the demo publishes the match of its script ball by ball, with the script's mistake and nothing ahead.

import Providers
import ScoreTypes
import TestSupport
import Testing

@testable import Simulators

@Suite struct ScriptedFeedTests {
    private static func feed(_ time: ManualClock) throws -> SimulatedFeed {
        let match = try PlaybackMatch(
            id: ProviderMatchID(unchecked: "demo"),
            document: CricsheetDocument(json: DemoMatch.document),
            stops: DemoMatch.stops,
            mistakes: DemoMatch.mistakes
        )
        return SimulatedFeed(matches: [match], shape: CricsheetShape(), clock: time.clock())
    }

    private static func document(_ feed: SimulatedFeed) throws -> CricsheetDocument {
        try CricsheetDocument(json: feed.answer(ShapeRequest(path: "/matches/demo")).body)
    }

    @Test func theDemoMatchAddsUp() throws {
        let time = ManualClock()
        let feed = try Self.feed(time)
        feed.open()
        time.advance(by: .seconds(1_000_000))
        let last = try Self.document(feed)
        #expect(last.innings.map(\.runs) == [168, 172])
        #expect(last.innings.map { $0.balls.reduce(0) { $0 + ($1.wickets?.count ?? 0) } } == [8, 8])
        #expect(last.innings.map { $0.overs?.count } == [20, 20])
        #expect(last.live?.state == "result")
        #expect(feed.isFinished)
        #expect(last.info.outcome?.winner == "Iron Hill" && last.info.outcome?.by?.wickets == 2)
        #expect(feed.firstServed.count == last.innings.reduce(0) { $0 + $1.balls.count })
    }

    @Test func noFutureBallIsServed() throws {
        let time = ManualClock()
        let feed = try Self.feed(time)
        let ahead = try Self.document(feed)
        #expect(ahead.live?.state == "scheduled" && ahead.live?.startsAt == nil)
        feed.open()
        let opened = try Self.document(feed)
        #expect(opened.live?.state == "scheduled" && opened.live?.startsAt != nil)
        time.advance(by: FeedPace.beforeStart)
        #expect(try Self.document(feed).live?.state == "live")
        for ball in 1...120 {
            time.advance(by: FeedPace.ball)
            #expect(feed.firstServed.count == ball - 1)
            // A list has no balls.
            _ = feed.answer(ShapeRequest(path: "/matches"))
            #expect(feed.firstServed.count == ball - 1)
            let now = try Self.document(feed)
            #expect(now.innings.reduce(0) { $0 + $1.balls.count } == ball)
            #expect(now.info.outcome == nil)
            #expect(feed.firstServed.count == ball)
            #expect(!feed.isFinished)
        }
    }

    @Test func aWrongBallIsCorrected() throws {
        let time = ManualClock()
        let wrong = try #require(DemoMatch.mistakes.min())
        let feed = try Self.feed(time)
        feed.open()
        time.advance(by: FeedPace.beforeStart + FeedPace.ball * (wrong + 1))
        let before = try Self.document(feed)
        time.advance(by: FeedPace.correction)
        let after = try Self.document(feed)
        #expect(before.innings[0].runs + 2 == after.innings[0].runs)
    }

    @Test func aStopInTheScriptIsServed() throws {
        let time = ManualClock()
        let stop = try #require(DemoMatch.stops.first)
        let feed = try Self.feed(time)
        feed.open()
        time.advance(by: FeedPace.beforeStart + FeedPace.inningsBreak + FeedPace.ball * stop.beforeBall)
        #expect(try Self.document(feed).live?.state == "rain")
        time.advance(by: stop.lasts)
        #expect(try Self.document(feed).live?.state == "live")
    }

    @Test func aFileWithoutAMatchIsRefused() throws {
        let id = ProviderMatchID(unchecked: "x")
        for text in ["", "[]", "{}", #"{"info":{"teams":["A"]}}"#, #"{"info":{"teams":["A","B"]}}"#] {
            #expect(throws: AdapterError.self) {
                try PlaybackMatch(
                    id: id,
                    document: CricsheetDocument(json: Array(text.utf8)),
                    stops: [],
                    mistakes: []
                )
            }
        }
    }
}

extension CricsheetInnings {
    fileprivate var balls: [CricsheetDelivery] { (overs ?? []).flatMap(\.deliveries) }
    fileprivate var runs: Int { balls.reduce(0) { $0 + $1.runs.total } }
}
