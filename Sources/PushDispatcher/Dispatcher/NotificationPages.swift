// Recipients are recorded as notified after APNs' final answers, not when their notifications are queued.

/// Notifications that are sent and recorded together.
public struct NoticePage: Sendable, Hashable {
    let number: UInt64
}

/// The open notifications by page.
struct NotificationPages {
    private var pages: [UInt64: NoticePage] = [:]
    private var open: [NoticePage: Int] = [:]
    private var lastNumber: UInt64 = 0

    /// Notifications without a final result.
    var count: Int { pages.count }

    mutating func begin() -> NoticePage {
        lastNumber += 1
        return NoticePage(number: lastNumber)
    }

    mutating func add(_ ticket: UInt64, to page: NoticePage) {
        pages[ticket] = page
        open[page, default: 0] += 1
    }

    /// Removes a notification that has its final result.
    mutating func settle(_ ticket: UInt64) {
        guard let page = pages.removeValue(forKey: ticket), let left = open[page] else { return }
        open[page] = left > 1 ? left - 1 : nil
    }

    func isOpen(_ page: NoticePage) -> Bool { open[page] != nil }

    /// Stops following a page; its notifications are still sent.
    mutating func giveUp(_ page: NoticePage) {
        guard open.removeValue(forKey: page) != nil else { return }
        pages = pages.filter { $0.value != page }
    }
}
