// The stored match: an ordered set of deliveries and facts, built by journal entries, read by the fold and the differ.

/// A match's facts, innings, deliveries in order, status and result.
public struct MatchRecord: Sendable, Hashable, Codable {
    /// The facts of the match; nil before the first reply.
    public private(set) var info: MatchInfo?
    /// In order of `ordinal`.
    public private(set) var innings: [InningsInfo] = []
    /// In order of `order`, then `key`.
    public private(set) var deliveries: [Delivery] = []
    /// The status that the feed reports.
    public private(set) var status = StatusReport(status: .scheduled)
    /// The result as the officials state it; nil while the match is open.
    public private(set) var result: ProviderResult?
    /// Moments that were confirmed at some time; they stay in the set when a correction removes them.
    public private(set) var confirmed: Set<MomentKey> = []

    /// Facts derived from the sequence of statuses: days ended, long stoppages.
    private(set) var statusHistory = StatusHistory()
    /// Order key of each stored delivery, by which it is found with a binary search.
    private var orders: [DeliveryKey: OrderKey] = [:]

    /// Starts an empty record.
    public init() {}

    /// The effect of an applied entry on folds over the record.
    enum Effect: Sendable, Hashable {
        /// All balls fold as before.
        case none
        /// Every ball may fold differently.
        case everything
        /// The facts of an innings were added, changed or removed.
        case frame(ordinal: Int)
        /// A ball was added after all others.
        case appended(ordinal: Int)
        /// A ball was inserted, changed, moved or removed; `before` is the innings that it belonged to.
        case changed(ordinal: Int, before: Int)
    }

    /// Reserves memory for a number of additional deliveries.
    mutating func reserve(_ count: Int) {
        deliveries.reserveCapacity(deliveries.count + count)
        orders.reserveCapacity(deliveries.count + count)
    }

    /// Applies one journal entry.
    public mutating func apply(_ change: Change) { _ = take(change) }

    /// Applies one journal entry; returns its effect on folds over the record.
    mutating func take(_ change: Change) -> Effect {
        switch change {
        case .info(let info):
            statusHistory.note(limit: info.ballLimit, after: self.info?.ballLimit)
            defer { self.info = info }
            return info == self.info ? .none : .everything
        case .innings(let facts):
            place(facts)
            return .frame(ordinal: facts.ordinal)
        case .inningsWithdrawn(let ordinal):
            innings.removeAll { $0.ordinal == ordinal }
            return .frame(ordinal: ordinal)
        case .inserted(let delivery), .amended(let delivery): return place(delivery)
        case .withdrawn(let key):
            guard let index = index(of: key) else { return .none }
            let ordinal = deliveries.remove(at: index).innings
            orders[key] = nil
            return .changed(ordinal: ordinal, before: ordinal)
        case .status(let report):
            let hasBalls = !deliveries.isEmpty || innings.contains { $0.reported?.isBegun == true }
            statusHistory.note(report, after: status, hasBalls: hasBalls)
            status = report
        case .result(let result): self.result = result
        case .confirmed(let keys): confirmed.formUnion(keys)
        case .keepAlive: break
        }
        return .none
    }

    /// The stored delivery of a key; nil when there is none.
    public func delivery(_ key: DeliveryKey) -> Delivery? { index(of: key).map { deliveries[$0] } }

    /// Index of the first delivery after a position in the match.
    ///
    /// - Parameters:
    ///   - order: Order key of the position.
    ///   - key: Delivery key of the position, for deliveries of one order key.
    /// - Returns: An index into `deliveries`; their count when there is no such delivery.
    public func firstIndex(after order: OrderKey, _ key: DeliveryKey) -> Int {
        firstIndex { ($0.order, $0.key) > (order, key) }
    }

    private func index(of key: DeliveryKey) -> Int? {
        guard let order = orders[key] else { return nil }
        let index = firstIndex { ($0.order, $0.key) >= (order, key) }
        return index < deliveries.count ? index : nil
    }

    /// Binary search for the first delivery that meets a condition which all later ones meet too.
    private func firstIndex(where isBehind: (Delivery) -> Bool) -> Int {
        if let last = deliveries.last, !isBehind(last) { return deliveries.count }
        var low = 0
        var high = deliveries.count
        while low < high {
            let middle = low + (high - low) / 2
            if isBehind(deliveries[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }

    private mutating func place(_ delivery: Delivery) -> Effect {
        guard let order = orders.updateValue(delivery.order, forKey: delivery.key) else {
            let index = firstIndex(after: delivery.order, delivery.key)
            if index == deliveries.count {
                deliveries.append(delivery)
                return .appended(ordinal: delivery.innings)
            }
            deliveries.insert(delivery, at: index)
            return .changed(ordinal: delivery.innings, before: delivery.innings)
        }
        let index = firstIndex { ($0.order, $0.key) >= (order, delivery.key) }
        let before = deliveries[index].innings
        if order == delivery.order {
            deliveries[index] = delivery
        } else {
            deliveries.remove(at: index)
            deliveries.insert(delivery, at: firstIndex(after: delivery.order, delivery.key))
        }
        return .changed(ordinal: delivery.innings, before: before)
    }

    private mutating func place(_ facts: InningsInfo) {
        if let index = innings.firstIndex(where: { $0.ordinal >= facts.ordinal }) {
            if innings[index].ordinal == facts.ordinal {
                innings[index] = facts
            } else {
                innings.insert(facts, at: index)
            }
        } else {
            innings.append(facts)
        }
    }
}
