// Overtaken states are never sent, but the newest state carries their alerts.

internal import MatchEngine
internal import ScoreTypes

/// The unsent publications of a match as one.
struct PublicationBatch: Sendable {
    /// The newest row; its state is what is sent.
    let head: PublicationRow
    /// The head, and the rows before it whose alerts are young enough.
    let fresh: [PublicationRow]
    /// The events that the fresh rows announce, each with the row that confirmed it.
    let announced: [MomentIdentity: PublicationRow]
    /// The last fresh revision that must reach phones even if their content does not change.
    let forcedRevision: Int64?

    /// Joins the unsent rows, in order of revision; nil when there are none.
    ///
    /// `confirmed` has the keys that the entry of a revision confirms: other keys of the row were too old to announce.
    init?(_ rows: [PublicationRow], confirmed: [Int64: [MomentKey]], now: Instant) {
        guard let head = rows.last else { return nil }
        self.head = head
        let fresh = rows.filter { $0.revision == head.revision || now - $0.at < JournalLimits.alertAge }
        self.fresh = fresh
        forcedRevision = fresh.last { $0.cause.isSentUnchanged }?.revision
        announced = fresh.filter { $0.cause == .confirmation }.reduce(into: [:]) { found, row in
            for moment in row.announced where confirmed[row.revision]?.contains(moment.key) == true {
                found[MomentIdentity(moment)] = row
            }
        }
    }
}
