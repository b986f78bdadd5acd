// A client requests a match page by page; folding the whole match anew for each page would be most of the work.

import Synchronization

/// Caches the last value made from a feed's content; two contents that share their memory compare at no cost.
final class ShapeMemo<Value: Sendable>: Sendable {
    private let kept = Mutex<(match: ShownMatch, value: Value)?>(nil)

    /// The value for a content: the cached one, or a new one.
    func value(for match: ShownMatch, make: (ShownMatch) -> Value) -> Value {
        if let known = kept.withLock({ $0.flatMap { $0.match == match ? $0.value : nil } }) { return known }
        let value = make(match)
        kept.withLock { $0 = (match, value) }
        return value
    }
}
