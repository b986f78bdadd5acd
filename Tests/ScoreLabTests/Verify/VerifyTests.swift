// Matches compared with their published results: agreement, differences, known faults, and invalid files.

import Foundation
import MatchEngine
import MatchJournal
import Providers
import Simulators
import TestSupport
import Testing

@testable import ScoreLab

@Suite struct VerifyTests {
    private let match = String(decoding: DemoMatch.document, as: UTF8.self)

    private func verify(_ text: String, totals: InningsTotals? = nil) -> MatchFindings {
        .verify(Array(text.utf8), id: "1", totals: totals)
    }

    private func file(_ text: String, named name: String = "\(UUID().uuidString).csv") throws -> String {
        let path = FileManager.default.temporaryDirectory.appending(path: name).path
        try Data(text.utf8).write(to: URL(filePath: path))
        return path
    }

    @Test func theDemoMatchAgrees() {
        let findings = verify(match)
        #expect(findings.reasons == [])
        #expect(findings.deliveries > 200 && findings.format == "t20")
    }

    @Test func aWrongMarginIsFound() throws {
        let wrong = match.replacing(#/"by":\{"wickets":\d+\}/#, with: #""by":{"wickets":9}"#)
        #expect(wrong != match)
        let reason = try #require(verify(wrong).reasons.first)
        #expect(reason.contains("won by 9 wickets") && reason.contains("the balls give"))
    }

    @Test func aMissingBallIsFound() {
        // With one four less no part of the published result agrees.
        let wrong = match.replacing(#""batter":4,"extras":0,"total":4"#, with: #""batter":0,"extras":0,"total":0"#)
        #expect(!verify(wrong).reasons.isEmpty)
    }

    @Test func totalsOfAnotherSourceAreCompared() throws {
        let head = """
            format,match_id,innings,team,super_over,runs,wickets,legal_balls,deliveries,byes,legbyes,wides,noballs,\
            penalty_on_ball,penalty_pre,penalty_post,declared,forfeited,target_runs,target_overs
            """
        let path = try file("\(head)\nT20,1,1,A,0,1,0,0,0,0,0,0,0,0,0,0,0,0,,\n")
        defer { try? FileManager.default.removeItem(atPath: path) }
        let totals = try InningsTotals(path: path)
        #expect(verify(match, totals: totals).reasons == ["totals: the table has 1 innings, the engine 2"])
        #expect {
            try InningsTotals(path: path + ".none")
        } throws: {
            "\($0)".hasPrefix("Cannot read")
        }
        let narrow = try file("match_id,innings\n")
        defer { try? FileManager.default.removeItem(atPath: narrow) }
        #expect {
            try InningsTotals(path: narrow)
        } throws: {
            "\($0)".contains("no column runs")
        }
    }

    @Test func aFileWithoutAMatchIsReported() {
        let findings = verify("{\"info\": {}}")
        #expect(findings.format == "unreadable")
        #expect(findings.reasons.first?.hasPrefix("file: ") == true)
    }

    @Test func onlyKnownFaultsExplainADifference() {
        let faults = KnownFaults(markdown: "# Page\n| id | format | reason |\n|---|---|---|\n| 7 | t20 | Mistyped. |\n")
        #expect(faults.count == 1 && faults["7"] == "Mistyped." && faults["8"] == nil)
        var report = VerifyReport()
        for id in ["7", "8"] {
            report.add(MatchFindings(id: id, format: "t20", deliveries: 5, reasons: ["result: wrong"]), faults: faults)
        }
        report.add(MatchFindings(id: "9", format: "odi", deliveries: 6, reasons: []), faults: faults)
        #expect(report.sum.matches == 3 && report.sum.deliveries == 16)
        #expect(report.sum.agree == 1 && report.sum.explained == 1 && report.sum.unexplained == 1)
        #expect(report.text.contains("unexplained  t20 8: result: wrong"))
        #expect(String(decoding: report.json, as: UTF8.self).contains(#""explanation":"Mistyped.""#))
    }

    @Test func theCommittedListIsRead() {
        #expect((1...60).contains(KnownFaults.committed.count))
        #expect(KnownFaults.committed["1120113"] != nil)
    }

    @Test func foldersAreReadOnAllCores() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "verify-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        try FileManager.default.createDirectory(at: folder.appending(path: "T20"), withIntermediateDirectories: true)
        for name in ["1.json", "T20/2.json"] { try Data(match.utf8).write(to: folder.appending(path: name)) }
        try Data("x".utf8).write(to: folder.appending(path: "notes.txt"))
        let files = try MatchFile.files(at: [folder.path])
        let run = VerifyRun(files: files, totals: nil, faults: KnownFaults(markdown: ""), workers: 2)
        let report = await run.run { _ in }
        #expect(report.sum.matches == 2 && report.sum.agree == 2)
        #expect {
            try MatchFile.files(at: [folder.path + "/none"])
        } throws: {
            "\($0)".hasPrefix("There is no file or folder")
        }
    }

    @Test(.needsRecordedMatches) func everySpecialMatchAgreesOrIsExplained() async throws {
        let run = VerifyRun(
            files: try MatchFile.files(at: [MatchArchive.specialFolder().path]),
            totals: try InningsTotals(path: RecordedData.url("cricsheet/innings_totals.csv").path),
            faults: .committed,
            workers: 2
        )
        let report = await run.run { _ in }
        #expect(report.sum.matches == 287)
        #expect(report.sum.unexplained == 0, "\(report.text)")
    }
}
