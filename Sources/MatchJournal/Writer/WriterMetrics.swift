// Appends are counted for all matches together: labels by match would have no bound.

internal import Metrics

/// Counts what the writers append.
struct WriterMetrics: Sendable {
    private let revisions = Counter.started("score_revisions_total", by: "cause", PublicationCause.allCases)
    private let reloads = Counter.started("score_journal_reloads_total")
    private let epochs = Counter.started("score_epoch_changes_total")

    func appended(_ append: JournalAppend) {
        revisions[append.cause]?.increment(by: append.changes.count)
        if append.epoch != nil { epochs.increment() }
    }

    /// The head had moved, or the fate of a commit was unknown.
    func reloaded() { reloads.increment() }
}
