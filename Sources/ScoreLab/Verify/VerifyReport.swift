// The report of many verified matches: a table by format, then one line for each disagreement.

import ScoreTypes

/// Counts and disagreements of a verification.
struct VerifyReport: Report, Sendable {
    /// One match that does not agree in everything.
    struct Disagreement: Sendable {
        let id: String
        let format: String
        let reason: String
        /// The known fault of the data; nil when nothing explains it.
        let explanation: String?
    }

    /// One format's row.
    struct Row: Sendable {
        var matches = 0
        var deliveries = 0
        var agree = 0
        var explained = 0
        var unexplained = 0

        static func += (sum: inout Row, row: Row) {
            sum.matches += row.matches
            sum.deliveries += row.deliveries
            sum.agree += row.agree
            sum.explained += row.explained
            sum.unexplained += row.unexplained
        }
    }

    private(set) var rows: [String: Row] = [:]
    private(set) var disagreements: [Disagreement] = []
    var seconds = 0.0

    /// All formats together.
    var sum: Row { rows.values.reduce(into: Row()) { $0 += $1 } }

    /// Counts one match.
    mutating func add(_ findings: MatchFindings, faults: KnownFaults) {
        let agrees = findings.reasons.isEmpty
        let explanation = agrees ? nil : faults[findings.id]
        rows[findings.format, default: Row()] += Row(
            matches: 1,
            deliveries: findings.deliveries,
            agree: agrees ? 1 : 0,
            explained: explanation == nil ? 0 : 1,
            unexplained: agrees || explanation != nil ? 0 : 1
        )
        disagreements += findings.reasons.map {
            Disagreement(id: findings.id, format: findings.format, reason: $0, explanation: explanation)
        }
        if !agrees { disagreements.sort { ($0.id, $0.reason) < ($1.id, $1.reason) } }
    }

    /// The table, then a line for each disagreement, the unexplained last.
    var text: String {
        let heads = ["format", "matches", "deliveries", "agree", "explained", "unexplained"]
        var lines = [Self.line(heads)]
        for (format, row) in rows.sorted(by: { $0.key < $1.key }) { lines.append(Self.line(format, row)) }
        lines.append(Self.line("all", sum))
        for entry in disagreements.filter({ $0.explanation != nil }) {
            lines.append("explained    \(entry.format) \(entry.id): \(entry.reason) (\(entry.explanation ?? ""))")
        }
        for entry in disagreements.filter({ $0.explanation == nil }) {
            lines.append("unexplained  \(entry.format) \(entry.id): \(entry.reason)")
        }
        return lines.joined(separator: "\n")
    }

    /// One object; `disagreements` names explained and unexplained ones alike.
    var json: [UInt8] {
        JSONWriter.document { writer in
            writer.field("matches", sum.matches)
            writer.field("deliveries", sum.deliveries)
            writer.field("agree", sum.agree)
            writer.field("explained", sum.explained)
            writer.field("unexplained", sum.unexplained)
            writer.key("seconds")
            writer.raw("\((seconds * 100).rounded() / 100)".utf8)
            writer.objects("disagreements", disagreements) { entry, json in
                json.field("id", entry.id)
                json.field("format", entry.format)
                json.field("reason", entry.reason)
                json.field("explanation", ifPresent: entry.explanation)
            }
        }
    }

    private static func line(_ format: String, _ row: Row) -> String {
        line([format] + [row.matches, row.deliveries, row.agree, row.explained, row.unexplained].map(String.init))
    }

    private static func line(_ cells: [String]) -> String {
        cells.enumerated().map { index, cell in
            index == 0 ? cell.padded(to: 12) : String(repeating: " ", count: max(0, 12 - cell.count)) + cell
        }.joined()
    }
}
