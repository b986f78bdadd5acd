// swift-metrics has no backend here, so the few calls of its factory end in our own registry.

import CoreMetrics

/// Makes the handlers of swift-metrics for one registry.
struct PrometheusMetricsFactory: MetricsFactory {
    let registry: MetricRegistry

    func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler {
        series(MetricName.of(label, suffix: "_total"), dimensions, .counter)
    }

    func makeMeter(label: String, dimensions: [(String, String)]) -> any MeterHandler {
        series(MetricName.of(label), dimensions, .gauge)
    }

    func makeRecorder(label: String, dimensions: [(String, String)], aggregate: Bool) -> any RecorderHandler {
        series(MetricName.of(label), dimensions, aggregate ? .histogram : .gauge)
    }

    func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
        series(MetricName.of(label, suffix: "_seconds"), dimensions, .histogram)
    }

    func destroyCounter(_ handler: any CounterHandler) { forget(handler) }
    func destroyMeter(_ handler: any MeterHandler) { forget(handler) }
    func destroyRecorder(_ handler: any RecorderHandler) { forget(handler) }
    func destroyTimer(_ handler: any TimerHandler) { forget(handler) }

    private func series(
        _ name: String,
        _ dimensions: [(String, String)],
        _ kind: MetricRegistry.Kind
    ) -> MetricSeries {
        registry.series(MetricRegistry.Key(name: name, dimensions: dimensions), kind: kind)
    }

    private func forget(_ handler: AnyObject) {
        if let series = handler as? MetricSeries { registry.forget(series) }
    }
}
