// A crash or a silent database may repeat the alerts that were in flight or not recorded; others are a fault.

import ScoreTypes
import Simulators

/// The repeated alerts of a run, compared with the restarts of the servers and the faults of their databases.
struct AlertRepeats: Sendable {
    /// Alerts that sounded again.
    let total: Int
    /// Alerts among them without a restart between the two arrivals, and without a fault at the first one.
    private(set) var unexplained = 0
    /// The most requests of one restart or fault whose alerts were repeated; a broadcast is one request.
    private(set) var requestsMost = 0
    /// The longest time from the acceptance of such a request to the restart.
    private(set) var oldest = Duration.zero

    private struct Broadcast: Hashable {
        let channel: ChannelID
        let acceptedAt: Instant
    }

    /// Compares alerts with the times at which servers were started again, in order, and with the faults of
    /// the links to the database.
    init(_ repeats: [RepeatedAlert], restarts: [Instant], faults: [NetworkLink.PastFault] = []) {
        total = repeats.count
        var requests = [Int](repeating: 0, count: restarts.count + faults.count)
        var broadcasts: Set<Broadcast> = []
        for alert in repeats {
            let sent = alert.first.acceptedAt
            let cause: Int
            if let crash = restarts.firstIndex(where: { $0 >= sent }), alert.again.acceptedAt >= restarts[crash] {
                oldest = max(oldest, restarts[crash] - sent)
                cause = crash
            } else if let fault = faults.firstIndex(where: { $0.mayLoseRecord(of: sent) }) {
                cause = restarts.count + fault
            } else {
                unexplained += 1
                continue
            }
            if case .channel(let channel) = alert.first.way {
                guard broadcasts.insert(Broadcast(channel: channel, acceptedAt: sent)).inserted else { continue }
            }
            requests[cause] += 1
        }
        requestsMost = requests.max() ?? 0
    }

    /// Whether crashes and faults explain all of them, with so many requests in flight or unrecorded at each at most.
    func isWithin(_ bound: Int) -> Bool { unexplained == 0 && requestsMost <= bound }
}

extension NetworkLink.PastFault {
    /// Whether a request that APNs accepted at a time may not be recorded when another node takes over.
    fileprivate func mayLoseRecord(of sent: Instant) -> Bool {
        sent >= from - LabLimits.recording && until.map { sent <= $0 + LabLimits.recording } ?? true
    }
}
