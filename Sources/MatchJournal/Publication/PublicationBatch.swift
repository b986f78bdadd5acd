// Newest first: states that were overtaken are never sent, but what they had to tell rides on.

internal import MatchEngine
internal import ScoreTypes

/// The publications of a match that were not yet sent, seen as one.
struct PublicationBatch: Sendable {
    /// Older alerts are not news any more and are dropped (postgres.md section 8).
    static let alertAgeMax: Duration = .seconds(60)

    /// The newest row; its state is what is sent.
    let head: PublicationRow
    /// The head, and the rows before it that are young enough to be told.
    let fresh: [PublicationRow]
    /// The happenings that the fresh rows tell.
    let told: Set<MomentIdentity>
    /// The last fresh revision that must reach phones even if they would draw the same.
    let insistence: Int64?

    /// nil when there are no rows.
    ///
    /// - Parameters:
    ///   - rows: What was not yet sent, in order of revision.
    ///   - confirmed: The keys that the entry of a revision confirms; what it does not name was spent untold.
    ///   - now: Postgres' clock.
    init?(_ rows: [PublicationRow], confirmed: [Int64: [MomentKey]], now: Instant) {
        guard let head = rows.last else { return nil }
        self.head = head
        let fresh = rows.filter { $0.revision == head.revision || now - $0.at < Self.alertAgeMax }
        self.fresh = fresh
        insistence = fresh.last { $0.cause.insists }?.revision
        told = Set(
            fresh.filter { $0.cause == .confirmation }.flatMap { row in
                row.told.filter { confirmed[row.revision]?.contains($0.key) == true }.map(MomentIdentity.init)
            }
        )
    }
}
