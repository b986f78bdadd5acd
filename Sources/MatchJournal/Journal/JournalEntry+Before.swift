// A client that shows a correction needs the ball as it was, which the record has until the correction is applied.

internal import MatchEngine

extension JournalEntry {
    /// The entries with the balls before corrections and deletions, from earlier entries or the record before them all.
    static func withBallsBefore(_ page: [JournalEntry], in record: MatchRecord) -> [JournalEntry] {
        guard page.contains(where: \.changesBall) else { return page }
        var known: [DeliveryKey: Delivery?] = [:]
        func ball(_ key: DeliveryKey) -> Delivery? { if let ball = known[key] { ball } else { record.delivery(key) } }
        return page.map { entry in
            var entry = entry
            switch entry.change {
            case .inserted(let delivery): known.updateValue(delivery, forKey: delivery.key)
            case .amended(let delivery):
                entry.before = ball(delivery.key)
                known.updateValue(delivery, forKey: delivery.key)
            case .withdrawn(let key):
                entry.before = ball(key)
                known.updateValue(nil, forKey: key)
            default: break
            }
            return entry
        }
    }

    private var changesBall: Bool {
        switch change {
        case .amended, .withdrawn: true
        default: false
        }
    }
}
