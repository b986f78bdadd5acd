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

    /// Starts an empty record.
    public init() {}

    /// Applies one journal entry; returns the index of the first delivery whose fold may differ now, nil for none.
    @discardableResult
    public mutating func apply(_ change: Change) -> Int? {
        switch change {
        case .info(let info):
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
            return index
        case .status(let report): status = report
        case .result(let result): self.result = result
        case .confirmed(let keys): confirmed.formUnion(keys)
        case .keepAlive: break
        }
        return nil
    }

    /// The stored delivery of a key.
    public func delivery(_ key: DeliveryKey) -> Delivery? { index(of: key).map { deliveries[$0] } }

    /// Finds a delivery from the end, since nearly every change touches the newest balls.
    private func index(of key: DeliveryKey) -> Int? { deliveries.lastIndex { $0.key == key } }

    private mutating func place(_ delivery: Delivery) -> Int {
        let old = index(of: delivery.key)
        if let old, deliveries[old].order == delivery.order {
            deliveries[old] = delivery
            return old
        }
        if let old { deliveries.remove(at: old) }
        let behind = deliveries.lastIndex { ($0.order, $0.key) < (delivery.order, delivery.key) }
        let index = behind.map { $0 + 1 } ?? 0
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
