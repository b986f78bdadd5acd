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
        var rows: [Call] = []
        rows.reserveCapacity(calls.count)
        var rowOfCall = [Int](repeating: 0, count: calls.count)
        var last: Place?
        for place in Self.sorted(calls) {
            let call = calls[place.index]
            if let last, last.number == place.number, calls[last.index].key == call.key {
                if call.clientSequence >= rows[rows.count - 1].clientSequence { rows[rows.count - 1] = call }
            } else {
                rows.append(call)
            }
            rowOfCall[place.index] = rows.count - 1
            last = place
        }
        self.rows = rows
        self.rowOfCall = rowOfCall
        self.calls = calls
    }

    /// Where a call stands in the batch, and the number that it sorts by.
    private struct Place {
        let number: UInt64
        let index: Int
    }

    /// By key, calls of equal keys in the order of their coming.
    private static func sorted(_ calls: [Call]) -> [Place] {
        var places = calls.indices.map { Place(number: calls[$0].key.sortNumber, index: $0) }
        places.sort { left, right in
            if left.number != right.number { return left.number < right.number }
            let (leftKey, rightKey) = (calls[left.index].key, calls[right.index].key)
            return leftKey == rightKey ? left.index < right.index : leftKey < rightKey
        }
        return places
    }

    /// The outcome of each call that came in, from those of the rows; nil when the rows' are too few.
    func outcomes(from rowOutcomes: [Call.Outcome]) -> [Call.Outcome]? {
        guard rowOutcomes.count == rows.count else { return nil }
        return calls.indices.map { place in
            let row = rowOfCall[place]
            if rows[row].clientSequence == calls[place].clientSequence { return rowOutcomes[row] }
            return calls[place].outcome(supersededBy: rows[row], with: rowOutcomes[row])
        }
    }
}

/// How a lane gathers.
public struct LaneBounds: Sendable {
    /// Rows in a statement: from 500 to 2,000 a row gets a fifth cheaper, since a statement opens four partitions.
    public var rowsMax: Int
    /// How long the first call of a batch waits for company; small beside the fsync that it saves.
    public var gatherMax: Duration
    /// Calls that may wait in one lane, about a quarter of a second's work; more are refused as busy.
    public var waitingMax: Int

    /// The defaults: 2,000 rows, 10 ms, 20,000 waiting.
    public init(rowsMax: Int = 2_000, gatherMax: Duration = .milliseconds(10), waitingMax: Int = 20_000) {
        self.rowsMax = max(1, rowsMax)
        self.gatherMax = gatherMax
        self.waitingMax = max(1, waitingMax)
    }
}
