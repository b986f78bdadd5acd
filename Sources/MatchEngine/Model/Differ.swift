// Providers send the whole match each time; what they changed since is found here.

/// Compares the stored match with a snapshot of it.
public enum Differ {
    /// The journal entries that turn the record into the snapshot, in a fixed order: info, frames of innings by
    /// ordinal, deliveries in match order, status, result; empty when nothing changed.
    public static func changes(from record: MatchRecord, to snapshot: MatchSnapshot) -> [Change] {
        var changes: [Change] = []
        if record.info != snapshot.info { changes.append(.info(snapshot.info)) }
        changes += frames(from: record.innings, to: snapshot.innings)
        changes += deliveries(from: record.deliveries, to: snapshot.deliveries)
        if record.status != snapshot.status { changes.append(.status(snapshot.status)) }
        if record.result != snapshot.result { changes.append(.result(snapshot.result)) }
        return changes
    }

    private static func frames(from stored: [InningsInfo], to seen: [InningsInfo]) -> [Change] {
        guard stored != seen else { return [] }
        let before = Dictionary(stored.map { ($0.ordinal, $0) }) { _, last in last }
        let after = Dictionary(seen.map { ($0.ordinal, $0) }) { _, last in last }
        return Set(before.keys).union(after.keys).sorted().compactMap { ordinal in
            guard let frame = after[ordinal] else { return .inningsWithdrawn(ordinal: ordinal) }
            return before[ordinal] == frame ? nil : .innings(frame)
        }
    }

    /// Skips what both begin with, since nearly every reply only adds the newest ball.
    private static func deliveries(from stored: [Delivery], to seen: [Delivery]) -> [Change] {
        var common = 0
        while common < min(stored.count, seen.count), stored[common] == seen[common] { common += 1 }
        let before = Dictionary(stored[common...].map { ($0.key, $0) }) { _, last in last }
        let after = Dictionary(seen[common...].map { ($0.key, $0) }) { _, last in last }
        // At one place of the match a withdrawal comes before what takes the place.
        var found: [(place: (OrderKey, Int, DeliveryKey), change: Change)] = []
        for (key, delivery) in after where before[key] != delivery {
            let change: Change = before[key] == nil ? .inserted(delivery) : .amended(delivery)
            found.append(((delivery.order, 1, key), change))
        }
        for (key, delivery) in before where after[key] == nil {
            found.append(((delivery.order, 0, key), .withdrawn(key)))
        }
        return found.sorted { $0.place < $1.place }.map(\.change)
    }
}
