// A finished match and a list as the provider sent them; other sources published the totals of the match too.

import Foundation
import MatchEngine
import ScoreTypes
import TestSupport
import Testing

@testable import CurlTransfer
@testable import MatchJournal
@testable import Providers
@testable import ScoreIngest

@Suite(.needsRecordedMatches) struct CricketDataRecordedTests {
    private static let adapter = CricketDataAdapter()

    private static func body(_ name: String) throws -> [UInt8] {
        try RecordedData.bytes("feeds/cricapi/\(name).json")
    }

    @Test func theMatchEqualsAnotherSourceOfIt() throws {
        let replies = ProviderReplies([.match: try Self.body("match_info")])
        let snapshot = try Self.adapter.snapshot(replies, ProviderSession())
        #expect(snapshot.info.format == .odi && snapshot.info.isWomens)
        #expect(snapshot.info.teams.map(\.abbreviation) == ["WIW", "ENGW"])
        #expect(snapshot.info.toss == Toss(winner: .first, decision: .bat))
        #expect(snapshot.result?.winner == .first && snapshot.status.status.isFinal)
        #expect(snapshot.deliveries.isEmpty)
        let rows = try RecordedData.rows("cricsheet/innings_totals.csv")
            .filter { $0.hasPrefix("ODI,1243914,") }.map { $0.split(separator: ",", omittingEmptySubsequences: false) }
        try #require(rows.count == 2 && snapshot.innings.count == 2)
        for (innings, row) in zip(snapshot.innings, rows) {
            let total = try #require(innings.reported)
            #expect(
                [String(total.runs), String(total.wickets), String(total.balls)]
                    == [row[5], row[6], row[7]].map(String.init)
            )
        }
        let state = snapshot.replica.state
        #expect(state.result?.text { snapshot.info.team($0).name } == "West Indies Women won by 7 runs")
    }

    @Test func theListAndItsCountersAreRead() throws {
        let list = try Self.body("get_all_matches_list")
        let replies = ProviderReplies([CricketDataAdapter.current: list, CricketDataAdapter.coming: list])
        let fixtures = try Self.adapter.fixtures(replies, ProviderSession()).fixtures
        #expect(fixtures.count == 25)
        let first = try #require(fixtures.first)
        #expect(first.teams.map(\.name) == ["Austria Women", "Norway Women"] && first.format == .t20)
        #expect(first.startsAt == 1_760_252_400 && first.status?.isBeforeStart == true)
        #expect(Self.adapter.allowance(replies) == RequestAllowance(limit: 100, used: 41))
    }
}
