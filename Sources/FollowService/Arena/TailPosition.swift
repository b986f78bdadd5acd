// The tail decides by value which changes are read, which were missed, and which can be deleted.

internal import ScoreTypes

/// The position of the tail between two reads.
struct TailPosition {
    /// All changes of older transactions have been read; nil before the first read.
    private(set) var position: Int64?
    /// The position at which the last read began.
    private var begun: Int64?
    /// The server and its last start, to which the position belongs.
    private var life: String?
    /// The next transaction at an earlier read, until the position passes it.
    private var mark: (next: Int64, at: Duration)?
    private var lastLag = Duration.zero
    private var notes: [(position: Int64, at: Duration)] = []

    /// Records the server whose transactions are read; true when it is another one, whose ids are not comparable.
    mutating func changesServer(to life: String) -> Bool {
        defer { self.life = life }
        return self.life.map { $0 != life } ?? false
    }

    /// Whether changes may have been deleted unread, or transaction ids repeat.
    ///
    /// A deletion between the two statements of a read is visible at the next read, so the begin of the read counts. A
    /// mark ahead of all transactions was copied from another server's tables, and is ignored.
    func hasMissed(_ horizon: ChangeTail.Horizon) -> Bool {
        guard let begun, let position else { return false }
        let isOurs = horizon.droppedBelow <= horizon.next
        return isOurs && begun < horizon.droppedBelow || position > horizon.next
    }

    /// Records a read.
    mutating func advance(from begun: Int64, to position: Int64, next: Int64, at now: Duration) {
        self.begun = begun
        self.position = position
        if let mark, position >= mark.next {
            lastLag = now - mark.at
            self.mark = nil
        }
        if mark == nil { mark = position >= next ? nil : (next, now) }
        if mark == nil { lastLag = .zero }
        if notes.last.map({ now - $0.at >= FollowLimits.positionInterval }) ?? true { notes.append((position, now)) }
    }

    /// The time that a change waits to be read, as far as it is known.
    func lag(at now: Duration) -> Duration { max(lastLag, mark.map { now - $0.at } ?? .zero) }

    /// Forgets the position, for arenas that are built again.
    mutating func reset() {
        let life = life
        self = TailPosition()
        self.life = life
    }

    /// The transaction before which changes may be deleted; nil for none.
    func droppable(at now: Duration) -> Int64? { notes.last { now - $0.at >= FollowLimits.changeAge }?.position }

    /// Removes recorded positions up to the deleted changes.
    mutating func dropped(below position: Int64) { notes.removeAll { $0.position <= position } }
}
