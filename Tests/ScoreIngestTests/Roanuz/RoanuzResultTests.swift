// A side, a word and a sentence give the result, and any of them may be missing.

import MatchEngine
import ScoreTypes
import Testing

@testable import CurlTransfer
@testable import MatchJournal
@testable import Providers
@testable import ScoreIngest

private typealias Sample = RoanuzSample

@Suite struct RoanuzResultTests {
    private func result(
        _ json: String,
        format: String = "t20",
        runs: (Int, Int) = (5, 5)
    ) throws -> (result: ProviderResult?, status: MatchStatus) {
        let order = ["a_1", "b_1"]
        let match = Sample.match(
            status: "result",
            format: format,
            order: order,
            innings: ["a_1": Sample.innings((1, 0), runs: runs.0), "b_1": Sample.innings((1, 0), runs: runs.1)],
            play: #","result":\#(json)"#
        )
        func page(_ innings: Int, _ runs: Int) -> [UInt8] {
            let balls = (1...6).map { Sample.plain(0, $0, bat: $0 == 1 ? runs : 0, innings: innings) }
            return Sample.page(order[innings - 1], 0, balls, before: innings == 2 ? "a_1_0" : nil)
        }
        let replies = ProviderReplies([.match: match, .balls: page(2, runs.1), .balls("a_1_0"): page(1, runs.0)])
        let snapshot = try RoanuzAdapter().snapshot(replies, ProviderSession())
        return (snapshot.result, snapshot.status.status)
    }

    /// A margin alone is no result: the balls prove the winner.
    @Test(arguments: [
        #"{"winner":null,"result_type":"wickets","msg":"Match won by 10 wickets"}"#,
        #"{"winner":"","result_type":"runs","msg":"Won by 7 runs"}"#, #"{"winner":null,"msg":"Greens won by 7 runs"}"#,
        #"{"winner":null,"msg":"Greens won by an innings and 3 runs"}"#,
        #"{"winner":null,"msg":"Won by losing fewer wickets, won by fewer wickets"}"#,
    ])
    func aMarginWithoutASideIsNoResult(json: String) throws {
        #expect(try result(json).result == nil)
    }

    @Test func theSentenceAloneCanNameTheSide() throws {
        let named = try result(#"{"winner":null,"result_type":"wickets","msg":"Blues won by 4 wickets"}"#).result
        #expect(named?.kind == .wickets(4) && named?.winner == .second)
        let short = try result(#"{"winner":null,"result_type":"runs","msg":"RED won by 9 runs"}"#).result
        #expect(short?.kind == .runs(9) && short?.winner == .first)
        // The given side is used, whatever the sentence has.
        let given = try result(#"{"winner":"a","result_type":"runs","msg":"Blues won by 9 runs"}"#).result
        #expect(given?.winner == .first)
    }

    @Test(arguments: [
        #"{"winner":"b","result_type":"tie_breaker","msg":"Match tied (Blues won the Super Over)"}"#,
        #"{"winner":"b","result_type":"tie_breaker","msg":"Blues won the super over"}"#,
        #"{"winner":"b","result_type":"tie_breaker","msg":"Blues won by 2 wickets"}"#,
        #"{"winner":"b","result_type":"tie_breaker"}"#,
        #"{"winner":null,"result_type":"tie_breaker","msg":"Match tied (Blues won the Super Over)"}"#,
        #"{"winner":null,"result_type":"tie_breaker","msg":"Blues won the super over"}"#,
    ])
    func aBrokenTieHasAWinner(json: String) throws {
        let (result, status) = try result(json)
        #expect(result?.kind == .tie && result?.winner == nil)
        #expect(result?.tieBreakWinner == .second)
        #expect(result?.tieBreak == "superOver")
        #expect(status == .result)
    }

    @Test func anotherTieBreakIsShown() throws {
        let json = #"{"winner":"a","result_type":"tie_breaker","msg":"Match tied (Reds won the bowl-out 5-3)"}"#
        #expect(try result(json).result?.tieBreak == "bowlOut")
    }

    /// A limited-overs match is never drawn, and equal scores are a tie.
    @Test func aDrawWithEqualScoresIsATie() throws {
        let draw = #"{"winner":null,"result_type":"draw","msg":"Match drawn"}"#
        let tied = try result(draw)
        #expect(tied.result?.kind == .tie && tied.result?.tieBreakWinner == nil)
        #expect(tied.status == .tied)
        #expect(try result(draw, runs: (5, 4)).result?.kind == .draw)
        // A match of two innings a side is drawn with scores level, too.
        #expect(try result(draw, format: "test").result?.kind == .draw)
    }
}
