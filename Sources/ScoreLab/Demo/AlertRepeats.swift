// A crash may repeat the alerts that were in flight or not recorded; any other repetition is a fault.

import ScoreTypes
import Simulators

/// The repeated alerts of a run, compared with the restarts of the server.
struct AlertRepeats: Sendable {
    /// Alerts that sounded again.
    let total: Int
    /// Alerts among them without a restart between the two arrivals.
    private(set) var unexplained = 0
    /// The most requests of one restart whose alerts were repeated; a broadcast is one request.
    private(set) var requestsMost = 0
    /// The longest time from the acceptance of such a request to the restart.
    private(set) var oldest = Duration.zero

    private struct Broadcast: Hashable {
        let channel: ChannelID
        let acceptedAt: Instant
    }

    /// Compares alerts with the times at which the server was started again, in order.
    init(_ repeats: [RepeatedAlert], restarts: [Instant]) {
        total = repeats.count
        var requests = [Int](repeating: 0, count: restarts.count)
        var broadcasts: Set<Broadcast> = []
        for alert in repeats {
            let sent = alert.first.acceptedAt
            guard let crash = restarts.firstIndex(where: { $0 >= sent }), alert.again.acceptedAt >= restarts[crash]
            else {
                unexplained += 1
                continue
            }
            oldest = max(oldest, restarts[crash] - sent)
            if case .channel(let channel) = alert.first.way {
                guard broadcasts.insert(Broadcast(channel: channel, acceptedAt: sent)).inserted else { continue }
            }
            requests[crash] += 1
        }
        requestsMost = requests.max() ?? 0
    }

    /// Whether the crashes explain all of them, with so many requests in flight or unrecorded at each at most.
    func isWithin(_ bound: Int) -> Bool { unexplained == 0 && requestsMost <= bound }
}
