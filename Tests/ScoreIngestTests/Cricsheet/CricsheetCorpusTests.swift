// Real matches of every special case, against an independent count of every ball.

import Foundation
import MatchEngine
import ScoreTypes
import Testing

@testable import CurlTransfer
@testable import MatchJournal
@testable import Providers
@testable import ScoreIngest

@Suite struct CricsheetCorpusTests {
    private static let data = ProcessInfo.processInfo.environment["SCORE_DATA"]

    @Test(.enabled(if: data != nil, "SCORE_DATA is not set: recorded matches are not checked"))
    func everyInningsAddsUp() throws {
        let folder = try #require(Self.data) + "/cricsheet"
        let unpacked = FileManager.default.temporaryDirectory.appendingPathComponent("corpus-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: unpacked, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: unpacked) }
        let tar = Process()
        tar.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        tar.arguments = ["tar", "xJf", "\(folder)/special.tar.xz", "-C", unpacked.path]
        try tar.run()
        tar.waitUntilExit()
        try #require(tar.terminationStatus == 0, "tar with xz is needed to unpack special.tar.xz")

        let totals = try Self.totals(folder + "/innings_totals.csv")
        var checked = 0
        for case let file as URL in try #require(
            FileManager.default.enumerator(at: unpacked, includingPropertiesForKeys: nil)
        )
        where file.pathExtension == "json" {
            let id = file.deletingPathExtension().lastPathComponent
            let body = Array(try Data(contentsOf: file))
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

    /// What is compared of one innings.
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

    private static func totals(_ path: String) throws -> [String: [Count]] {
        var found: [String: [Count]] = [:]
        for line in try String(contentsOfFile: path, encoding: .utf8).split(whereSeparator: \.isNewline).dropFirst() {
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
