// The push metrics have the names and labels that dashboards and alerts use.

import CoreMetrics
import MatchJournal
import Providers
import ScoreTypes
import Testing

@testable import PushDispatcher
@testable import ScoreServer

@Suite struct PushMetricsTests {
    /// A process has one metrics system, which can be set once.
    private static let registry: MetricRegistry = {
        let registry = MetricRegistry()
        MetricsSystem.bootstrap(PrometheusMetricsFactory(registry: registry))
        return registry
    }()

    @Test func repliesAndPushesHaveDifferentSizeBuckets() {
        #expect(HistogramBuckets.fitting("score_push_payload_bytes").last == 5120)
        #expect(HistogramBuckets.fitting("score_feed_response_bytes").last == 16_777_216)
        #expect(HistogramBuckets.fitting("score_activity_confirm_lag_revisions").starts(with: [0, 1]))
    }

    @Test("24: expired requests are counted by operation, and by whether they were attempted")
    func expiredRequestsAreCountedByOperation() {
        let registry = Self.registry
        var counts = LaneCounts()
        #expect(counts.isEmpty)
        counts.countExpired(.start, wasTried: false)
        #expect(!counts.isEmpty, "it is reported alone")
        counts.countExpired(.alert, wasTried: false, 2)
        var other = LaneCounts()
        other.countExpired(.alert, wasTried: true, 4)
        other.countExpired(.update, wasTried: true, 8)
        counts.add(other)
        #expect(counts.expiredCount == 15)
        var metrics = PushMetrics()
        metrics.add(counts, in: .sandbox)
        metrics.expired(.end, "retrying", 16)
        metrics.lowered(3, .hour)
        let text = PrometheusText.render(registry)
        for line in [
            #"class="start",stage="queued"} 1"#, #"class="alert",stage="queued"} 2"#,
            #"class="alert",stage="retrying"} 4"#, #"class="update",stage="retrying"} 8"#,
            #"class="end",stage="retrying"} 16"#,
        ] {
            #expect(text.contains("score_pushes_expired_total{\(line)\n"), "\(line)")
        }
        #expect(!text.contains(#"class="background",stage="#), "an event that never happened has no series")
        #expect(text.contains("score_pushes_lowered_total{span=\"hour\"} 3\n"))
    }
}
