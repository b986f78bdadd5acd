// How far the changes were read, how long ago that was, and which of them nobody needs any more.

internal import ScoreTypes

/// The tail's memory between two reads.
struct TailPosition {
    /// Changes are kept for this long after they were read: a node that lost Postgres catches up from them.
    static let keepMax = Duration.seconds(30 * 60)
    /// A node that has read nothing for this long builds its arenas anew, well before changes are dropped.
    static let gapMax = Duration.seconds(20 * 60)
    private static let noteEvery = Duration.seconds(60)

    /// All changes of older transactions are read; nil before the first read.
    private(set) var position: Int64?
    private var readAt: Duration?
    /// The next transaction at some read, while it is not yet passed.
    private var mark: (next: Int64, at: Duration)?
    private var lastLag = Duration.zero
    private var notes: [(position: Int64, at: Duration)] = []

    /// Notes a read.
    mutating func advance(to position: Int64, next: Int64, at now: Duration) {
        self.position = position
        readAt = now
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

    /// Whether changes may have been dropped unread.
    func hasGap(at now: Duration) -> Bool { readAt.map { now - $0 > Self.gapMax } ?? false }

    /// Begins anew, for arenas that are built anew.
    mutating func reset() { self = TailPosition() }

    /// Changes of older transactions may be dropped.
    func droppable(at now: Duration) -> Int64? { notes.last { now - $0.at >= Self.keepMax }?.position }

    /// Forgets the notes up to what was dropped.
    mutating func dropped(below position: Int64) { notes.removeAll { $0.position <= position } }
}
