// Some representations of a match are read rarely; each is made at its first read and then kept.

import Synchronization

/// A value that is made once, when it is first needed.
final class LazyValue<Value: Sendable>: Sendable {
    private let made = Mutex<Value?>(nil)

    /// The value; other readers wait while it is made.
    func value(_ make: () -> Value) -> Value {
        made.withLock { made in
            if let made { return made }
            let value = make()
            made = value
            return value
        }
    }
}
