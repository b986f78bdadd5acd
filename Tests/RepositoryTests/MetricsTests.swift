// On the night of a final nobody reads sources: docs/metrics.md has every metric that they export, and no other.

import Foundation
import Testing

@Suite struct MetricsTests {
    /// Keys of providers' replies that begin like our metrics.
    static let foreign: Set<String> = ["score_id", "score_reviewed_ball_index"]

    /// What a call makes of the name that it is given.
    static let makers = [
        "Counter": "counter", "counters": "counter", "increase": "counter",
        "Gauge": "gauge", "Meter": "gauge", "gauge": "gauge",
        "Timer": "histogram", "Recorder": "histogram",
    ]

    /// A row of a table of the document.
    struct Row: Hashable {
        let name: String
        let kind: String
    }

    static func rows() throws -> [Row] {
        let document = try House.text(of: "docs/metrics.md")
        return document.components(separatedBy: "\n").compactMap { line -> Row? in
            guard let row = line.firstMatch(of: #/^\| `(\w+)` \| (\w+) \|/#) else { return nil }
            return Row(name: String(row.1), kind: String(row.2))
        }
    }

    /// Every literal of the sources that is the name of a metric.
    static func literals() -> Set<String> {
        var names: Set<String> = []
        for file in House.sources {
            for line in file.lines where line.contains("\"score_") || line.contains("# TYPE ") {
                for literal in line.matches(of: #/"(score_\w+)"/#) { names.insert(String(literal.1)) }
                for typed in line.matches(of: #/TYPE (\w+) (?:counter|gauge|histogram)/#) {
                    names.insert(String(typed.1))
                }
            }
        }
        return names.subtracting(foreign)
    }

    /// What the sources make of each name: by the call that is given it, or by the type that is written beside it.
    static func kinds() -> [String: Set<String>] {
        var kinds: [String: Set<String>] = [:]
        for file in House.sources {
            let text = file.lines.joined(separator: "\n")
            guard text.contains("\"score_") || text.contains("# TYPE ") else { continue }
            for call in text.matches(of: #/(\w+)\(\s*(?:label: )?"(score_\w+)"/#) {
                if let kind = makers[String(call.1)] { kinds[String(call.2), default: []].insert(kind) }
            }
            for typed in text.matches(of: #/TYPE (\w+) (counter|gauge|histogram)/#) {
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
        #expect(invented.isEmpty, "docs/metrics.md has rows for \(invented), which nothing exports")
    }

    @Test func rowsHaveTheTypeThatIsExported() throws {
        let kinds = Self.kinds()
        for row in try Self.rows() {
            let known = kinds[row.name, default: []].sorted()
            #expect(known == [row.kind], "docs/metrics.md calls \(row.name) a \(row.kind)")
            // The factory adds what a label lacks, so that a name without it would be exported as another.
            if row.kind == "counter" { #expect(row.name.hasSuffix("_total"), "\(row.name)") }
        }
    }

    @Test func textSpeaksOfMetricsThatAreThere() throws {
        let literals = Self.literals()
        for word in try House.text(of: "docs/metrics.md").matches(of: #/score_\w+/#) {
            let name = String(word.output)
            #expect(literals.contains(name), "docs/metrics.md speaks of \(name)")
        }
    }

    /// A name that is put together, or lacks its prefix, would be exported and found by nobody.
    @Test func namesAreWrittenInFull() {
        for file in House.sources {
            let imports = file.lines.filter { $0.hasSuffix("import Metrics") || $0.hasSuffix("import CoreMetrics") }
            guard !imports.isEmpty else { continue }
            let text = file.lines.joined(separator: "\n")
            for call in text.matches(of: #/(\w+)\(\s*label: ([^\s,)]+)/#) where Self.makers[String(call.1)] != nil {
                let label = String(call.2)
                // What helpers are given stands in full where they are called.
                let isFull = label.hasPrefix("\"score_") || label == "label" || label == "name"
                #expect(isFull, "\(file.path) makes a metric of \(label)")
            }
        }
    }
}
