// That two feeds disagree is found out here, or by the people on the sofa.

internal import Metrics
internal import ScoreTypes

/// Counts disagreements and changes of who speaks.
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

    /// A feed says something otherwise than is stored, which it did not before.
    func disagreed(_ feed: FeedID, _ kind: Disagreement) { disagreements[feed]?[kind]?.increment() }

    /// A feed speaks for a match that another spoke for.
    func changed(to feed: FeedID) { changes[feed]?.increment() }
}
