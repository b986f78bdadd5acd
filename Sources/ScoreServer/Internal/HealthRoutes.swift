// The routes for a supervisor, a load balancer and Prometheus.

import HTTPTypes
import Hummingbird
import NIOCore
import ScoreTypes
import Synchronization

/// `/healthz /readyz /startupz /version /metrics`.
final class HealthRoutes: Sendable {
    private let health: any HealthChecking
    private let registry: MetricRegistry
    private let startedAt: Instant
    private let readiness = Mutex(Readiness())

    init(health: any HealthChecking, registry: MetricRegistry, clock: ServiceClock) {
        self.health = health
        self.registry = registry
        startedAt = clock.wall
    }

    /// Adds the routes; metrics need their role, or a scraper on this machine.
    func add(to router: InternalRouter) {
        // An answer of any kind proves that the event loops run.
        router.read("/healthz", .open) { _ in Answer.json(JSONWriter.document { $0.field("status", "ok") }) }
        router.read("/readyz", .open) { _ in await self.ready() }
        router.read("/startupz", .open) { _ in self.started() }
        router.read("/version", .open) { _ in
            Answer.json(JSONWriter.document { $0.field("version", ScoreServerCommand.version) })
        }
        router.read("/metrics", .loopback(else: .scrape)) { _ in self.metrics() }
    }

    private func ready() async -> Response {
        let checks = await health.checks()
        let isReady = readiness.withLock { $0.see(checks) }
        for check in checks { check.record(in: registry) }
        let bytes = JSONWriter.document { json in
            json.field("ready", isReady)
            json.objects("checks", checks) { check, json in
                json.field("name", check.name)
                json.field("healthy", check.isHealthy)
                json.field("hard", check.isHard)
                json.field("detail", ifPresent: check.detail)
            }
        }
        return Answer.json(bytes, status: isReady ? .ok : .serviceUnavailable)
    }

    private func started() -> Response {
        let bytes = JSONWriter.document { $0.field("started", health.hasStarted) }
        return Answer.json(bytes, status: health.hasStarted ? .ok : .serviceUnavailable)
    }

    private func metrics() -> Response {
        let text =
            PrometheusText.render(registry) + ProcessGauges.render(startedAtSeconds: startedAt.seconds)
            + "# TYPE score_build_info gauge\nscore_build_info{version=\"\(ScoreServerCommand.version)\"} 1\n"
        let headers: HTTPFields = [.contentType: PrometheusText.contentType, .cacheControl: "no-store"]
        return Response(status: .ok, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(string: text)))
    }
}
