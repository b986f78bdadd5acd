// The metrics of a feed, each made at the start, so that a rate is known before the first failure.

internal import Metrics
internal import ScoreTypes

/// Counts what happens to a feed.
struct FeedMetrics: Sendable {
    /// What a reply changed.
    enum ChangeKind: String, CaseIterable {
        case applied, noop, duplicate, held, outOfOrder, rejected, standby
    }

    private let requests: [FetchLabel: Counter]
    private let changes: [ChangeKind: Counter]
    private let quarantined: [String: Counter]
    private let duration: Timer
    private let size: Recorder
    private let lastSuccess: Gauge
    private let breaker: Gauge
    private let interval: Gauge
    private let lag: Recorder
    private let unknownWords: Gauge
    private let budgetWaits: Counter
    private let listsCut: Counter

    init(feed: FeedID) {
        let place = [("feed", feed.text)]
        func counters<Key: Hashable>(_ name: String, _ label: String, _ keys: [(Key, String)]) -> [Key: Counter] {
            Dictionary(
                uniqueKeysWithValues: keys.map { key, word in
                    let counter = Counter(label: name, dimensions: place + [(label, word)])
                    counter.increment(by: 0)
                    return (key, counter)
                }
            )
        }
        requests = counters("score_feed_requests_total", "outcome", FetchLabel.allCases.map { ($0, $0.rawValue) })
        changes = counters("score_feed_changes_total", "kind", ChangeKind.allCases.map { ($0, $0.rawValue) })
        let causes = GateReason.allCases.map(\.rawValue) + ["badJson", "badSchema"]
        quarantined = counters("score_feed_quarantined_payloads_total", "cause", causes.map { ($0, $0) })
        duration = Timer(label: "score_feed_request_duration_seconds", dimensions: place)
        size = Recorder(label: "score_feed_response_bytes", dimensions: place)
        lastSuccess = Gauge(label: "score_feed_last_success_timestamp_seconds", dimensions: place)
        breaker = Gauge(label: "score_feed_breaker_state", dimensions: place)
        interval = Gauge(label: "score_feed_poll_interval_seconds", dimensions: place)
        lag = Recorder(label: "score_feed_lag_seconds", dimensions: place)
        unknownWords = Gauge(label: "score_feed_unknown_words", dimensions: place)
        budgetWaits = Counter(label: "score_feed_budget_waits_total", dimensions: place)
        listsCut = Counter(label: "score_feed_lists_cut_total", dimensions: place)
        breaker.record(0)
        budgetWaits.increment(by: 0)
        listsCut.increment(by: 0)
    }

    /// A request waits for the budget.
    func overBudget() { budgetWaits.increment() }

    /// A list has more pages than are requested.
    func listWasCut() { listsCut.increment() }

    func requested(_ label: FetchLabel) { requests[label]?.increment() }

    func answered(in time: Duration, bytes: Int) {
        duration.recordNanoseconds(Int64(time / .nanoseconds(1)))
        size.record(bytes)
    }

    /// A list or a snapshot could be read.
    func wasRead(at now: Instant) { lastSuccess.record(now.seconds) }

    func changed(_ kind: ChangeKind) { changes[kind]?.increment() }
    func quarantined(_ cause: String) { quarantined[cause]?.increment() }
    func breakerIs(_ value: Int) { breaker.record(value) }
    func intervalIs(_ real: Duration) { interval.record(real / .seconds(1)) }

    /// Another node polls the feed, and shows what is true of it now.
    func standsBy() {
        breaker.record(0)
        interval.record(0)
        unknownWords.record(0)
    }

    /// A provider's clock may run ahead of ours: a negative lag counts as 0.
    func lagged(_ seconds: Int64) { lag.record(max(0, seconds)) }

    /// How many words of the newest reply are unknown, such as a new kind of dismissal.
    func unknownWordsAre(_ count: Int) { unknownWords.record(count) }
}
