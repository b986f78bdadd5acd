// The same matches from another publisher, ball by ball: running totals, figures, scores and results.

import Foundation
import MatchEngine
import ScoreTypes
import TestSupport
import Testing

@testable import CurlTransfer
@testable import MatchJournal
@testable import Providers
@testable import ScoreIngest

@Suite(.needsRecordedMatches)
struct PublishedTotalsTests {
    private func match(_ id: String) throws -> MatchSnapshot {
        try #require(try RecordedMatches.read(.special, ids: [id])[id])
    }

    /// Two pages of a Test's commentary: after each ball the side's score, the batter's runs and the bowler's figures.
    @Test(arguments: ["1031439_1_1", "1031439_1_3"])
    func everyRunningTotalIsReproduced(page: String) throws {
        let match = try match("1031439")
        let feed = try RecordedData.object("feeds/espn_site/ball_by_ball/\(page).json")
        let items = try #require((feed["commentary"] as? [String: Any])?["items"] as? [[String: Any]])
        var compared = 0
        for item in items {
            let ball = try #require(PublishedBall(item))
            // Wides and no-balls have the label of the ball that replaces them: the last one with a label is legal.
            guard let index = match.deliveries.index(ofInnings: ball.innings, over: ball.over, legal: ball.legal) else {
                continue
            }
            let card = match.replica(through: index + 1).state.innings[ball.innings - 1]
            #expect(card.score == ball.score, "\(ball.over).\(ball.legal)")
            let batter = try #require(card.batters.first { $0.player.name.hasSuffix(ball.batter) })
            #expect(batter.runs == ball.batterRuns && batter.balls == ball.faced, "\(ball.over).\(ball.legal)")
            let bowler = try #require(card.bowlers.first { $0.player.name.hasSuffix(ball.bowler) })
            #expect(bowler.balls == ball.bowled && bowler.runs == ball.conceded, "\(ball.over).\(ball.legal)")
            #expect(bowler.maidens == ball.maidens && bowler.wickets == ball.wickets, "\(ball.over).\(ball.legal)")
            compared += 1
        }
        #expect(compared >= 20, "of \(items.count) balls")
    }

    /// A league match in the middle of its chase: `155/6`, `125/3 (16/20 ov, target 156)`.
    @Test func aChaseHasThePublishedState() throws {
        let match = try match("1324647")
        let event = try RecordedData.object("feeds/espn_site/scoreboard/event_1324647.json")
        let competition = try #require((event["competitions"] as? [[String: Any]])?.first)
        let scores = (competition["competitors"] as? [[String: Any]] ?? []).compactMap { $0["score"] as? String }
        let chase = try #require(scores.first { $0.contains("target") })
        let first = try #require(scores.first { !$0.contains("target") })
        let bowled = try #require(
            match.deliveries.index(ofInnings: 2, over: 15, legal: 6),
            "sixteen overs of the chase are recorded"
        )
        let state = match.replica(through: bowled + 1).state
        #expect(state.innings[0].score == first)
        let (card, target) = (state.innings[1], try #require(state.innings[1].target))
        #expect("\(card.score) (\(card.overs.text)/20 ov, target \(target.runs))" == chase)
    }

    @Test func aTestHasThePublishedResult() throws {
        let match = try match("1225249")
        let event = try RecordedData.object("feeds/espn_site/match_basic/1225249_basic.json")
        let note = try #require((event["competitions"] as? [[String: Any]])?.first?["note"] as? String)
        #expect(match.replica.state.proven?.text { match.info.team($0).name } == note)
    }
}

/// One ball with the running totals of a publisher.
private struct PublishedBall {
    let innings: Int
    let over: Int
    let legal: Int
    let score: String
    let batter: String
    let batterRuns: Int
    let faced: Int
    let bowler: String
    let bowled: Int
    let conceded: Int
    let maidens: Int
    let wickets: Int

    init?(_ item: [String: Any]) {
        guard let sequence = item["sequence"] as? Int, let score = item["homeScore"] as? String,
            let batsman = item["batsman"] as? [String: Any], let bowling = item["bowler"] as? [String: Any],
            let batter = Self.surname(batsman), let bowler = Self.surname(bowling)
        else { return nil }
        innings = sequence / 100_000
        over = sequence % 100_000 / 100
        legal = sequence % 100
        self.score = score
        (self.batter, self.bowler) = (batter, bowler)
        batterRuns = batsman["totalRuns"] as? Int ?? -1
        faced = batsman["faced"] as? Int ?? -1
        bowled = bowling["balls"] as? Int ?? -1
        conceded = bowling["conceded"] as? Int ?? -1
        maidens = bowling["maidens"] as? Int ?? -1
        wickets = bowling["wickets"] as? Int ?? -1
    }

    private static func surname(_ person: [String: Any]) -> String? {
        ((person["athlete"] as? [String: Any])?["shortName"] as? String)?.split(separator: " ").last.map(String.init)
    }
}

extension [Delivery] {
    /// The index of the legal ball of that number in an over.
    fileprivate func index(ofInnings innings: Int, over: Int, legal: Int) -> Int? {
        var seen = 0
        return firstIndex { ball in
            guard ball.innings == innings, ball.over == over, ball.isLegal else { return false }
            seen += 1
            return seen == legal
        }
    }
}
