// Real matches of every special case, against an independent count of every ball.

import Foundation
import MatchEngine
import ScoreTypes
import TestSupport
import Testing

@testable import CurlTransfer
@testable import MatchJournal
@testable import Providers
@testable import ScoreIngest

@Suite struct CricsheetCorpusTests {
    @Test(.needsRecordedMatches) func everyInningsAddsUp() throws {
        let totals = try Self.totals()
        var checked = 0
        for (id, url) in try MatchArchive.special.files() {
            let body = Array(try Data(contentsOf: url))
            let snapshot = try CricsheetAdapter().snapshot(body)
            #expect(Self.counts(of: snapshot) == totals[id], "match \(id)")
            #expect(snapshot.deliveries.map(\.order) == snapshot.deliveries.map(\.order).sorted(), "match \(id)")
            #expect(Set(snapshot.deliveries.map(\.key)).count == snapshot.deliveries.count, "match \(id)")
            #expect(!snapshot.deliveries.contains { $0.dismissals.contains { $0.kind == .other } }, "match \(id)")
            #expect(snapshot.result != nil, "match \(id)")
            checked += 1
        }
        #expect(checked == 287)
    }

    /// The compared totals of one innings.
    private struct Count: Equatable {
        var runs = 0
        var wickets = 0
        var legalBalls = 0
        var deliveries = 0
        var isSuperOver = false
    }

    private static func counts(of snapshot: MatchSnapshot) -> [Count] {
        snapshot.innings.map { innings in
            var count = Count(
                runs: innings.penaltyBefore + innings.penaltyAfter,
                isSuperOver: innings.superOver != nil
            )
            for ball in snapshot.deliveries where ball.innings == innings.ordinal {
                let runs = ball.runs
                count.runs += runs.bat + runs.wides + runs.noBalls + runs.byes + runs.legByes + runs.penalty
                count.wickets += ball.dismissals.count { $0.kind != .retiredHurt && $0.kind != .retiredNotOut }
                count.legalBalls += ball.isLegal ? 1 : 0
                count.deliveries += 1
            }
            return count
        }
    }

    private static func totals() throws -> [String: [Count]] {
        var found: [String: [Count]] = [:]
        for line in try RecordedData.rows("cricsheet/innings_totals.csv") {
            let fields = line.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
            let numbers = fields[5...8].compactMap { Int($0) }
            guard numbers.count == 4 else { continue }
            let count = Count(
                runs: numbers[0],
                wickets: numbers[1],
                legalBalls: numbers[2],
                deliveries: numbers[3],
                isSuperOver: fields[4] == "1"
            )
            found[fields[1], default: []].append(count)
        }
        return found
    }
}
