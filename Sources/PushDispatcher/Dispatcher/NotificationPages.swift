// Followers are recorded as notified by bucket, after APNs' final answers and not when notifications are queued.

internal import ScoreTypes

/// Notifications that were read and sent together.
public struct NoticePage: Sendable, Hashable {
    let number: UInt64
}

/// The notifications of open pages, counted by bucket.
struct NotificationPages {
    private struct Share {
        /// Notifications without a final result.
        var open = 0
        /// Whether one was accepted, or may have been.
        var isReached = false
    }

    private var tickets: [UInt64: (page: NoticePage, device: DeviceID)] = [:]
    private var pages: [NoticePage: [Bucket: Share]] = [:]
    /// Devices whose notification was neither accepted nor may have been.
    private var missed: [NoticePage: Set<DeviceID>] = [:]
    private var lastNumber: UInt64 = 0

    /// Notifications without a final result.
    var count: Int { tickets.count }

    mutating func begin() -> NoticePage {
        lastNumber += 1
        let page = NoticePage(number: lastNumber)
        pages[page] = [:]
        return page
    }

    mutating func add(_ ticket: UInt64, to device: DeviceID, on page: NoticePage) {
        tickets[ticket] = (page, device)
        pages[page]?[Bucket(of: device), default: Share()].open += 1
    }

    /// Notes the final result of a notification.
    mutating func settle(_ ticket: UInt64, as outcome: PushOutcome) {
        guard let (page, device) = tickets.removeValue(forKey: ticket), pages[page] != nil else { return }
        let bucket = Bucket(of: device)
        pages[page]?[bucket]?.open -= 1
        if outcome == .accepted || outcome == .failed(.ambiguous) {
            pages[page]?[bucket]?.isReached = true
        } else {
            missed[page, default: []].insert(device)
        }
    }

    func open(in pages: [NoticePage]) -> Set<Bucket> { buckets(of: pages) { $0.open > 0 } }

    func reached(by pages: [NoticePage]) -> Set<Bucket> { buckets(of: pages) { $0.open > 0 || $0.isReached } }

    func missed(by pages: [NoticePage]) -> Set<DeviceID> {
        pages.reduce(into: []) { $0.formUnion(missed[$1] ?? []) }
    }

    /// The notifications of pages without a final result.
    func tickets(of pages: [NoticePage]) -> Set<UInt64> {
        Set(tickets.filter { pages.contains($0.value.page) }.keys)
    }

    /// Forgets pages; their notifications are still sent.
    mutating func close(_ closed: [NoticePage]) {
        for page in closed { (pages[page], missed[page]) = (nil, nil) }
        tickets = tickets.filter { pages[$0.value.page] != nil }
    }

    private func buckets(of chosen: [NoticePage], where holds: (Share) -> Bool) -> Set<Bucket> {
        chosen.reduce(into: []) { found, page in
            for (bucket, share) in pages[page] ?? [:] where holds(share) { found.insert(bucket) }
        }
    }
}
