// docs/metrics.md, the reference of operators, lists exactly the metrics that the server exports.

import Foundation
import Testing

@Suite struct MetricsTests {
    /// Keys of providers' replies with the prefix of our metrics.
    static let foreign: Set<String> = ["score_id", "score_reviewed_ball_index"]

    /// The type of the metric that a call makes, by the call's name.
    static let makers = [
        "Counter": "counter", "counters": "counter", "increase": "counter", "started": "counter",
        "Gauge": "gauge", "Meter": "gauge", "gauge": "gauge",
        "Timer": "histogram", "Recorder": "histogram",
    ]

    /// A row of a table of the document.
    struct Row: Hashable {
        let name: String
        let kind: String
    }

    static func rows() throws -> [Row] {
        let document = try Repository.text(of: "docs/metrics.md")
        return document.components(separatedBy: "\n").compactMap { line -> Row? in
            guard let row = line.firstMatch(of: #/^\| `(\w+)` \| (\w+) \|/#) else { return nil }
            return Row(name: String(row.1), kind: String(row.2))
        }
    }

    /// All names of metrics in string literals of the sources.
    static func literals() -> Set<String> {
        var names: Set<String> = []
        for file in Repository.sources {
            for (_, line) in file.lines(with: "\"score_", "# TYPE ") {
                for literal in line.matches(of: #/"(score_\w+)"/#) { names.insert(String(literal.1)) }
                for typed in line.matches(of: #/TYPE (\w+) (?:counter|gauge|histogram)/#) {
                    names.insert(String(typed.1))
                }
            }
        }
        return names.subtracting(foreign)
    }

    /// The types of each metric in the sources: by the call that makes it, or by the type beside its name.
    static func kinds() -> [String: Set<String>] {
        var kinds: [String: Set<String>] = [:]
        for file in Repository.sources {
            guard file.text.has("\"score_") || file.text.has("# TYPE ") else { continue }
            for call in file.text.matches(of: #/(\w+)\(\s*(?:label: )?"(score_\w+)"/#) {
                if let kind = makers[String(call.1)] { kinds[String(call.2), default: []].insert(kind) }
            }
            for typed in file.text.matches(of: #/TYPE (\w+) (counter|gauge|histogram)/#) {
                kinds[String(typed.1), default: []].insert(String(typed.2))
            }
        }
        return kinds
    }

    @Test func documentAndSourcesHaveTheSameMetrics() throws {
        let rows = try Self.rows().map(\.name)
        let literals = Self.literals()
        #expect(Set(rows).count == rows.count, "docs/metrics.md has a metric twice")
        let missing = literals.subtracting(rows).sorted()
        #expect(missing.isEmpty, "docs/metrics.md has no row for \(missing)")
        let invented = Set(rows).subtracting(literals).sorted()
        #expect(invented.isEmpty, "docs/metrics.md has rows for \(invented), which the server does not export")
    }

    @Test func rowsHaveTheExportedType() throws {
        let kinds = Self.kinds()
        for row in try Self.rows() {
            let known = kinds[row.name, default: []].sorted()
            #expect(known == [row.kind], "docs/metrics.md gives \(row.name) the type \(row.kind)")
            // The factory adds a missing suffix, so that the metric would be exported under another name.
            if row.kind == "counter" { #expect(row.name.hasSuffix("_total"), "\(row.name)") }
        }
    }

    @Test func theDocumentContainsExportedMetricsOnly() throws {
        let literals = Self.literals()
        for word in try Repository.text(of: "docs/metrics.md").matches(of: #/score_\w+/#) {
            let name = String(word.output)
            #expect(literals.contains(name), "docs/metrics.md contains \(name), which the server does not export")
        }
    }

    /// The other tests do not find a name that is concatenated or lacks its prefix.
    @Test func namesAreWrittenInFull() {
        for file in Repository.sources {
            guard file.text.has("import Metrics\n") || file.text.has("import CoreMetrics\n") else { continue }
            for call in file.text.matches(of: #/(\w+)\(\s*label: ([^\s,)]+)/#) where Self.makers[String(call.1)] != nil
            {
                let label = String(call.2)
                // The callers of helpers pass the full name.
                let isFull = label.hasPrefix("\"score_") || label == "label" || label == "name"
                #expect(isFull, "\(file.path) makes a metric of \(label)")
            }
        }
    }
}
