// An independent re-add of every innings, read from a table, so that the engine is not its own witness.

import ArgumentParser
import Foundation
import MatchEngine

/// The rows of a table of innings totals, by match.
struct InningsTotals: Sendable {
    private let header: [Substring]
    private let rows: [Substring: [[Substring]]]

    /// Reads comma-separated values with a header.
    init(path: String) throws(ValidationError) {
        guard let data = FileManager.default.contents(atPath: path), data.count <= LabLimits.totalsFileBytes else {
            throw ValidationError("Cannot read \(path); give a table of innings totals in CSV.")
        }
        let lines = String(decoding: data, as: UTF8.self).split(whereSeparator: \.isNewline)
        header = lines.first?.split(separator: ",", omittingEmptySubsequences: false) ?? []
        for column in ["match_id", "innings"] + Self.columns.map(\.name) where !header.contains(Substring(column)) {
            throw ValidationError("\(path) has no column \(column); the first line must name the columns.")
        }
        let id = header.firstIndex(of: "match_id") ?? 0
        rows = Dictionary(
            grouping: lines.dropFirst().map { $0.split(separator: ",", omittingEmptySubsequences: false) }
                .filter { $0.count > id }
        ) { $0[id] }
    }

    /// Where the engine's innings differ from the table; a match that the table lacks is said to be missing.
    func reasons(match: String, state: MatchState) -> [String] {
        guard let rows = rows[Substring(match)] else { return ["totals: the table has no row of this match"] }
        guard rows.count == state.innings.count else {
            return ["totals: the table has \(rows.count) innings, the engine \(state.innings.count)"]
        }
        return rows.flatMap { row in self.reasons(row: row, state: state) }
    }

    private func reasons(row: [Substring], state: MatchState) -> [String] {
        guard let ordinal = number("innings", of: row),
            let card = state.innings.first(where: { $0.info.ordinal == ordinal })
        else { return ["totals: a row of the table names no innings of the match"] }
        return Self.columns.compactMap { column in
            let expected = number(column.name, of: row) ?? 0
            let found = column.value(card)
            guard expected != found else { return nil }
            return "innings \(ordinal): \(column.name) is \(found), the table has \(expected)"
        }
    }

    private func number(_ column: String, of row: [Substring]) -> Int? {
        guard let index = header.firstIndex(of: Substring(column)), row.indices.contains(index) else { return nil }
        return Int(row[index])
    }

    private static let columns: [(name: String, value: @Sendable (InningsState) -> Int)] = [
        ("runs", { $0.runs }),
        ("wickets", { $0.wickets }),
        ("legal_balls", { $0.legalBalls }),
        ("deliveries", { $0.deliveries }),
        ("byes", { $0.extras.byes }),
        ("legbyes", { $0.extras.legByes }),
        ("wides", { $0.extras.wides }),
        ("noballs", { $0.extras.noBalls }),
        ("penalty_on_ball", { $0.extras.penalty - $0.info.penaltyBefore - $0.info.penaltyAfter }),
        ("penalty_pre", { $0.info.penaltyBefore }),
        ("penalty_post", { $0.info.penaltyAfter }),
        ("declared", { $0.info.isDeclared ? 1 : 0 }),
        ("forfeited", { $0.info.isForfeited ? 1 : 0 }),
        ("super_over", { $0.isSuperOver ? 1 : 0 }),
    ]
}
