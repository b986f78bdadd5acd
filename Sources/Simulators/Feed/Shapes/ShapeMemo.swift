// A client asks for a match page by page; folding the whole match anew for each page would be most of the work.

import Synchronization

/// Keeps what was last made of what a feed shows; comparing two pictures that share their memory costs nothing.
final class ShapeMemo<Value: Sendable>: Sendable {
    private let kept = Mutex<(match: ShownMatch, value: Value)?>(nil)

    /// The value for a picture: the one kept, or a new one.
    func value(for match: ShownMatch, make: (ShownMatch) -> Value) -> Value {
        if let known = kept.withLock({ $0.flatMap { $0.match == match ? $0.value : nil } }) { return known }
        let value = make(match)
        kept.withLock { $0 = (match, value) }
        return value
    }
}
