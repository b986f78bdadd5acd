// Feeds that disagree are visible to operators before spectators notice.

internal import MatchJournal
internal import Metrics
internal import ScoreTypes

/// Counts disagreements between feeds, and changes of the leading feed.
struct DisagreementMetrics: Sendable {
    private let disagreements: [FeedID: [Disagreement: Counter]]
    private let changes: [FeedID: Counter]

    init(feeds: [FeedID]) {
        let places = Dictionary(uniqueKeysWithValues: feeds.map { ($0, [("feed", $0.text)]) })
        changes = places.mapValues { Counter.started("score_feed_failovers_total", $0) }
        disagreements = places.mapValues {
            Counter.started("score_feed_disagreements_total", $0, by: "kind", Disagreement.allCases)
        }
    }

    /// A feed begins to differ from the journal.
    func disagreed(_ feed: FeedID, _ kind: Disagreement) { disagreements[feed]?[kind]?.increment() }

    /// A feed leads a match that another one led.
    func changed(to feed: FeedID) { changes[feed]?.increment() }
}
