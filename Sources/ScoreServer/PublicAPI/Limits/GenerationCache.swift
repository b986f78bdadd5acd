// A table that strangers fill must not grow: two generations, and the older one is dropped whole when the newer is full.

/// Keeps roughly the last used keys, never more than `capacity`; every operation takes constant time.
struct GenerationCache<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private let half: Int
    private var young: [Key: Value] = [:]
    private var old: [Key: Value] = [:]

    /// - Parameter capacity: The most keys kept, 2 or more.
    init(capacity: Int) { half = max(1, capacity / 2) }

    /// How many keys are kept.
    var count: Int { young.count + old.count }

    /// The value of a key; using a key keeps it young, and nil forgets it.
    subscript(key: Key) -> Value? {
        mutating get {
            if let value = young[key] { return value }
            guard let value = old.removeValue(forKey: key) else { return nil }
            insert(value, key)
            return value
        }
        set {
            old[key] = nil
            if let newValue { insert(newValue, key) } else { young[key] = nil }
        }
    }

    private mutating func insert(_ value: Value, _ key: Key) {
        if young.count >= half && young[key] == nil {
            old = young
            young = [:]
        }
        young[key] = value
    }
}
