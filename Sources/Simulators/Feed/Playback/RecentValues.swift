// A feed alternates between its present content and old copies, so that the last few values serve most requests.

/// The values of the last few keys that were kept.
struct RecentValues<Key: Equatable & Sendable, Value: Sendable>: Sendable {
    /// Newest last.
    private var entries: [(key: Key, value: Value)] = []

    /// The value of a key.
    func value(for key: Key) -> Value? { entries.last { $0.key == key }?.value }

    /// Keeps the value of a key; the oldest key is forgotten above `SimulatorLimits.recentContents`.
    mutating func keep(_ value: Value, for key: Key) { change(key, from: value) { $0 = value } }

    /// Changes the value of a key in place; a new key begins with `first`.
    mutating func change(_ key: Key, from first: Value, _ body: (inout Value) -> Void) {
        if let place = entries.lastIndex(where: { $0.key == key }) { return body(&entries[place].value) }
        if entries.count >= SimulatorLimits.recentContents { entries.removeFirst() }
        entries.append((key, first))
        body(&entries[entries.count - 1].value)
    }
}
