// Some matches have totals only: no page of balls is requested, and the totals are shown.

import MatchEngine
import ScoreTypes
import Testing

@testable import CurlTransfer
@testable import MatchJournal
@testable import Providers
@testable import ScoreIngest

private typealias Sample = RoanuzSample

@Suite struct RoanuzScoreOnlyTests {
    private let adapter = RoanuzAdapter()
    private let id = ProviderMatchID(unchecked: "m1")

    private func match(
        _ group: String = "MG101",
        status: String = "in_play",
        order: [String] = ["a_1"],
        innings: [String: String],
        play: String = ""
    ) -> [UInt8] {
        let more = #","metric_group":"\#(group)""#
        return Sample.match(status: status, order: order, innings: innings, play: play, more: more)
    }

    private func parts(_ match: [UInt8]) -> [String] {
        let replies = ProviderReplies([.match: match])
        return adapter.matchRequests(id, ProviderSession(), replies: replies)
            .map(\.part.rawValue)
    }

    @Test(arguments: [("MG100", true), ("MG100B", true), ("MG101", false), ("MG102", false)])
    func onlySomeMatchesHaveBalls(group: String, hasBalls: Bool) {
        let match = match(group, innings: ["a_1": Sample.innings((2, 3), runs: 20)])
        #expect(parts(match) == (hasBalls ? ["match", "balls"] : ["match"]))
    }

    /// The coverage is known from the first reply.
    @Test func theFirstRequestIsTheMatchOnly() {
        let requests = adapter.matchRequests(id, ProviderSession(), replies: ProviderReplies())
        #expect(requests.map(\.part) == [.match])
    }

    private func snapshot(_ match: [UInt8]) throws -> MatchSnapshot {
        try adapter.snapshot(ProviderReplies([.match: match]), ProviderSession())
    }

    @Test func totalsAreReported() throws {
        let extras = #","wickets":3,"extra_runs":{"penalty":5}"#
        let live = #","live":{"innings":"a_1","striker_key":"p2","non_striker_key":"p1"}"#
        let totals = Sample.innings((2, 3), runs: 20, extras: extras)
        let snapshot = try snapshot(match(innings: ["a_1": totals], play: live))
        #expect(snapshot.innings.map(\.reported) == [ReportedTotal(runs: 20, wickets: 3, balls: 15)])
        #expect(snapshot.innings.map(\.isClosed) == [false])
        #expect(snapshot.innings.map(\.crease) == [nil])
        #expect(snapshot.innings.map(\.penaltyBefore) == [0])
        #expect(snapshot.deliveries.isEmpty && !snapshot.isIncomplete)
        #expect(snapshot.status.status == .live)
    }

    @Test func inningsEndByTheirStatus() throws {
        let first = Sample.innings((20, 0), runs: 150)
        #expect(try snapshot(match(status: "innings_break", innings: ["a_1": first])).innings.map(\.isClosed) == [true])
        let chase = Sample.innings((19, 0), runs: 151, extras: #","is_completed":true"#)
        let result = #","result":{"winner":"b","result_type":"wickets","msg":"Blues won by 4 wickets"}"#
        let over = try snapshot(
            match(status: "result", order: ["a_1", "b_1"], innings: ["a_1": first, "b_1": chase], play: result)
        )
        #expect(over.innings.map(\.isClosed) == [true, true])
        #expect(over.result?.winner == .second)
        #expect(over.status.status == .result)
    }

    /// Valid totals; and a match that was abandoned after some balls is known to have begun.
    @Test func totalsAreValidated() throws {
        let abandoned = match(status: "abandoned", innings: ["a_1": Sample.innings((2, 3), runs: 20)])
        #expect(try snapshot(abandoned).status.status == .abandoned)
        let error = #expect(throws: AdapterError.self) {
            try snapshot(match(innings: ["a_1": Sample.innings((2, 3), extras: #","wickets":11"#)]))
        }
        #expect(error?.path == "match:data.play.innings.a_1.wickets")
    }
}
