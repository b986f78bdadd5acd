// APNs' acceptance, a phone's confirmation and silence are three facts, so they are counted apart and never added up.

public import CoreMetrics
public import FollowService
internal import Logging
internal import Metrics
public import ScoreTypes

/// The activities of one match in the buckets of this node.
public struct ReceiptNumbers: Sendable, Hashable {
    /// Active activities for which APNs accepted the newest state.
    public let accepted: Int64
    /// Activities whose phone has reported that it shows the newest state.
    public let confirmed: Int64
    /// Active activities whose phone has sent no receipt to this node since it owns their bucket.
    public let unknown: Int64
    /// Activities that are stuck.
    public let stuck: Int64

    init(_ counts: AcceptedCounts, _ summary: ReceiptSummary) {
        accepted = counts.accepted
        confirmed = Int64(summary.phones.confirmed)
        // Receipts of activities that have ended since are forgotten later than their rows.
        unknown = max(0, counts.active - Int64(summary.phones.known))
        stuck = Int64(summary.stuck)
    }
}

/// Counts the activities of matches by what APNs and phones have said about them.
public struct ReceiptCounts: Sendable {
    private let monitor: ReceiptMonitor
    private let activities: Activities
    private let buckets: @Sendable () -> [Bucket]
    private let accepted: Gauge
    private let confirmed: Gauge
    private let unknown: Gauge
    private let onTokens: Gauge
    private let onChannels: Gauge
    private let ending: Gauge
    private let log = Logger(label: "score.receipts")

    /// Counts nothing before it runs.
    ///
    /// - Parameters:
    ///   - monitor: The receipts.
    ///   - activities: The store, over the node's own connections.
    ///   - metrics: Where the gauges are made.
    ///   - buckets: The buckets of this node.
    public init(
        _ monitor: ReceiptMonitor,
        activities: Activities,
        metrics: any MetricsFactory = MetricsSystem.factory,
        buckets: @escaping @Sendable () -> [Bucket]
    ) {
        self.monitor = monitor
        self.activities = activities
        self.buckets = buckets
        accepted = Gauge(label: "score_activities_accepted", factory: metrics)
        confirmed = Gauge(label: "score_activities_confirmed", factory: metrics)
        unknown = Gauge(label: "score_activities_unknown", factory: metrics)
        func gauge(_ state: String) -> Gauge {
            Gauge(label: "score_live_activities", dimensions: [("state", state)], factory: metrics)
        }
        (onTokens, onChannels, ending) = (gauge("token"), gauge("channel"), gauge("ending"))
    }

    /// The numbers of one match.
    ///
    /// - Throws: `FollowError` when PostgreSQL cannot answer.
    public func numbers(of match: MatchID) async throws(FollowError) -> ReceiptNumbers {
        let newest = monitor.newestStates()[match] ?? 1
        let counts = try await activities.accepted([match: newest], in: buckets())[match]
        return ReceiptNumbers(counts ?? AcceptedCounts(), monitor.summaries()[match] ?? ReceiptSummary())
    }

    /// Sets the gauges, and removes old receipts, until cancelled.
    public func run() async {
        while !Task.isCancelled {
            let start = monitor.clock.monotonic
            monitor.expire()
            do { try await measure() } catch {
                log.warning("activities not counted", metadata: ["error": "\(error)"])
            }
            // A count of a large audience may take seconds; it takes a twentieth of one connection's time at most.
            let took = monitor.clock.monotonic - start
            try? await Task.sleep(for: max(LiveActivityLimits.receiptCountInterval, took * 19))
        }
    }

    /// Sets the gauges once: the sums over all matches that this node remembers.
    ///
    /// - Throws: `FollowError` when PostgreSQL cannot answer.
    func measure() async throws(FollowError) {
        let newest = monitor.newestStates()
        let counts = newest.isEmpty ? [:] : try await activities.accepted(newest, in: buckets())
        let summaries = monitor.summaries()
        let numbers = newest.keys.map { match in
            ReceiptNumbers(counts[match] ?? AcceptedCounts(), summaries[match] ?? ReceiptSummary())
        }
        accepted.record(numbers.reduce(0) { $0 + $1.accepted })
        confirmed.record(numbers.reduce(0) { $0 + $1.confirmed })
        unknown.record(numbers.reduce(0) { $0 + $1.unknown })
        onTokens.record(counts.values.reduce(0) { $0 + $1.active - $1.onChannels })
        onChannels.record(counts.values.reduce(0) { $0 + $1.onChannels })
        ending.record(counts.values.reduce(0) { $0 + $1.ending })
    }
}
