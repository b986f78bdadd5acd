// An operator's order to drain reaches a node with the renewal of its term; buckets and leases leave by themselves.

import Logging
import Postgres
import ScoreTypes

/// Follows the orders for this node, and reports its state to operators.
struct DrainWatch: Sendable {
    let membership: Membership
    let hub: StreamHub
    let health: NodeHealth
    let metrics: MetricRegistry
    private let log = Logger(label: "score.drain")

    init(_ membership: Membership, _ hub: StreamHub, _ health: NodeHealth, _ metrics: MetricRegistry) {
        (self.membership, self.hub, self.health, self.metrics) = (membership, hub, health, metrics)
    }

    /// Follows orders until cancelled.
    func run() async {
        var applied: DrainOrder?
        var shedding: Task<Void, Never>?
        while !Task.isCancelled {
            let order = membership.drainOrder
            if order != applied {
                applied = order
                shedding?.cancel()
                shedding = apply(order)
            }
            let checks = await health.checks()
            for check in checks { check.record(in: metrics) }
            let isReady = checks.allSatisfy { $0.isHealthy || !$0.isHard }
            membership.report(NodeReport(isReady: isReady, streams: hub.connectionCount))
            try? await Task.sleep(for: ServerLimits.drainLookInterval)
        }
        shedding?.cancel()
    }

    /// Begins or ends the drain; the streams end in a task of their own.
    private func apply(_ order: DrainOrder?) -> Task<Void, Never>? {
        health.setDrained(order != nil)
        hub.setDrained(order != nil)
        // The other checks may take a second.
        HealthCheck(name: "drain", isHealthy: order == nil).record(in: metrics)
        guard let order else {
            log.notice("node is in service again")
            return nil
        }
        log.notice("node is drained", metadata: ["seconds": "\(order.spread.components.seconds)"])
        return Task { [hub] in await hub.shed(over: order.spread) }
    }
}
