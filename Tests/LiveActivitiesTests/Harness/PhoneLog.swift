// The pushes that the simulated APNs delivers to a phone.

import Foundation
import Simulators
import Synchronization

/// The pushes that one phone shows: an activity that has ended shows no update.
final class PhoneLog: Sendable {
    private let kept = Mutex<[DeliveredPush]>([])

    /// All pushes, the oldest first.
    var all: [DeliveredPush] { kept.withLock { $0 } }
    /// The bodies of the pushes.
    var bodies: [[String: Any]] {
        all.compactMap { try? JSONSerialization.jsonObject(with: Data($0.body)) as? [String: Any] }
    }
    /// The `aps` objects of the pushes.
    var aps: [[String: Any]] { bodies.compactMap { $0["aps"] as? [String: Any] } }
    /// The line below the main one of the newest state.
    var sub: String? {
        let state = aps.last?["content-state"] as? [String: Any]
        return (state?["lockScreen"] as? [String: Any])?["sub"] as? String
    }

    func show(_ push: DeliveredPush) {
        kept.withLock { kept in
            // A fan-out that has read the token may be under way when the activity ends.
            if push.event == .update, kept.last?.event == .end { return }
            kept.append(push)
        }
    }
}
