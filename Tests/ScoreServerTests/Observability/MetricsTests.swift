// The text that Prometheus reads, and the bounds of the stored series.

import CoreMetrics
import MatchJournal
import Metrics
import Providers
import Testing

@testable import ScoreServer

@Suite struct MetricsTests {
    @Test func countersGaugesAndHistogramsAreWritten() {
        let registry = MetricRegistry()
        let factory = PrometheusMetricsFactory(registry: registry)
        let counter = Counter(label: "score_pushes_total", dimensions: [("env", "a\"b\\c\nd")], factory: factory)
        counter.increment(by: 2)
        counter.increment()
        Meter(label: "sse.connections", factory: factory).set(Int64(5))
        let timer = Timer(label: "score_push_attempt_duration_seconds", factory: factory)
        timer.recordNanoseconds(Int64(3_000_000))
        timer.recordNanoseconds(Int64(20_000_000_000))
        let text = PrometheusText.render(registry)
        #expect(text.contains("# TYPE score_pushes_total counter\nscore_pushes_total{env=\"a\\\"b\\\\c\\nd\"} 3\n"))
        #expect(text.contains("# TYPE score_sse_connections gauge\nscore_sse_connections 5\n"))
        #expect(text.contains("score_push_attempt_duration_seconds_bucket{le=\"0.0025\"} 0\n"))
        #expect(text.contains("score_push_attempt_duration_seconds_bucket{le=\"0.005\"} 1\n"))
        #expect(text.contains("score_push_attempt_duration_seconds_bucket{le=\"10\"} 1\n"))
        #expect(text.contains("score_push_attempt_duration_seconds_bucket{le=\"+Inf\"} 2\n"))
        #expect(text.contains("score_push_attempt_duration_seconds_sum 20.003\n"))
        #expect(text.contains("score_push_attempt_duration_seconds_count 2\n"))
    }

    @Test func payloadHistogramsHaveByteBuckets() {
        let registry = MetricRegistry()
        Recorder(label: "score_push_payload_bytes", factory: PrometheusMetricsFactory(registry: registry)).record(4000)
        #expect(PrometheusText.render(registry).contains("score_push_payload_bytes_bucket{le=\"4096\"} 1\n"))
    }

    @Test func seriesAreBoundedAndKeepTheirKind() {
        let registry = MetricRegistry()
        let factory = PrometheusMetricsFactory(registry: registry)
        for index in 0..<(ServerLimits.metricSeries + 7) {
            factory.makeCounter(label: "requests", dimensions: [("id", String(index))]).increment(by: 1)
        }
        #expect(registry.snapshot().metrics.flatMap(\.series).count == ServerLimits.metricSeries)
        #expect(PrometheusText.render(registry).contains("score_metrics_dropped_total 7\n"))
        let other = MetricRegistry()
        let second = PrometheusMetricsFactory(registry: other)
        second.makeMeter(label: "depth", dimensions: []).set(Int64(4))
        second.makeRecorder(label: "depth", dimensions: [], aggregate: true).record(Int64(9))
        #expect(PrometheusText.render(other).contains("score_depth 4\n"))
    }

    @Test func destroyedSeriesAreRemoved() {
        let registry = MetricRegistry()
        let factory = PrometheusMetricsFactory(registry: registry)
        let handler = factory.makeCounter(label: "gone", dimensions: [])
        factory.destroyCounter(handler)
        #expect(registry.snapshot().metrics.isEmpty)
    }
}
