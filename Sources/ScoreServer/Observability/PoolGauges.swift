// The pools of a node are looked at now and then, since a wait for a connection is shorter than a scrape.

import Metrics
import Postgres
import ScoreTypes

/// Reports how busy the pools are.
struct PoolGauges: Sendable {
    let pools: [Pool]

    /// Reports until cancelled.
    func run() async {
        while !Task.isCancelled {
            report()
            try? await Task.sleep(for: ServerLimits.poolLookInterval)
        }
    }

    /// Reports once.
    func report() {
        for pool in pools {
            let (open, idle, waiting) = pool.counts
            for (state, count) in [("busy", open - idle), ("idle", idle), ("waiting", waiting)] {
                let dimensions = [("pool", pool.name), ("state", state)]
                Gauge(label: "score_db_pool_connections", dimensions: dimensions).record(count)
            }
        }
    }
}
