// Whoever records that people were told has to know when that is so: not when it was queued.

/// Notifications that were sent together, and that are told together.
public struct NoticePage: Sendable, Hashable {
    let number: UInt64
}

/// The notifications under way, by the page that they belong to.
struct NotificationPages {
    private var pages: [UInt64: NoticePage] = [:]
    private var open: [NoticePage: Int] = [:]
    private var lastNumber: UInt64 = 0

    /// Notifications without their final answer.
    var count: Int { pages.count }

    mutating func begin() -> NoticePage {
        lastNumber += 1
        return NoticePage(number: lastNumber)
    }

    mutating func add(_ ticket: UInt64, to page: NoticePage) {
        pages[ticket] = page
        open[page, default: 0] += 1
    }

    /// A notification has its final answer.
    mutating func settle(_ ticket: UInt64) {
        guard let page = pages.removeValue(forKey: ticket), let left = open[page] else { return }
        open[page] = left > 1 ? left - 1 : nil
    }

    func isOpen(_ page: NoticePage) -> Bool { open[page] != nil }

    /// Nobody waits for a page any more; its notifications go on.
    mutating func giveUp(_ page: NoticePage) {
        guard open.removeValue(forKey: page) != nil else { return }
        pages = pages.filter { $0.value != page }
    }
}
