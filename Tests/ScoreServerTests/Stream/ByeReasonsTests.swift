// An app decides by the reason of a `bye`, so that the pages for its author list the reasons of the code.

import Foundation
import Testing

@testable import ScoreServer

@Suite struct ByeReasonsTests {
    private static let reasons = Set(StreamEnd.allCases.filter(\.hasBye).map(\.rawValue))
    private static let silent = Set(StreamEnd.allCases.map(\.rawValue)).subtracting(reasons)

    private static func page(_ name: String) throws -> String {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        return try String(contentsOf: root.appending(path: name), encoding: .utf8)
    }

    private static func names(in text: some StringProtocol) -> Set<String> {
        Set(String(text).matches(of: /`([A-Za-z]+)`/).map { String($0.1) })
    }

    @Test func theDescriptionOfBothStreamsListsThem() throws {
        let lists = try Self.page("openapi.yaml").matches(of: /`bye` ends a stream with a `reason` \(([^)]*)\)/)
        #expect(lists.count == 2)
        for list in lists { #expect(Self.names(in: list.1) == Self.reasons) }
    }

    @Test func thePageForAppsListsThem() throws {
        let page = try Self.page("docs/device-api.md")
        let table = try #require(page.firstMatch(of: /\| `reason` \| Meaning \|\n\|---\|---\|\n((?:\|.*\n)+)/))
        let rows = table.1.split(separator: "\n").compactMap { $0.split(separator: "|").first }
        #expect(Set(rows.flatMap { Self.names(in: $0) }) == Self.reasons && rows.count == Self.reasons.count)
    }

    @Test func thePageOfMetricsListsTheOthers() throws {
        let page = try Self.page("docs/metrics.md")
        let row = try #require(page.split(separator: "\n").first { $0.hasPrefix("| `score_sse_closes_total`") })
        #expect(Self.names(in: row.split(separator: "|").last ?? "").subtracting(["bye"]) == Self.silent)
    }
}
