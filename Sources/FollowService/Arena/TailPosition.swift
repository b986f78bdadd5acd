// How far the changes were read, how long ago that was, and which of them nobody needs any more.

internal import ScoreTypes

/// The tail's memory between two reads.
struct TailPosition {
    /// Whose transactions are followed.
    enum Meeting: Equatable {
        case first
        case same
        case another
    }

    /// Changes are kept for this long after they were read: a node that lost Postgres catches up from them.
    ///
    /// How long that is on another node's clock does not matter: what was dropped is noted beside the changes.
    static let keepMax = Duration.seconds(30 * 60)
    private static let noteEvery = Duration.seconds(60)

    /// All changes of older transactions are read; nil before the first read.
    private(set) var position: Int64?
    /// Where the last read began.
    private var begun: Int64?
    /// The life of the server that the position belongs to.
    private var life: String?
    /// The next transaction at some read, while it is not yet passed.
    private var mark: (next: Int64, at: Duration)?
    private var lastLag = Duration.zero
    private var notes: [(position: Int64, at: Duration)] = []

    /// Notes whose transactions are read from now on; those of another life have other numbers.
    mutating func meets(_ life: String) -> Meeting {
        defer { self.life = life }
        return self.life.map { $0 == life ? .same : .another } ?? .first
    }

    /// Whether changes may have been dropped unread, or numbers that were read are given out again.
    ///
    /// What is dropped between the two statements of a read shows at the next one, hence its beginning counts. A mark
    /// that lies ahead of all transactions came with a copy of another server's tables, and says nothing of this one.
    func hasMissed(_ horizon: ChangeTail.Horizon) -> Bool {
        guard let begun, let position else { return false }
        let isOurs = horizon.droppedBelow <= horizon.next
        return isOurs && begun < horizon.droppedBelow || position > horizon.next
    }

    /// Notes a read.
    mutating func advance(from begun: Int64, to position: Int64, next: Int64, at now: Duration) {
        self.begun = begun
        self.position = position
        if let mark, position >= mark.next {
            lastLag = now - mark.at
            self.mark = nil
        }
        if mark == nil { mark = position >= next ? nil : (next, now) }
        if mark == nil { lastLag = .zero }
        if notes.last.map({ now - $0.at >= Self.noteEvery }) ?? true { notes.append((position, now)) }
    }

    /// How long a change that commits now waits to be read, as far as that is known.
    func lag(at now: Duration) -> Duration { max(lastLag, mark.map { now - $0.at } ?? .zero) }

    /// Begins anew, for arenas that are built anew.
    mutating func reset() {
        let life = life
        self = TailPosition()
        self.life = life
    }

    /// Changes of older transactions may be dropped.
    func droppable(at now: Duration) -> Int64? { notes.last { now - $0.at >= Self.keepMax }?.position }

    /// Forgets the notes up to what was dropped.
    mutating func dropped(below position: Int64) { notes.removeAll { $0.position <= position } }
}
