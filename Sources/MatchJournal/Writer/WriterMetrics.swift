// Appends are counted for all matches together: labels by match would have no bound.

internal import Metrics

/// Counts what the writers append.
struct WriterMetrics: Sendable {
    private let revisions: [PublicationCause: Counter]
    private let reloads = Counter(label: "score_journal_reloads_total")

    init() {
        revisions = Dictionary(
            uniqueKeysWithValues: PublicationCause.allCases.map { cause in
                (cause, Counter(label: "score_revisions_total", dimensions: [("cause", cause.rawValue)]))
            }
        )
        for counter in revisions.values { counter.increment(by: 0) }
        reloads.increment(by: 0)
    }

    func appended(_ append: JournalAppend) { revisions[append.cause]?.increment(by: append.changes.count) }

    /// The head had moved, or the fate of a commit was unknown.
    func reloaded() { reloads.increment() }
}
