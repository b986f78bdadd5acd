// A feed alternates between its present content and old copies, so that the last few values serve most requests.

/// The values of the last few keys that were kept.
struct RecentValues<Key: Equatable & Sendable, Value: Sendable>: Sendable {
    /// Newest last.
    private var entries: [(key: Key, value: Value)] = []

    /// The value of a key.
    func value(for key: Key) -> Value? { entries.last { $0.key == key }?.value }

    /// Keeps a value; the oldest one is forgotten above `SimulatorLimits.recentContents`.
    mutating func keep(_ value: Value, for key: Key) {
        if let place = entries.firstIndex(where: { $0.key == key }) {
            entries[place].value = value
            return
        }
        if entries.count >= SimulatorLimits.recentContents { entries.removeFirst() }
        entries.append((key, value))
    }
}
