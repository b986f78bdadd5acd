// The runbooks of the console are those of docs/runbooks, whole.

import Foundation
import Testing

@testable import ScoreServer

@Suite struct RunbookTests {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appending(path: "docs/runbooks")

    @Test func everyFileIsARunbookOfTheConsole() throws {
        let files = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path)
            .filter { $0.hasSuffix(".md") && $0 != "README.md" }.map { String($0.dropLast(3)) }
        #expect(Runbook.all.map(\.name) == files.sorted())
        for runbook in Runbook.all {
            #expect(!runbook.title.isEmpty && !runbook.alerts.isEmpty, "\(runbook.name)")
            let sections = runbook.blocks.compactMap { block -> String? in
                if case .heading(let text) = block { text } else { nil }
            }
            #expect(sections.first == "Symptom" && sections.last == "Recovery", "\(runbook.name): \(sections)")
        }
    }

    @Test func noWordOfAFileIsLost() throws {
        for runbook in Runbook.all {
            let file = Self.folder.appending(path: "\(runbook.name).md")
            var text = try String(contentsOf: file, encoding: .utf8)
            for link in text.matches(of: #/\[([^\]]*)\]\([^)]*\)/#).reversed() {
                text.replaceSubrange(link.range, with: link.output.1)
            }
            let shown = Self.letters(of: ([runbook.title] + runbook.blocks.flatMap(Self.texts)).joined())
            for line in text.split(separator: "\n") where !line.hasPrefix("Alerts: ") {
                let words = line.replacing(#/^(#+|-|[0-9]\.) /#, with: "")
                #expect(shown.contains(Self.letters(of: words)), "\(runbook.name)")
            }
        }
    }

    private static func letters(of text: some StringProtocol) -> String { String(text.filter { !" `".contains($0) }) }

    @Test func codeAndLinksAreSpans() {
        let spans = Runbook.spans("Call `GET /` and read [postgres](postgres.md) or [the rest](../operations.md).")
        #expect(spans.map(\.text) == ["Call ", "GET /", " and read ", "postgres", " or ", "the rest", "."])
        #expect(spans.map(\.isCode) == [false, true, false, false, false, false, false])
        #expect(spans.compactMap(\.runbook) == ["postgres"])
    }

    @Test func alertsLeadToTheirPage() async throws {
        try await withServer { server in
            let viewer = try await server.token(.viewer)
            let list = try await server.internalClient.get("/admin/runbooks", viewer)
            #expect(list.status == 200 && list.text.contains("/admin/runbooks/stuck-activity"))
            let page = try await server.internalClient.get("/admin/runbooks/apns-jwt", viewer)
            #expect(page.status == 200 && page.text.contains("<h2>First three checks</h2>"))
            #expect(page.text.contains("<code>") && page.text.contains("<ol><li>"))
            #expect(try await server.internalClient.get("/admin/runbooks/other", viewer).status == 404)
        }
    }

    private static func texts(of block: Runbook.Block) -> [String] {
        switch block {
        case .heading(let text): [text]
        case .paragraph(let spans): [spans.map(\.text).joined()]
        case .list(let items, _): items.map { $0.map(\.text).joined() }
        }
    }
}
