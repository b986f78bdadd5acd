// A phone that shows an old revision is stuck only if a newer one has been out for long, so the times are remembered.

internal import ScoreTypes

/// When the revisions of one match were published, as far back as it matters; thinned, but always with the newest.
struct RevisionHistory: Sendable {
    private struct Mark: Sendable {
        let revision: Int64
        let at: Instant
    }

    private var marks: [Mark] = []
    private var newestHash: UInt64?

    /// Remembered revisions.
    var count: Int { marks.count }

    /// The newest revision whose state differs from the one before; nil before the first.
    var newest: Int64? { marks.last?.revision }

    /// When the newest revision was published; nil before the first.
    var newestAt: Instant? { marks.last?.at }

    /// Records a publication; one with an unchanged state is not sent, so that no phone can lag behind it.
    mutating func note(_ revision: Int64, hash: UInt64, at moment: Instant) {
        guard revision > marks.last?.revision ?? 0, hash != newestHash else { return }
        newestHash = hash
        if let before = marks.dropLast().last, moment - before.at < LiveActivityLimits.revisionSpacing {
            marks.removeLast()
        }
        marks.append(Mark(revision: revision, at: moment))
        // Of the marks older than the patience only the newest is needed.
        let expired = marks.prefix { moment - $0.at >= LiveActivityLimits.stuckAfter }.count
        marks.removeFirst(max(expired - 1, marks.count - LiveActivityLimits.revisionsKept, 0))
    }

    /// The newest revision that has been out for ``LiveActivityLimits/stuckAfter``; nil shortly after a start.
    func due(at now: Instant) -> Int64? {
        marks.last { now - $0.at >= LiveActivityLimits.stuckAfter }?.revision
    }
}
