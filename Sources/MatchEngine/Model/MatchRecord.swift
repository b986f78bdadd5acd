// The ordered set of deliveries and facts is the truth; journal entries build it, the fold and the differ read it.

/// The stored match: its frame, innings, deliveries in order, status and result.
public struct MatchRecord: Sendable, Hashable {
    /// The frame; nil before the first reply.
    public private(set) var info: MatchInfo?
    /// In order of `ordinal`.
    public private(set) var innings: [InningsInfo] = []
    /// In order of `order`, then `key`.
    public private(set) var deliveries: [Delivery] = []
    /// What the match is doing, in the feed's word.
    public private(set) var status = StatusReport(status: .scheduled)
    /// The result as officials state it; nil while open.
    public private(set) var result: ProviderResult?
    /// Moments that were confirmed at some time; they stay told even when taken back.
    public private(set) var confirmed: Set<MomentKey> = []

    /// What the sequence of status words has told: days ended, long stops.
    public private(set) var trail = StatusTrail()
    /// Where each stored key stands, so that a delivery is found without walking a whole Test.
    private var orders: [DeliveryKey: OrderKey] = [:]

    /// Starts an empty record.
    public init() {}

    /// Applies one journal entry; returns the index of the first delivery whose fold may differ now, nil for none.
    @discardableResult
    public mutating func apply(_ change: Change) -> Int? {
        switch change {
        case .info(let info):
            trail.note(limit: info.ballLimit, after: self.info?.ballLimit)
            self.info = info
            return 0
        case .innings(let facts): return place(facts)
        case .inningsWithdrawn(let ordinal):
            innings.removeAll { $0.ordinal == ordinal }
            return firstDelivery(ofInnings: ordinal)
        case .inserted(let delivery), .amended(let delivery): return place(delivery)
        case .withdrawn(let key):
            guard let index = index(of: key) else { return nil }
            deliveries.remove(at: index)
            orders[key] = nil
            return index
        case .status(let report):
            trail.note(report, after: status, hasBalls: !deliveries.isEmpty)
            status = report
        case .result(let result): self.result = result
        case .confirmed(let keys): confirmed.formUnion(keys)
        case .keepAlive: break
        }
        return nil
    }

    /// The stored delivery of a key.
    public func delivery(_ key: DeliveryKey) -> Delivery? { index(of: key).map { deliveries[$0] } }

    /// Whether a delivery of that key is stored.
    public func contains(_ key: DeliveryKey) -> Bool { orders[key] != nil }

    /// Index of the first delivery that stands behind the place given; the count when there is none.
    public func firstIndex(after order: OrderKey, _ key: DeliveryKey) -> Int {
        firstIndex { ($0.order, $0.key) > (order, key) }
    }

    private func index(of key: DeliveryKey) -> Int? {
        guard let order = orders[key] else { return nil }
        let index = firstIndex { ($0.order, $0.key) >= (order, key) }
        return index < deliveries.count ? index : nil
    }

    /// Halves the ordered deliveries; the condition holds from some delivery on.
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

    private mutating func place(_ delivery: Delivery) -> Int {
        var old: Int?
        if let order = orders.updateValue(delivery.order, forKey: delivery.key) {
            let index = firstIndex { ($0.order, $0.key) >= (order, delivery.key) }
            if order == delivery.order {
                deliveries[index] = delivery
                return index
            }
            deliveries.remove(at: index)
            old = index
        }
        let index = firstIndex(after: delivery.order, delivery.key)
        deliveries.insert(delivery, at: index)
        return min(index, old ?? index)
    }

    private mutating func place(_ facts: InningsInfo) -> Int? {
        if let index = innings.firstIndex(where: { $0.ordinal >= facts.ordinal }) {
            if innings[index].ordinal == facts.ordinal {
                innings[index] = facts
            } else {
                innings.insert(facts, at: index)
            }
        } else {
            innings.append(facts)
        }
        return firstDelivery(ofInnings: facts.ordinal)
    }

    private func firstDelivery(ofInnings ordinal: Int) -> Int {
        deliveries.firstIndex { $0.innings >= ordinal } ?? deliveries.count
    }
}
