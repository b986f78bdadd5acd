// Starts, ends and notifications have consequences in the store: ended activities, and tokens that are dead.

import FollowService
import Logging
import PushDispatcher
import ScoreTypes

/// Passes what became of directed pushes to those who keep the records.
struct DirectedClosing: DispatchObserver {
    let ends: EndClosing
    let devices: FollowService.Devices
    private let log = Logger(label: "score.tokens")

    init(ends: EndClosing, devices: FollowService.Devices) {
        self.ends = ends
        self.devices = devices
    }

    func settled(_ outcomes: [DirectedOutcome]) async {
        await ends.settled(outcomes)
        let tokens: [(FollowService.DeviceTokenKind, [PayloadKind])] = [
            (.alert, [.alert, .background]), (.pushToStart, [.start]),
        ]
        for (kind, kinds) in tokens {
            let dead = outcomes.filter { kinds.contains($0.kind) && $0.outcome == .rejected(.evict) }
            if dead.isEmpty { continue }
            do {
                try await devices.evictTokens(kind, dead.map(DeviceTokenEviction.init))
            } catch {
                log.warning("dead tokens stay", metadata: ["count": "\(dead.count)", "error": "\(error)"])
            }
        }
    }
}

extension DeviceTokenEviction {
    fileprivate init(_ outcome: DirectedOutcome) {
        self.init(
            device: outcome.device,
            generation: outcome.generation,
            deadAt: outcome.apnsTimestampMilliseconds.map { Instant(milliseconds: $0) }
        )
    }
}
