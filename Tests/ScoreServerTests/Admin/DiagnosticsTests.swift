// Settings with their sources, and a report about a node without its secrets.

import CoreMetrics
import MatchSamples
import ScoreTypes
import Testing

@testable import ScoreServer

@Suite struct DiagnosticsTests {
    private static let secret = "postgresql://score:hunter2@db/score"

    private static func facts() -> NodeFacts {
        let environment = ["DATABASE_URL": secret, "LOG_LEVEL": "debug", "NODE_ID": ""]
        let file = ["LOG_LEVEL": "error", "APNS_CONNECTIONS": "3", "NODE_ID": "from-file", "FEED_URL": ""]
        var facts = NodeFacts(id: NodeID(unchecked: "n1"))
        facts.settings = EffectiveSetting.all(environment: environment, file: file)
        return facts
    }

    @Test func eachSettingHasItsSource() async throws {
        var stubs = TestDependencies()
        stubs.facts = Self.facts()
        try await withServer(stubs) { server in
            let viewer = try await server.token(.viewer)
            let answer = try await server.internalClient.get("/admin/api/v1/config", viewer)
            #expect(answer.status == 200 && !answer.text.contains("hunter2"))
            let items = answer.json["items"]?.list ?? []
            #expect(items.count == ConfigurationKeys.all.count)
            func item(_ name: String) throws -> JSONValue {
                try #require(items.first { $0["name"]?.string == name })
            }
            for (name, source, value) in [
                ("log.level", "environment", "debug"), ("apns.connections", "file", "3"),
                ("node.id", "default", "node-1"), ("feed.url", "default", ""), ("http.public.port", "default", "8080"),
                ("feed.key", "default", "unset"),
            ] {
                let setting = try item(name)
                #expect(setting["source"]?.string == source && setting["value"]?.string == value, "\(name)")
            }
            let url = try item("database.url")
            #expect(url["set"] == .bool(true) && url["secret"] == .bool(true))
            #expect(url["value"]?.string?.wholeMatch(of: #/set \([0-9a-f]{8}\)/#) != nil)
        }
        let other = EffectiveSetting.all(environment: ["DATABASE_URL": Self.secret + "2"], file: [:])
        #expect(
            other.first { $0.key.name == "database.url" }?.shown
                != Self.facts().settings.first { $0.key.isSecret }?.shown
        )
    }

    @Test("S40: the report has every part and no secret") func theReportHasEveryPartAndNoSecret() async throws {
        var stubs = TestDependencies()
        stubs.facts = Self.facts()
        stubs.facts.databaseVersion = { throw ServiceProblem.unavailable("db") }
        stubs.nodes.list = [Samples.node("n1")]
        stubs.facts.logs.ring.put(Array(#"{"level":"warning","msg":"match not published"}"#.utf8))
        PrometheusMetricsFactory(registry: stubs.metrics).makeCounter(label: "feed.requests", dimensions: []).increment(
            by: 3
        )
        try await withServer(stubs) { server in
            let admin = try await server.token(.admin)
            let answer = try await server.internalClient.get("/admin/api/v1/diagnostics/bundle", admin)
            #expect(answer.status == 200 && !answer.text.contains("hunter2"))
            #expect(answer["Content-Disposition"]?.hasPrefix("attachment; filename=\"score-server-n1-") == true)
            let report = answer.json
            #expect(report["warnings"]?.list.first?["msg"]?.string == "match not published")
            #expect(report["metrics"]?.list.contains(.text("score_feed_requests_total 3")) == true)
            #expect(report["versions"]?["postgres"]?["error"]?.string != nil, "a part that fails says why")
            #expect(report["nodes"]?.list.first?["id"]?.string == "n1")
            for part in ["settings", "overview", "sweeps", "flags", "logLevels"] {
                #expect(report[part] != nil, "\(part)")
            }
        }
    }
}
