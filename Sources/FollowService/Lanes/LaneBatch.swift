// Postgres can touch a row once in a statement and deadlocks on unsorted ones; a batch is what it can digest.

/// Calls made ready to be written: one for each row, sorted, with the way back from rows to callers.
struct LaneBatch<Call: LaneCall> {
    /// One call for each key, in the order of the keys.
    let rows: [Call]
    /// For each call that came in, the row that speaks for it.
    private let rowOfCall: [Int]
    private let calls: [Call]

    /// Chooses for each key the call with the highest client count, of equals the last.
    init(_ calls: [Call]) {
        var winners: [Call.Key: Int] = [:]
        winners.reserveCapacity(calls.count)
        for (index, call) in calls.enumerated() {
            if let held = winners[call.key], calls[held].clientSeq > call.clientSeq { continue }
            winners[call.key] = index
        }
        let order = winners.values.sorted { calls[$0].key < calls[$1].key }
        var rowOfKey: [Call.Key: Int] = [:]
        rowOfKey.reserveCapacity(order.count)
        for (row, index) in order.enumerated() { rowOfKey[calls[index].key] = row }
        rows = order.map { calls[$0] }
        rowOfCall = calls.map { rowOfKey[$0.key] ?? 0 }
        self.calls = calls
    }

    /// The outcome of each call that came in, from those of the rows; nil when the rows' are too few.
    func outcomes(from rowOutcomes: [Call.Outcome]) -> [Call.Outcome]? {
        guard rowOutcomes.count == rows.count else { return nil }
        return zip(calls, rowOfCall).map { call, row in
            let winner = rows[row]
            guard winner.clientSeq != call.clientSeq else { return rowOutcomes[row] }
            return call.outcome(supersededBy: winner, with: rowOutcomes[row])
        }
    }
}

/// How a lane gathers.
public struct LaneBounds: Sendable {
    /// Rows in a statement: more add latency and no speed (500 rows saturate two lanes).
    public var rowsMax: Int
    /// How long the first call of a batch waits for company; small beside the fsync that it saves.
    public var gatherMax: Duration
    /// Calls that may wait in one lane, about a tenth of a second's work; more are refused as busy.
    public var waitingMax: Int

    /// The defaults: 500 rows, 10 ms, 20,000 waiting.
    public init(rowsMax: Int = 500, gatherMax: Duration = .milliseconds(10), waitingMax: Int = 20_000) {
        self.rowsMax = max(1, rowsMax)
        self.gatherMax = gatherMax
        self.waitingMax = max(1, waitingMax)
    }
}
