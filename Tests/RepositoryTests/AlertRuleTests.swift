// Alerts, dashboards and runbooks name only metrics, pages and routes that exist.

import Foundation
import Testing

@Suite struct AlertRuleTests {
    /// An alert of deploy/prometheus/rules, as its lines in the file.
    struct Alert: Sendable, CustomTestStringConvertible {
        let name: String
        let text: String
        var testDescription: String { name }

        /// The text behind a key, without quotation marks.
        func value(of key: String) -> String? {
            guard let start = text.firstRange(of: "\(key): ")?.upperBound else { return nil }
            return text[start...].prefix { $0 != "\n" }.trimmingCharacters(in: ["'", " "])
        }

        /// The path behind the address that prometheus.yml sets.
        func path(of key: String, label: String) -> String? {
            let prefix = "{{ $externalLabels.\(label) }}"
            guard let link = value(of: key), link.hasPrefix(prefix) else { return nil }
            return String(link.dropFirst(prefix.count))
        }
    }

    static let rules = Repository.files(below: "deploy/prometheus/rules", ending: ".yml")

    static let alerts: [Alert] = rules.flatMap { file in
        file.text.components(separatedBy: "      - alert: ").dropFirst().map { part in
            let own = part.components(separatedBy: "      - record: ")[0]
            return Alert(name: String(own.prefix { $0 != "\n" }), text: own)
        }
    }

    static let runbooks = Repository.files(below: "docs/runbooks", ending: ".md").filter {
        !$0.path.hasSuffix("README.md")
    }

    /// The paths of openapi.yaml.
    static let routes = Result {
        let lines = try Repository.text(of: "openapi.yaml").components(separatedBy: "\n")
        return lines.compactMap { $0.wholeMatch(of: #/  (\/\S*):/#)?.1.split(separator: "/") }
    }

    /// Whether a path is one of the routes, with any text in place of a parameter.
    static func isRoute(_ path: String, in routes: [[Substring]]) -> Bool {
        let parts = path.split(separator: "?")[0].split(separator: "/")
        return routes.contains { route in
            route.count == parts.count && zip(route, parts).allSatisfy { $0.hasPrefix("{") || $0 == $1 }
        }
    }

    /// The metrics in a text, without the suffixes of the series of a histogram.
    static func metrics(in text: String, histograms: Set<String>) -> Set<String> {
        let names = text.matches(of: #/\b(?:score|process)_\w+/#).map { String($0.output) }
        return Set(
            names.map { name in
                let ends = ["_bucket", "_count", "_sum"].filter { name.hasSuffix($0) }
                let bases = ends.map { String(name.dropLast($0.count)) }
                return bases.first(where: histograms.contains) ?? name
            }
        )
    }

    @Test func theRulesHaveAlerts() {
        #expect(Self.alerts.count >= 50)
        #expect(Set(Self.alerts.map(\.name)).count == Self.alerts.count, "an alert is there twice")
    }

    @Test(arguments: alerts) func anAlertIsComplete(_ alert: Alert) throws {
        #expect(alert.text.contains(#/severity: (?:page|ticket)\}/#))
        #expect(alert.value(of: "summary")?.isEmpty == false)
        #expect(alert.value(of: "description")?.contains("$value") == true, "the description has no value")
        let console = try #require(alert.path(of: "console_url", label: "console"))
        let routes = try Self.routes.get()
        #expect(Self.isRoute(console, in: routes), "\(console) is no page")
        let runbook = try #require(alert.path(of: "runbook_url", label: "console"))
        let page = try #require(runbook.wholeMatch(of: #/\/admin(\/runbooks\/[a-z-]+)/#)).1
        let text = try Repository.text(of: "docs\(page).md")
        #expect(text.has("`\(alert.name)`"), "\(runbook) does not name the alert")
        let tests = Repository.files(below: "deploy/prometheus/tests", ending: ".yml")
        #expect(tests.contains { $0.text.has("name: \(alert.name)\n") }, "promtool does not test the alert")
    }

    @Test(arguments: runbooks.map(\.path)) func aRunbookIsComplete(_ path: String) throws {
        let text = try Repository.text(of: path)
        let headings = [
            "Symptom", "User impact", "First three checks", "Safe actions", "Dangerous actions", "Recovery",
        ]
        #expect(text.matches(of: #/(?m)^## (.*)$/#).map { String($0.1) } == headings)
        #expect(text.matches(of: #/(?m)^[123]\. /#).count == 3)
        let names = try #require(text.firstMatch(of: #/(?m)^Alerts: (.*)$/#)).1.matches(of: #/`(\w+)`/#)
        for name in names { #expect(Self.alerts.contains { $0.name == name.1 }, "\(name.1) is no alert") }
        let overview = try Repository.text(of: "docs/runbooks/README.md")
        #expect(overview.has("(\(path.split(separator: "/").last ?? ""))"))
    }

    @Test func runbooksNameRoutesThatExist() throws {
        let routes = try Self.routes.get()
        for file in Self.runbooks {
            for call in file.text.matches(of: #/call (?:GET|POST|PUT|DELETE) '?(\/[\w\/.?=&-]+)/#) {
                #expect(Self.isRoute(String(call.1), in: routes), "\(file.path) calls \(call.1)")
            }
            for path in file.text.matches(of: #/(?:\/admin|\/internal)\/[\w\/.-]+/#) {
                #expect(Self.isRoute(String(path.output), in: routes), "\(file.path) names \(path.output)")
            }
        }
    }

    @Test func rulesDashboardsAndRunbooksNameMetricsThatExist() throws {
        let rows = try MetricsTests.rows()
        let process = [
            "process_start_time_seconds", "process_resident_memory_bytes", "process_open_fds", "process_max_fds",
        ]
        let known = Set(rows.map(\.name) + process)
        let histograms = Set(rows.filter { $0.kind == "histogram" }.map(\.name))
        let recorded = Set(Self.rules.flatMap { $0.text.matches(of: #/record: (score:\w+:\w+)/#).map { String($0.1) } })
        let dashboards = Repository.files(below: "deploy/grafana", ending: ".json")
        #expect(dashboards.count == 6)
        for file in Self.rules + dashboards + Self.runbooks {
            let unknown = Self.metrics(in: file.text, histograms: histograms).subtracting(known).sorted()
            #expect(unknown.isEmpty, "\(file.path) has \(unknown), which the server does not export")
            for name in file.text.matches(of: #/score:\w+:\w+/#) {
                #expect(
                    recorded.contains(String(name.output)),
                    "\(file.path) has \(name.output), which no rule records"
                )
            }
        }
    }
}
