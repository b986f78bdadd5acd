// Health checks, metrics and sweeps on the internal listener.

import CoreMetrics
import LiveActivities
import MatchJournal
import Metrics
import Providers
import ScoreTypes
import Testing

@testable import ScoreServer

@Suite struct HealthTests {
    @Test func readinessRunsAllChecksAndLivenessNone() async throws {
        var stubs = TestDependencies()
        stubs.health.hasStarted = false
        stubs.health.list = [
            HealthCheck(name: "db", isHealthy: false), HealthCheck(name: "feed", isHealthy: false, isHard: false),
        ]
        try await withServer(stubs) { server in
            #expect(try await server.internalClient.get("/healthz").status == 200)
            let ready = try await server.internalClient.get("/readyz")
            #expect(ready.status == 503)
            #expect(ready.json["checks"]?.list.count == 2)
            #expect(try await server.internalClient.get("/startupz").status == 503)
            let version = try await server.internalClient.get("/version").json["version"]?.string
            #expect(version == ScoreServerCommand.version)
        }
    }

    @Test("H6: readiness falls after two failures, and at once when the node is drained")
    func readinessFallsAfterTwoFailuresAndAtOnceWhenDraining() {
        let good = [HealthCheck(name: "db", isHealthy: true)]
        let bad = [HealthCheck(name: "db", isHealthy: false)]
        let drain = [HealthCheck(name: "drain", isHealthy: false)]
        let soft = [HealthCheck(name: "feed", isHealthy: false, isHard: false)]
        var readiness = Readiness()
        #expect(!readiness.isReady)
        let seen = [good, bad, bad, good, drain, soft].map { readiness.see($0) }
        #expect(seen == [true, true, false, true, false, true])
    }

    @Test func metricsAreReadableOnLoopbackOrWithTheirRole() async throws {
        let stubs = TestDependencies()
        let factory = PrometheusMetricsFactory(registry: stubs.metrics)
        factory.makeCounter(label: "feed.requests", dimensions: [("outcome", "ok")]).increment(by: 3)
        try await withServer(stubs) { server in
            let text = try await server.internalClient.get("/metrics")
            #expect(text["Content-Type"] == "text/plain; version=0.0.4; charset=utf-8")
            #expect(text.text.contains("score_feed_requests_total{outcome=\"ok\"} 3\n"))
            #expect(text.text.contains("process_resident_memory_bytes "))
            #expect(text.text.contains("score_build_info{version=\"\(ScoreServerCommand.version)\"} 1"))
            let metrics = try await server.token(.metrics)
            #expect(try await server.internalClient.get("/metrics", metrics).status == 200)
            let viewer = try await server.token(.viewer)
            #expect(try await server.internalClient.get("/metrics", viewer).status == 403)
        }
    }

    @Test("O5: scrapers that vanish or read nothing stop neither the metrics nor the checks")
    func stuckScrapersStopNothing() async throws {
        let stubs = TestDependencies()
        let factory = PrometheusMetricsFactory(registry: stubs.metrics)
        for number in 0..<2_000 {
            factory.makeCounter(label: "feed.requests", dimensions: [("outcome", "o\(number)")]).increment(by: 1)
        }
        try await withServer(stubs) { server in
            let request = "GET /metrics HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
            let stuck = try (0..<50).map { _ in
                let socket = try PlainSocket(port: server.internalClient.port, receiveBytes: 4_096)
                try socket.send(String(repeating: request, count: 20))
                return socket
            }
            // Others send a request and are gone.
            for _ in 0..<50 { try PlainSocket(port: server.internalClient.port).send(request) }
            for _ in 0..<20 {
                #expect(try await server.internalClient.get("/healthz").status == 200)
                #expect(try await server.internalClient.get("/metrics").text.contains("outcome=\"o1999\"} 1\n"))
            }
            #expect(stuck.count == 50)
        }
    }

    @Test func aSweepRequiresItsRole() async throws {
        var stubs = TestDependencies()
        stubs.sweeps.onSweep = { order in
            if order.slot == "busy" { throw SweepRefusal.leaseHeld }
            var summary = SweepSummary(kind: order.kind, slot: order.slot, isDryRun: order.isDryRun)
            summary.counts.scanned = order.maxItems
            return summary
        }
        let path = "/internal/v1/sweeps/stale-activities"
        try await withServer(stubs) { server in
            let scheduler = try await server.token(.scheduler)
            let json = #"{"slot":"2026-09-24T10:05Z","maxItems":10,"dryRun":true}"#
            let done = try await server.internalClient.send("POST", path, scheduler, json: json)
            #expect(done.status == 200)
            #expect(done.json["result"]?["scanned"]?.int == 10)
            let busy = try await server.internalClient.send("POST", path, scheduler, json: #"{"slot":"busy"}"#)
            #expect(busy.status == 409 && busy.problem == "conflict")
            let none = try await server.internalClient.send("POST", path, scheduler, json: "{}")
            #expect(none.status == 422)
            let viewer = try await server.token(.viewer)
            #expect(try await server.internalClient.send("POST", path, viewer, json: json).status == 403)
            #expect(server.stubs.store.lines.map(\.outcome).contains(.done))
            #expect(server.stubs.store.lines.first?.actor == "scheduler:scheduler")
        }
    }
}
