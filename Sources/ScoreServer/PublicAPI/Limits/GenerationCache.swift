// A bounded table with two generations; the older one is dropped as a whole when the newer one is full.

/// Holds approximately the last used keys, at most `capacity`; every operation takes constant time.
struct GenerationCache<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private let half: Int
    private var young: [Key: Value] = [:]
    private var old: [Key: Value] = [:]

    /// - Parameter capacity: The most keys kept, 2 or more.
    init(capacity: Int) { half = max(1, capacity / 2) }

    /// The value of a key; a read moves it to the newer generation, and nil removes it.
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
