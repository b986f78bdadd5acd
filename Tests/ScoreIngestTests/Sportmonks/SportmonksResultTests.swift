// A winner that contradicts the provider's own numbers or sentence is ignored, since a result is announced at once.

import MatchEngine
import ScoreTypes
import Testing

@testable import CurlTransfer
@testable import MatchJournal
@testable import Providers
@testable import ScoreIngest

private typealias Sample = SportmonksSample

@Suite struct SportmonksResultTests {
    /// Two totals, Reds' first.
    private static func totals(_ first: Int, _ second: Int) -> String {
        #"{"team_id":1,"inning":1,"score":\#(first)},{"team_id":2,"inning":2,"score":\#(second)}"#
    }

    private static func snapshot(_ fields: String, type: String = "T20", runs: String) throws -> MatchSnapshot {
        try Sample.snapshot(Sample.fixture(type: type, status: "Finished", runs: runs, more: "," + fields))
    }

    @Test("a winner that contradicts the totals is not published", arguments: ["null", "\"\"", "\"Live\""])
    func aWinnerThatContradictsTheTotalsIsIgnored(note: String) throws {
        let fields = #""winner_team_id":1,"note":\#(note)"#
        let denied = try Self.snapshot(fields, runs: Self.totals(249, 252))
        #expect(denied.result == nil)
        #expect(denied.status.status == .resultPending)
        let upheld = try Self.snapshot(fields, runs: Self.totals(252, 249))
        #expect(upheld.result == ProviderResult(kind: .won, winner: .first))
    }

    @Test(
        "totals without a decision contradict no winner",
        arguments: [
            (#""rpc_target":"240","rpc_overs":40"#, "ODI"), (#""localteam_dl_data":{"score":260}"#, "ODI"),
            (#""follow_on":false"#, "4day"),
        ]
    )
    func totalsWithoutADecisionContradictNoWinner(fields: String, type: String) throws {
        let fields = #""winner_team_id":1,"note":"","# + fields
        #expect(try Self.snapshot(fields, type: type, runs: Self.totals(249, 252)).result?.winner == .first)
    }

    @Test("level and incomplete totals contradict no winner")
    func levelAndIncompleteTotalsContradictNoWinner() throws {
        let fields = #""winner_team_id":1,"note":"""#
        #expect(try Self.snapshot(fields, runs: Self.totals(150, 150)).result?.winner == .first)
        let runs = #"{"team_id":1,"inning":1,"score":9},{"team_id":2,"inning":2}"#
        #expect(try Self.snapshot(#""winner_team_id":2,"note":"""#, runs: runs).result?.winner == .second)
    }

    @Test("a sentence about the other side and an id together give no winner")
    func aSentenceAboutTheOtherSideVoidsTheWinner() throws {
        let runs = Self.totals(249, 252)
        let announced = try Self.snapshot(#""winner_team_id":1,"note":"Blues won by 6 wickets""#, runs: runs)
        #expect(announced.result == nil)
        let same = try Self.snapshot(#""winner_team_id":2,"note":"Blues won by 6 wickets""#, runs: runs)
        #expect(same.result == ProviderResult(kind: .wickets(6), winner: .second))
        let short = try Self.snapshot(#""winner_team_id":2,"note":"RED won by 6 wickets""#, runs: runs)
        #expect(short.result == nil)
    }

    @Test("the sentence names the winner of a tie")
    func theSentenceNamesTheWinnerOfATie() throws {
        let note = #""note":"Match tied (RED won the Super Over)""#
        #expect(try Self.snapshot(note, runs: Self.totals(150, 150)).result?.tieBreakWinner == .first)
    }
}
