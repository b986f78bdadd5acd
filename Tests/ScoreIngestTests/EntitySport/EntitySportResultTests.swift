// A sentence and a number give the winner; where they differ, or name no side, the balls decide.

import MatchEngine
import ScoreTypes
import Testing

@testable import CurlTransfer
@testable import MatchJournal
@testable import Providers
@testable import ScoreIngest

private typealias Sample = EntitySportSample

@Suite struct EntitySportResultTests {
    private static func result(_ sentence: String, id: String = "null") throws -> ProviderResult? {
        let more = #","status_note":"\#(sentence)","winning_team_id":\#(id)"#
        return try Sample.snapshot(status: 2, state: 0, more: more).result
    }

    @Test func anUnknownWinnerIsNoResult() throws {
        #expect(try Self.result("Hosts won by 3 runs") == nil)
        #expect(try Self.result("Hosts won by 3 runs", id: "2")?.winner == .second)
        #expect(try Self.result("Blues won by 3 runs")?.winner == .second)
    }

    @Test func contradictingNumberAndSentenceAreNoResult() throws {
        #expect(try Self.result("Blues won by 3 runs", id: "1") == nil)
        #expect(try Self.result("Blues won by 3 runs", id: "2") == ProviderResult(kind: .runs(3), winner: .second))
    }
}
