// Feeds that disagree are visible to operators before spectators notice.

internal import Metrics
internal import ScoreTypes

/// Counts disagreements between feeds, and changes of the leading feed.
struct DisagreementMetrics: Sendable {
    private let disagreements: [FeedID: [Disagreement: Counter]]
    private let changes: [FeedID: Counter]

    init(feeds: [FeedID]) {
        var disagreements: [FeedID: [Disagreement: Counter]] = [:]
        var changes: [FeedID: Counter] = [:]
        for feed in feeds {
            for kind in Disagreement.allCases {
                let dimensions = [("feed", feed.text), ("kind", kind.rawValue)]
                let counter = Counter(label: "score_feed_disagreements_total", dimensions: dimensions)
                counter.increment(by: 0)
                disagreements[feed, default: [:]][kind] = counter
            }
            let counter = Counter(label: "score_feed_failovers_total", dimensions: [("feed", feed.text)])
            counter.increment(by: 0)
            changes[feed] = counter
        }
        self.disagreements = disagreements
        self.changes = changes
    }

    /// A feed begins to differ from the journal.
    func disagreed(_ feed: FeedID, _ kind: Disagreement) { disagreements[feed]?[kind]?.increment() }

    /// A feed leads a match that another one led.
    func changed(to feed: FeedID) { changes[feed]?.increment() }
}
