// The page at /docs has all that openapi.yaml describes, and loads nothing.

import ScoreTypes
import Testing

@testable import ScoreServer

@Suite struct DescriptionPageTests {
    @Test func thePageHasEveryOperationParameterAndSchema() async throws {
        try await withServer { server in
            let page = try await server.internalClient.get("/docs")
            #expect(page.status == 200 && page["Content-Type"] == "text/html; charset=utf-8")
            let description = try APIDescription.embedded.get()
            for operation in description.operations {
                let id = operation.value.member("operationId")?.asText ?? "none"
                #expect(page.text.contains("<article id=\"\(id)\">"))
                #expect(page.text.contains("<code>\(operation.method) \(operation.path)</code>"))
            }
            let schemas = description.document.member("components")?.member("schemas")?.asMembers ?? []
            #expect(schemas.count > 30)
            for schema in schemas { #expect(page.text.contains("<article id=\"schema-\(schema.name)\">")) }
            #expect(page.text.contains("<code>Last-Event-ID</code>"))
            #expect(page.text.contains("<a href=\"#schema-Follow\">Follow</a>"))
            #expect(page.text.contains("&quot;teamIntent&quot;: "))
        }
    }

    @Test func thePageLoadsNothing() async throws {
        try await withServer { server in
            let pages = [try await server.internalClient.get("/docs"), try await server.internalClient.get("/docs")]
            let policies = try pages.map { try #require($0["Content-Security-Policy"]) }
            #expect(policies[0] != policies[1], "each answer has a nonce of its own")
            for (page, policy) in zip(pages, policies) {
                #expect(policy.hasPrefix("default-src 'none'; style-src 'nonce-"))
                #expect(!policy.contains("script") && policy.contains("frame-ancestors 'none'"))
                let nonce = try #require(policy.split(separator: "'").first { $0.hasPrefix("nonce-") }?.dropFirst(6))
                #expect(page.text.contains("<style nonce=\"\(nonce)\">"))
                for word in ["<script", "<link", "<img", "src=", "style=", "@import", "url("] {
                    #expect(!page.text.contains(word), "\(word)")
                }
                #expect(page["X-Frame-Options"] == "DENY" && page["Cache-Control"] == "no-store")
            }
            let wrong = ["Authorization": "Bearer ssa1.nobody.secret"]
            #expect(try await server.internalClient.get("/docs", wrong).status == 401)
            #expect(try await server.publicClient.get("/docs").status == 404)
        }
    }

    @Test func textOfTheDescriptionIsEscaped() throws {
        let yaml = "info: {title: '<script>alert(1)</script>'}\ntags: [{name: 'a&b', description: x}]\n"
        let page = try DescriptionPage(APIDescription(reading: Array(yaml.utf8)))
        let html = page.html(nonce: "n")
        #expect(!html.contains("<script>") && html.contains("&lt;script&gt;") && html.contains("a&amp;b"))
    }
}
