// A statement may change a row once, and unsorted rows deadlock, so that a batch is made unique and sorted.

/// Calls as rows to write: one for each key, sorted, with the mapping from rows to calls.
struct CallBatch<Call: BatchedCall> {
    /// One call for each key, in the order of the keys.
    let rows: [Call]
    /// The row of each call.
    private let rowOfCall: [Int]
    private let calls: [Call]

    /// Chooses for each key the call with the highest client count, of equals the first.
    init(_ calls: [Call]) {
        var rows: [Call] = []
        rows.reserveCapacity(calls.count)
        var rowOfCall = [Int](repeating: 0, count: calls.count)
        var last: Place?
        for place in Self.sorted(calls) {
            let call = calls[place.index]
            if let last, last.number == place.number, calls[last.index].key == call.key {
                if call.clientSequence > rows[rows.count - 1].clientSequence { rows[rows.count - 1] = call }
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

    /// The index of a call, and the number by which it is sorted.
    private struct Place {
        let number: UInt64
        let index: Int
    }

    /// The calls by key; calls of equal keys in the order of arrival.
    private static func sorted(_ calls: [Call]) -> [Place] {
        var places = calls.indices.map { Place(number: calls[$0].key.sortNumber, index: $0) }
        places.sort { left, right in
            if left.number != right.number { return left.number < right.number }
            let (leftKey, rightKey) = (calls[left.index].key, calls[right.index].key)
            return leftKey == rightKey ? left.index < right.index : leftKey < rightKey
        }
        return places
    }

    /// The outcome of each call, from the outcomes of the rows; nil when their number is wrong.
    func outcomes(from rowOutcomes: [Call.Outcome]) -> [Call.Outcome]? {
        guard rowOutcomes.count == rows.count else { return nil }
        return calls.indices.map { place in
            let (call, row) = (calls[place], rows[rowOfCall[place]])
            let outcome = rowOutcomes[rowOfCall[place]]
            let isSame = row.clientSequence == call.clientSequence && row.isRepeated(by: call)
            return isSame ? outcome : call.outcome(supersededBy: row, with: outcome)
        }
    }
}

/// The bounds of a batcher.
public struct BatchBounds: Sendable {
    /// Rows in one statement, 1 or more.
    public var rowsMax: Int
    /// Time for which the first call of a batch waits for others.
    public var gatherMax: Duration
    /// Calls that wait for one batcher, 1 or more; further ones are refused as busy.
    public var waitingMax: Int

    /// Makes bounds; those that are not given are the ones of ``FollowLimits``.
    public init(
        rowsMax: Int = FollowLimits.rowsPerBatch,
        gatherMax: Duration = FollowLimits.gatherTime,
        waitingMax: Int = FollowLimits.waitingCalls
    ) {
        self.rowsMax = max(1, rowsMax)
        self.gatherMax = gatherMax
        self.waitingMax = max(1, waitingMax)
    }
}
