// An actor lets others in while it awaits; a match's writes must not overtake each other.

/// Lets one caller at a time through, the others in order behind it; confined to one actor.
struct Turn {
    /// Callers that may wait: a poller, a ticker and an operator are three.
    static let waitersMax = 8

    private var isTaken = false
    private var waiters: [CheckedContinuation<Void, Never>] = []

    /// Whether nobody may wait any more.
    var isFull: Bool { waiters.count >= Self.waitersMax }

    /// Takes the turn if it is free.
    mutating func takeIfFree() -> Bool {
        defer { isTaken = true }
        return !isTaken
    }

    /// Waits for the turn, which `leave` hands on.
    mutating func wait(_ continuation: CheckedContinuation<Void, Never>) { waiters.append(continuation) }

    /// Gives the turn to the next, or frees it.
    mutating func leave() {
        guard !waiters.isEmpty else {
            isTaken = false
            return
        }
        waiters.removeFirst().resume()
    }
}
