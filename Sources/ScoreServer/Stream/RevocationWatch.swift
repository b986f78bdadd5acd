// The access of a device changes at any node, and its streams and its credential in memory may be at others.

import FollowService
import Logging
import ScoreTypes

/// Applies blocks, revocations and erasures of all nodes to this one; PostgreSQL is the record, so that none is missed.
struct RevocationWatch: Sendable {
    let devices: Devices
    let credentials: DeviceAuthenticator
    let hub: StreamHub
    let clock: ServiceClock
    private let logger = Logger(label: "score.stream.revocations")

    /// Searches until cancelled.
    func run() async {
        // The clocks of nodes differ, and a lookup that began before a change may end after the first search.
        var since = clock.wall - ServerLimits.revocationOverlap
        var hasFailed = false
        while !Task.isCancelled {
            let now = clock.wall
            do {
                let limit = ServerLimits.revocationsPerSearch
                for access in try await devices.changedAccess(since: since, limit: limit) {
                    credentials.forget(access.device)
                    if access.isRefused { hub.revoke(access.device) }
                }
                since = now - ServerLimits.revocationOverlap
                hasFailed = false
            } catch {
                if !hasFailed { logger.warning("changed access not read", metadata: ["error": "\(error)"]) }
                hasFailed = true
            }
            try? await Task.sleep(for: ServerLimits.revocationInterval)
        }
    }
}
