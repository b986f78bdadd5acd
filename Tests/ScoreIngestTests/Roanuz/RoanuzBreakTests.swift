// The status of a break stays for some balls of the next innings: it must neither end them nor announce a super over.

import MatchEngine
import ScoreTypes
import Testing

@testable import CurlTransfer
@testable import MatchJournal
@testable import Providers
@testable import ScoreIngest
@testable import ScoreLab

private typealias Sample = RoanuzSample

@Suite struct RoanuzBreakTests {
    private static let completed = #","is_completed":true"#

    /// A first innings of two overs for twelve, and some of the second one, with a status.
    private func parsed(
        _ format: String,
        _ word: String,
        runs: [Int],
        total: Int? = nil,
        second: String = "",
        play: String = #","overs_per_innings":[2,0]"#
    ) throws -> MatchSnapshot {
        func over(_ number: Int, _ runs: ArraySlice<Int>, innings: Int) -> [String] {
            runs.enumerated().map { Sample.plain(number, $0 + 1, bat: $1, innings: innings) }
        }
        let pages = stride(from: 0, to: runs.count, by: 6).map { start in
            over(start / 6, runs[start..<min(start + 6, runs.count)], innings: 2)
        }
        let match = Sample.match(
            status: word,
            format: format,
            order: ["a_1", "b_1"],
            innings: [
                "a_1": Sample.innings((2, 0), runs: 12, extras: Self.completed),
                "b_1": Sample.innings(
                    (runs.count / 6, runs.count % 6),
                    runs: total ?? runs.reduce(0, +),
                    extras: second
                ),
            ],
            play: play
        )
        var replies = ProviderReplies([.match: match])
        let ones = ArraySlice(repeatElement(1, count: 6))
        replies[.balls("a_1_0")] = Sample.page("a_1", 0, over(0, ones, innings: 1))
        replies[.balls("a_1_1")] = Sample.page("a_1", 1, over(1, ones, innings: 1), before: "a_1_0")
        for (number, balls) in pages.enumerated() {
            let part: ReplyPart = number == pages.count - 1 ? .balls : .balls("b_1_\(number)")
            let before = number == 0 ? "a_1_1" : "b_1_\(number - 1)"
            replies[part] = Sample.page("b_1", number, balls, before: before)
        }
        return try RoanuzAdapter().snapshot(replies, ProviderSession())
    }

    @Test func theFirstBallOfAChaseStartsNoSuperOver() throws {
        let snapshot = try parsed("t20", "innings_break", runs: [4])
        #expect(snapshot.status.status == .inningsBreak)
        #expect(snapshot.innings.map(\.isClosed) == [true, false])
    }

    /// A match document from before a correction: by its total the chase is over, by its balls it is not.
    @Test(arguments: [(12, true), (13, false), (11, false)])
    func aChaseEndsAtItsTarget(total: Int, isClosed: Bool) throws {
        let runs = [Int](repeating: 1, count: 12)
        let snapshot = try parsed("t20", "in_play", runs: runs, total: total, second: Self.completed)
        #expect(snapshot.innings.map(\.isClosed) == [true, isClosed])
    }

    @Test func aSuperOverRequiresLevelScores() throws {
        let level = [Int](repeating: 1, count: 12)
        let tied = try parsed("t20", "innings_break", runs: level)
        #expect(tied.status.status == .superOverBreak)
        #expect(tied.innings.map(\.isClosed) == [true, true])
        // One run less, and a chase that is level before its end.
        for runs in [[0] + level.dropFirst(), [2] + level.dropLast(2)] {
            let open = try parsed("t20", "innings_break", runs: runs)
            #expect(open.status.status == .inningsBreak)
            #expect(!open.innings[1].isClosed)
        }
    }

    /// In a shortened chase one less than the target is level, whatever the first innings; all out ends it too.
    @Test func levelScoresAreOneBelowTheTarget() throws {
        let target = #","overs_per_innings":[20,0],"target":{"runs":8,"balls":6,"dl_applied":true}"#
        let cut = try parsed("t20", "innings_break", runs: [1, 1, 1, 1, 1, 2], play: target)
        #expect(cut.status.status == .superOverBreak)
        let out = #","wickets":10"#
        for (last, status) in [(6, MatchStatus.superOverBreak), (5, .inningsBreak)] {
            let allOut = try parsed("t20", "innings_break", runs: [6, last], second: out, play: "")
            #expect(allOut.status.status == status)
        }
    }

    @Test func theFirstBallsOfAnInningsAreNoDeclaration() throws {
        let one = try parsed("test", "innings_break", runs: [4], play: "")
        #expect(one.innings.map(\.isClosed) == [true, false])
        #expect(!one.innings[1].isDeclared)
        // An innings that lasted longer than any break status, or is marked complete, has ended.
        let long = try parsed("test", "innings_break", runs: [Int](repeating: 1, count: 12), play: "")
        #expect(long.innings[1].isClosed && long.innings[1].isDeclared)
        let reported = try parsed("test", "innings_break", runs: [4], second: Self.completed, play: "")
        #expect(reported.innings[1].isClosed && reported.innings[1].isDeclared)
    }

    @Test func aTestHasNoSuperOver() throws {
        let order = ["a_1", "b_1", "a_2", "b_2"]
        let totals = Dictionary(uniqueKeysWithValues: order.map { ($0, Sample.innings((0, 1), runs: 0)) })
        let match = Sample.match(status: "innings_break", format: "test", order: order, innings: totals)
        var replies = ProviderReplies([.match: match])
        for (index, key) in order.enumerated() {
            let place = RoanuzBallKey(innings: index + 1, over: 0, ball: 1, again: 0)
            let ball = Sample.ball(place, (0, 1)).replacing(#""innings":"a_1""#, with: #""innings":"\#(key)""#)
                .replacing(#""innings":"b_1""#, with: #""innings":"\#(key)""#)
            let before = index == 0 ? nil : "\(order[index - 1])_0"
            replies[index == 3 ? .balls : .balls("\(key)_0")] = Sample.page(key, 0, [ball], before: before)
        }
        let snapshot = try RoanuzAdapter().snapshot(replies, ProviderSession())
        #expect(snapshot.status.status == .inningsBreak)
        #expect(!snapshot.innings[3].isClosed)
    }

    @Test func theFirstBallOfAChaseSendsNoAlert() throws {
        let clock = ServiceClock(monotonic: { .zero }, wall: { Instant(milliseconds: 1_698_396_800_000) })
        var rehearsal = MatchRehearsal(match: MatchID(unchecked: "m1"), provider: .roanuz, clock: clock)
        for runs in [[4], [4, 1]] {
            for _ in 0..<3 { _ = rehearsal.accept(try parsed("t20", "innings_break", runs: runs)) }
        }
        #expect(rehearsal.alerts.filter { $0.kind == .superOver }.isEmpty)
        #expect(rehearsal.alerts.filter { $0.kind == .inningsEnd && $0.innings == 2 }.isEmpty)
    }
}
