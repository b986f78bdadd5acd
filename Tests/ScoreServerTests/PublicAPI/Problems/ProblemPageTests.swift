// Each problem of the API and each trap of APNs has a page in docs/problems.md, which the server serves.

import Foundation
import PushDispatcher
import Testing

@testable import ScoreServer

@Suite struct ProblemPageTests {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    private static let file = root.appending(path: "docs/problems.md")

    /// The rules of the snapshot contract that a server can break or notice.
    ///
    /// The others concern the app's project alone.
    private static let rules: Set<String> = [
        "MS003", "MS004", "MS008", "MS011", "MS012", "MS014", "MS015", "MS016", "MS018", "MS019", "MS020", "MS021",
        "MS023",
        "MS028", "MS030", "MS031", "MS032", "MS034", "MS035", "MS036", "MS037", "MS038", "MS041",
    ]

    @Test func everyProblemHasAPage() async throws {
        try await withServer { server in
            for kind in ProblemKind.allCases {
                let page = try await server.publicClient.get("/v1/problems/\(kind.rawValue)")
                #expect(page.status == 200 && page.json["status"]?.int == Int64(kind.status), "\(kind)")
                #expect(page.json["type"]?.string == "/v1/problems/\(kind.rawValue)")
                #expect(page.json["title"]?.string == kind.title && kind.title != kind.rawValue)
            }
            #expect(try await server.publicClient.get("/v1/problems/none").status == 404)
            let all = try await server.publicClient.get("/v1/problems")
            #expect(all.json["items"]?.list.count == ProblemPage.all.count)
        }
        let problems = ProblemPage.all.filter { $0.status != nil }
        #expect(Set(problems.map(\.slug)) == Set(ProblemKind.allCases.map(\.rawValue)))
    }

    @Test func everyAnswerOfAPNsHasOnePage() async throws {
        for reason in APNsReason.allCases where reason != .none {
            let pages = ProblemPage.all.filter { $0.reasons.contains(reason) }
            #expect(pages.count == 1, "\(reason)")
            if let trap = reason.trap { #expect(pages.allSatisfy { $0.rules.contains(trap) }, "\(reason)") }
        }
        #expect(ProblemPage.page(of: .none) == nil)
        try await withServer { server in
            let page = try await server.publicClient.get("/v1/problems/apns-channel-unknown")
            #expect(page.status == 200 && page.json["status"] == nil)
            #expect(page.json["reasons"]?.list.first?.string == "ChannelNotRegistered")
            #expect(page.json["rules"]?.list.map(\.string) == ["MS031"])
            #expect(page.json["runbook"]?.string == "/admin/runbooks/channels")
        }
    }

    @Test func everyRuleThatConcernsAServerHasAPage() throws {
        #expect(Set(ProblemPage.all.flatMap(\.rules)) == Self.rules)
        #expect(Set(APNsReason.allCases.compactMap(\.trap)).isSubset(of: Self.rules))
    }

    @Test func everyPageIsComplete() {
        #expect(ProblemPage.bySlug.count == ProblemPage.all.count, "a slug is there twice")
        let runbooks = Set(Runbook.all.map(\.name))
        for page in ProblemPage.all {
            for text in [page.symptom, page.cause, page.fix] {
                #expect(text.count >= 10 && text.hasSuffix(".") || text.hasSuffix(")"), "\(page.slug): \(text)")
                #expect(!text.contains("\n") && !text.contains("  "), "\(page.slug)")
            }
            if let runbook = page.runbook { #expect(runbooks.contains(runbook), "\(page.slug): \(runbook)") }
        }
    }

    /// The headings of the file are those of the pages: none is dropped because of its form.
    @Test func thePagesAreTheFile() throws {
        let text = try String(contentsOf: Self.file, encoding: .utf8)
        let headings = text.split(separator: "\n").filter { $0.hasPrefix("### ") }
        #expect(headings.count == ProblemPage.all.count)
        #expect(ProblemPage.pages(of: text) == ProblemPage.all)
        let names = text.matches(of: #/`([A-Z]\w+|transport|other)`/#).map { String($0.output.1) }
            .filter { APNsReason(rawValue: $0) != nil }
        #expect(Set(names) == Set(APNsReason.allCases.filter { $0 != .none }.map(\.rawValue)))
    }
}
