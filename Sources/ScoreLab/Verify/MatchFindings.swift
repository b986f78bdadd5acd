// One match held against what was published of it: what agrees, what does not, and why.

import MatchEngine
import Providers

/// The findings about one file.
struct MatchFindings: Sendable {
    /// The match's id: the name of its file.
    let id: String
    /// The kind of cricket, as in `Format`; `unreadable` when the file is no match.
    let format: String
    /// Balls folded.
    let deliveries: Int
    /// Everything that disagrees; empty when all agrees.
    let reasons: [String]

    /// Folds a file and holds it against its own result, its own sums and, where given, an independent re-add.
    static func verify(_ bytes: [UInt8], id: String, totals: InningsTotals?) -> MatchFindings {
        let snapshot: MatchSnapshot
        do throws(AdapterError) {
            snapshot = try CricsheetAdapter().snapshot(bytes)
        } catch {
            return MatchFindings(id: id, format: "unreadable", deliveries: 0, reasons: ["file: \(error)"])
        }
        var replica = MatchReplica()
        replica.apply(Differ.changes(from: MatchRecord(), to: snapshot))
        let state = replica.state
        var reasons = ScorecardCheck(state).reasons
        if let reason = ResultCheck(state: state, published: snapshot.result, info: snapshot.info).reason {
            reasons.append(reason)
        }
        if let totals { reasons += totals.reasons(match: id, state: state) }
        return MatchFindings(
            id: id,
            format: snapshot.info.format.rawValue,
            deliveries: snapshot.deliveries.count,
            reasons: reasons
        )
    }
}
