// An over shows the faults of its balls while they last, and after them what the document has.

import Providers
import ScoreTypes
import Testing

@testable import Simulators

@Suite struct PlaybackOverTests {
    private static let json = #"""
        {"over": 3, "deliveries": [
            {"batter": "A", "bowler": "C", "non_striker": "B", "runs": {"batter": 4, "extras": 0, "total": 4}},
            {"batter": "A", "bowler": "C", "non_striker": "B", "runs": {"batter": 0, "extras": 0, "total": 0}},
            {"batter": "A", "bowler": "C", "non_striker": "B", "runs": {"batter": 1, "extras": 0, "total": 1}}
        ]}
        """#

    /// The over is bowled from second 100 on, a ball in ten seconds; a ball of another over is before it.
    private static func over(_ fates: [BallFate]) throws -> (over: PlaybackOver, document: CricsheetOver) {
        let document = try JSONElement.read(CricsheetOver.self, from: Array(json.utf8))
        let bowled: [Duration] = [.seconds(90), .seconds(100), .seconds(110), .seconds(120)]
        let all = [BallFate()] + fates
        let ids = BallIDs(bowled, all)
        return (PlaybackOver(document, first: 1, bowled: bowled, fates: all, ids: ids), document)
    }

    @Test func ballsAppearAsTheyArePublished() throws {
        let (over, document) = try Self.over([BallFate(), BallFate(postedAfter: .seconds(15)), BallFate()])
        #expect(over.shown(at: .seconds(99)) == nil)
        #expect(try #require(over.shown(at: .seconds(124))).balls.map(\.id) == [2, 3])
        let whole = try #require(over.shown(at: .seconds(125)))
        #expect(whole.balls.map(\.id) == [2, 4, 3] && whole.over == document)
        #expect(whole.balls.map(\.bowledAt) == [.seconds(100), .seconds(110), .seconds(120)])
        #expect(whole.balls.map(\.editedAt) == [.seconds(100), .seconds(125), .seconds(120)])
    }

    @Test func aMistakeIsShownUntilItIsCorrected() throws {
        let wrong = BallFate(wrong: .otherRuns, correctedAfter: .seconds(40))
        let (over, document) = try Self.over([wrong, BallFate(), BallFate()])
        let before = try #require(over.shown(at: .seconds(139)))
        #expect(before.over.deliveries[0] != document.deliveries[0] && before.balls[0].editedAt == .seconds(100))
        let after = try #require(over.shown(at: .seconds(140)))
        #expect(after.over == document && after.balls[0].editedAt == .seconds(140))
    }

    @Test func aMistakeThatIsNeverCorrectedStays() throws {
        let (over, document) = try Self.over([BallFate(wrong: .otherRuns), BallFate(), BallFate()])
        let shown = try #require(over.shown(at: .seconds(100_000)))
        #expect(shown.over.deliveries[0] != document.deliveries[0])
        #expect(Array(shown.over.deliveries.dropFirst()) == Array(document.deliveries.dropFirst()))
    }

    @Test func aBallIsGoneForAWhileAndComesBackUnderAnotherID() throws {
        var fate = BallFate(rekeyedAfter: .seconds(60))
        fate.absence = BallFate.Absence(from: .seconds(30), until: .seconds(60))
        let (over, document) = try Self.over([BallFate(), fate, BallFate()])
        #expect(try #require(over.shown(at: .seconds(139))).balls.map(\.id) == [2, 3, 4])
        let gap = try #require(over.shown(at: .seconds(140)))
        #expect(gap.balls.map(\.id) == [2, 4] && gap.over.deliveries.count == 2)
        let back = try #require(over.shown(at: .seconds(170)))
        #expect(back.balls.map(\.id) == [2, 5, 4] && back.over == document)
    }
}
