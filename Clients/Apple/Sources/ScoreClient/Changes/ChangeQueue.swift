// Changes made offline wait here, in the order of their sequence numbers, and survive the end of the app.

/// The changes that wait for the server.
public struct ChangeQueue: Codable, Sendable, Hashable {
    /// The waiting changes, in the order in which they are sent.
    public private(set) var changes: [PendingChange] = []
    /// The greatest sequence number that was used or that the server has named.
    public private(set) var lastSequence: Int64 = 0

    /// Makes an empty queue.
    public init() {}

    /// Begins new numbers for a device that is registered again, since a number of the previous one cannot be exceeded.
    init(continuing previous: ChangeQueue, at wall: Int64) {
        for change in previous.changes {
            changes.append(PendingChange(change.operation, sequence: nextSequence(at: wall), madeAt: change.madeAt))
        }
    }

    /// Takes the next sequence number.
    ///
    /// It is at least the wall time in milliseconds: an app that lost its record continues above its previous numbers.
    mutating func nextSequence(at wall: Int64) -> Int64 {
        lastSequence = min(max(lastSequence + 1, wall), ClientLimits.largestSequence)
        return lastSequence
    }

    /// Raises the counter to a number that the server has stored; one that leaves no greater number is ignored.
    mutating func raise(to stored: Int64) {
        if stored < ClientLimits.largestSequence { lastSequence = max(lastSequence, stored) }
    }

    /// Adds a change; a waiting change of the same target, other than the one in flight, is replaced.
    ///
    /// An end of an activity never replaces the end of another activity of its match.
    /// - Returns: The change; nil when the queue is full.
    mutating func add(
        _ operation: PendingChange.Operation,
        at wall: Int64,
        inFlight: Int64? = nil
    ) -> PendingChange? {
        let change = PendingChange(operation, sequence: nextSequence(at: wall), madeAt: wall)
        changes.removeAll { $0.sequence != inFlight && $0.isReplaced(by: change) }
        guard changes.count < ClientLimits.pendingChanges else { return nil }
        changes.append(change)
        return change
    }

    /// Removes a change that is done.
    mutating func remove(_ sequence: Int64) { changes.removeAll { $0.sequence == sequence } }

    /// Sends a change that the server has refused as too old again, with a greater sequence number.
    ///
    /// A newer change of the same target makes it unnecessary.
    mutating func reissue(_ sequence: Int64, at wall: Int64) {
        guard let place = changes.firstIndex(where: { $0.sequence == sequence }) else { return }
        let change = changes.remove(at: place)
        if changes.contains(where: { change.isReplaced(by: $0) }) { return }
        changes.append(PendingChange(change.operation, sequence: nextSequence(at: wall), madeAt: change.madeAt))
    }

    /// Counts a failure of the server; after several, the changes behind it are sent first.
    mutating func noteFailure(of sequence: Int64) {
        guard let place = changes.firstIndex(where: { $0.sequence == sequence }) else { return }
        changes[place].attempts += 1
        guard changes[place].attempts.isMultiple(of: ClientLimits.attemptsBeforeDeferral) else { return }
        let change = changes.remove(at: place)
        // A newer change of its target must not be sent before it.
        if changes.contains(where: { change.isReplaced(by: $0) }) { return }
        changes.append(change)
    }

    /// Whether a change of a target waits.
    func has(_ target: PendingChange.Target) -> Bool { changes.contains { $0.target == target } }

    /// Removes the changes for which a condition holds.
    mutating func removeAll(where isGone: (PendingChange) -> Bool) { changes.removeAll(where: isGone) }
}

extension PendingChange {
    /// Whether a newer change makes this one unnecessary.
    fileprivate func isReplaced(by newer: PendingChange) -> Bool {
        guard target == newer.target, sequence != newer.sequence else { return false }
        switch (operation, newer.operation) {
        // The server finds an ended activity by its id: another activity's change says nothing about it.
        case (.endActivity(let id, _, _), .endActivity(let other, _, _)): return id == other
        case (.endActivity(let id, _, _), .reportActivity(let other, _, _, _, _, _)): return id == other
        // A dismissal is stored for a known activity only, so that the report is sent first.
        case (.reportActivity(let id, _, _, _, _, _), .endActivity(let other, _, let cause)):
            return id == other && cause != .dismissed
        default: return true
        }
    }
}
