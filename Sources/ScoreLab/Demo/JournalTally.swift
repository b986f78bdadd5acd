// The journal says what the phones had to see: balls, wickets and the result.

import MatchEngine
import MatchJournal
import ScoreTypes

/// The balls and the result of a match by its journal.
struct JournalTally: Sendable {
    private var deliveries: [DeliveryKey: Delivery] = [:]
    /// The kind of the result; nil without one.
    private(set) var result: String?
    /// The newest revision that added a ball or changed the result; 0 for none.
    private(set) var newestFact: Int64 = 0

    /// Balls that were not withdrawn.
    var balls: Int { deliveries.count }
    /// Balls on which a wicket fell.
    var wickets: Int { deliveries.values.count { !$0.dismissals.isEmpty } }

    /// Takes the next entry.
    mutating func take(_ entry: JournalEntry) {
        switch entry.change {
        case .inserted(let delivery):
            deliveries[delivery.key] = delivery
            newestFact = entry.revision
        case .amended(let delivery): deliveries[delivery.key] = delivery
        case .withdrawn(let key): deliveries[key] = nil
        case .inningsWithdrawn(let ordinal): deliveries = deliveries.filter { $0.value.innings != ordinal }
        case .result(let found):
            result = found.map { "\($0.kind)" }
            newestFact = entry.revision
        case .info, .innings, .status, .confirmed, .keepAlive: break
        }
    }
}
