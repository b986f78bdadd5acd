// A crash or another owner of a bucket may repeat the alerts that were in flight or not recorded; others are a fault.

import ScoreTypes
import Simulators

/// The repeated alerts of a run, compared with the restarts of servers and the changes of owners.
struct AlertRepeats: Sendable {
    /// Alerts that sounded again.
    let total: Int
    /// Alerts among them without such a change between the two arrivals.
    private(set) var unexplained = 0
    /// The most requests of one change whose alerts were repeated; a broadcast is one request.
    private(set) var requestsMost = 0
    /// The longest time from the acceptance of such a request to the change.
    private(set) var oldest = Duration.zero

    private struct Broadcast: Hashable {
        let channel: ChannelID
        let acceptedAt: Instant
    }

    /// Compares alerts with the restarts of servers and the changes of owners, each with the times before and after it.
    init(_ repeats: [RepeatedAlert], changes: [ClosedRange<Instant>]) {
        total = repeats.count
        let changes = changes.sorted { $0.upperBound < $1.upperBound }
        var requests = [Int](repeating: 0, count: changes.count)
        var broadcasts: Set<Broadcast> = []
        for alert in repeats {
            let sent = alert.first.acceptedAt
            guard let change = changes.firstIndex(where: { $0.upperBound >= sent }),
                alert.again.acceptedAt >= changes[change].lowerBound
            else {
                unexplained += 1
                continue
            }
            oldest = max(oldest, changes[change].upperBound - sent)
            if case .channel(let channel) = alert.first.way {
                guard broadcasts.insert(Broadcast(channel: channel, acceptedAt: sent)).inserted else { continue }
            }
            requests[change] += 1
        }
        requestsMost = requests.max() ?? 0
    }

    /// Whether the changes explain all of them, with so many requests in flight or unrecorded at each at most.
    func isWithin(_ bound: Int) -> Bool { unexplained == 0 && requestsMost <= bound }
}
