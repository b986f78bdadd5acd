// The benchmark uses a representative match and fails above its bound.

import MatchEngine
import MatchJournal
import Providers
import ScoreIngest
import ScoreTypes
import Testing

@testable import ScoreLab

@Suite struct IngestBenchTests {
    @Test(arguments: Provider.allCases.filter { $0 != .cricketData })
    func theMatchContainsItsShareOfEachEvent(provider: Provider) throws {
        var feed = try IngestBenchFeed(provider)
        let replies = try feed.replies(balls: 400).replies
        let snapshot = try feed.snapshot(replies)
        #expect(snapshot.deliveries.count == 400)
        #expect(snapshot.info.teams.map(\.players.count) == [11, 11])
        let runs = snapshot.deliveries.map(\.runs)
        #expect(runs.contains { $0.wides > 0 } && runs.contains { $0.noBalls > 0 })
        #expect(runs.contains { $0.byes > 0 } && runs.contains { $0.legByes > 0 })
        #expect(snapshot.deliveries.count { !$0.dismissals.isEmpty } == 1)
        var replica = MatchReplica()
        for change in Differ.changes(from: MatchRecord(), to: snapshot) { replica.apply(change) }
        let innings = try #require(replica.state.innings.first)
        #expect(innings.wickets == 1)
        #expect(replica.state.moments.contains { $0.kind == .fifty })
    }

    @Test func anotherBallIsAddedAlsoInTheLastInnings() throws {
        var feed = try IngestBenchFeed(.cricsheet)
        for balls in [2_699, 2_700, 2_701, 8_200] {
            let snapshot = try feed.snapshot(feed.replies(balls: balls).replies)
            #expect(snapshot.deliveries.count == balls)
        }
    }

    @Test func onlyOneReplyInAHundredMayExceedTheBound() {
        var figures = IngestFigures(provider: .roanuz, bytes: 1_000_000, balls: 2_000)
        #expect(!figures.isWithin(.seconds(1)), "nothing was measured")
        func add(_ total: Duration) {
            figures.add(IngestLap(decode: .zero, diff: .zero, fold: .zero, journal: .zero, total: total), bytes: 3_000)
        }
        for _ in 0..<99 { add(.milliseconds(10)) }
        add(.milliseconds(500))
        #expect(figures.isWithin(.milliseconds(10)) && !figures.isWithin(.milliseconds(9.9)))
        add(.milliseconds(500))
        #expect(!figures.isWithin(.milliseconds(10)))
        #expect(figures.text.contains("a match of 1000000 bytes") && figures.text.contains("has 3000 new bytes"))
    }
}
