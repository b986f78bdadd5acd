// A device erases itself at any node, and its streams may be at others.

import FollowService
import Logging
import ScoreTypes

/// Ends the streams of devices that another node has erased; PostgreSQL is the record, so that no erasure is missed.
struct RevocationWatch: Sendable {
    let erased: ErasedDevices
    let hub: StreamHub
    let clock: ServiceClock
    private let logger = Logger(label: "score.stream.revocations")

    /// Searches until cancelled.
    func run() async {
        // The clocks of nodes differ, and a credential in memory may open a stream after the first search.
        var since = clock.wall - ServerLimits.revocationOverlap
        var hasFailed = false
        while !Task.isCancelled {
            let now = clock.wall
            do {
                if hub.connectionCount > 0 {
                    for device in try await erased.recent(since: since, limit: ServerLimits.revocationsPerSearch) {
                        hub.revoke(device)
                    }
                }
                since = now - ServerLimits.revocationOverlap
                hasFailed = false
            } catch {
                if !hasFailed { logger.warning("erased devices not read", metadata: ["error": "\(error)"]) }
                hasFailed = true
            }
            try? await Task.sleep(for: ServerLimits.revocationInterval)
        }
    }
}
