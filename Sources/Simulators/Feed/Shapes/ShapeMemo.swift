// A client requests a match page by page; folding the whole match anew for each page would be most of the work.

import Synchronization

/// Caches the values made from a feed's last contents; two contents that share their memory compare at no cost.
final class ShapeMemo<Value: Sendable>: Sendable {
    private let kept = Mutex(RecentValues<ShownMatch, Value>())

    /// The value for a content: the cached one, or a new one.
    func value(for match: ShownMatch, make: (ShownMatch) -> Value) -> Value {
        if let known = kept.withLock({ $0.value(for: match) }) { return known }
        let value = make(match)
        kept.withLock { $0.keep(value, for: match) }
        return value
    }
}
