// A phone that shows an old picture is stuck only if a newer one has long been out, so someone must know since when.

import ScoreTypes

/// When the pictures of one match came out, as far back as it matters; thinned, but always with the newest.
struct StateTrail: Sendable {
    /// How long a newer picture may be out before a phone that shows an older one counts as stuck.
    ///
    /// iOS holds pushes of priority 5 back for some minutes; after 30 minutes the phone itself calls its picture stale.
    static let patience: Duration = .seconds(900)
    /// No three marks are closer together than this: a mark for each ball would say no more.
    static let spacing: Duration = .seconds(60)
    /// Most marks, at 16 bytes each: two for each minute of `patience`, the newest before it, and some air.
    static let marksMax = 34

    private struct Mark: Sendable {
        let revision: Int64
        let at: Instant
    }

    private var marks: [Mark] = []
    private var newestHash: UInt64?

    var count: Int { marks.count }

    /// When the newest picture came out; nil before the first.
    var newestAt: Instant? { marks.last?.at }

    /// A picture came out; one that shows nothing new is sent to nobody, so no phone can lag behind it.
    mutating func note(_ revision: Int64, hash: UInt64, at moment: Instant) {
        guard revision > marks.last?.revision ?? 0, hash != newestHash else { return }
        newestHash = hash
        if let before = marks.dropLast().last, moment - before.at < Self.spacing { marks.removeLast() }
        marks.append(Mark(revision: revision, at: moment))
        // What lies before the newest mark of that age says nothing more.
        let expired = marks.prefix { moment - $0.at >= Self.patience }.count
        marks.removeFirst(max(expired - 1, marks.count - Self.marksMax, 0))
    }

    /// The newest picture that has been out for `patience`; nil when none has, as soon after a start.
    func due(at now: Instant) -> Int64? { marks.last { now - $0.at >= Self.patience }?.revision }
}
