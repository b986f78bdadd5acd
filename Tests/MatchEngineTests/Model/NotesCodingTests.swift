// Journals from before reviews, replacements and keepers are read for ever.

import Foundation
import Testing

@testable import MatchEngine

@Suite struct NotesCodingTests {
    @Test func anOldDeliveryHasNoReviews() throws {
        let old = #"""
            {"key":"1.0.1","order":1,"innings":1,"over":0,"striker":{"id":"a","name":"A"},
            "nonStriker":{"id":"b","name":"B"},"bowler":{"id":"c","name":"C"},
            "runs":{"bat":4,"wides":0,"noBalls":0,"byes":0,"legByes":0,"penalty":0},
            "isLegal":true,"isAllRun":false,"dismissals":[],"isFinal":false}
            """#
        let ball = try JSONDecoder().decode(Delivery.self, from: Data(old.utf8))
        #expect(
            ball.reviews.isEmpty && ball.replacements.isEmpty && !ball.hasReviewsOrReplacements && ball.runs.bat == 4
        )
        let again = String(decoding: try JSONEncoder().encode(ball), as: UTF8.self)
        #expect(!again.contains("reviews") && !again.contains("replacements"))
    }

    @Test func reviewsAndReplacementsAreReadBack() throws {
        var script = MatchScript.t20()
        script.begin(.first)
        script.bowl("1")
        var ball = script.deliveries[0]
        ball.reviews = [Review(side: .first, batter: .named("A"), decision: .struckDown, isUmpiresCall: true)]
        ball.replacements = [Replacement(scope: .match, incoming: .named("B"), side: .second, reason: .covid)]
        let back = try JSONDecoder().decode(Delivery.self, from: try JSONEncoder().encode(ball))
        #expect(back == ball && back.hasReviewsOrReplacements && back != script.deliveries[0])
        ball.reviews = []
        ball.replacements = []
        #expect(ball == script.deliveries[0])
    }

    @Test func anOldTeamHasNoKeeper() throws {
        let old = #"{"id":"1","name":"India","players":[]}"#
        #expect(try JSONDecoder().decode(TeamInfo.self, from: Data(old.utf8)).keeper == nil)
    }
}
