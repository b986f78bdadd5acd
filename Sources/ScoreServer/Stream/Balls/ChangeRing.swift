// Clients that reconnect resume from memory, so that a storm of them costs no database query.

import ScoreTypes

/// The newest changes of one match as events, without a gap.
struct ChangeRing: Sendable {
    /// An event and the time of its revision, by PostgreSQL's clock.
    struct Element: Sendable {
        let frame: StreamFrame
        let at: Instant
    }

    /// The revisions that a client may have in order to resume.
    struct Span: Sendable, Hashable {
        /// The newest revision.
        let head: Revision
        /// The oldest revision after which all are in memory.
        let base: Int64
    }

    /// The newest revision.
    private(set) var head: Revision
    /// In order of revision, ending with `head`, or empty.
    private var elements: [Element] = []
    /// The event of `head` with the complete state; nil when the change was not passed.
    private var newest: StreamFrame?

    init(at head: Revision) { self.head = head }

    /// The revisions from which a client can resume.
    var span: Span { Span(head: head, base: head.number - Int64(elements.count)) }
    /// Whether all changes were dropped.
    var isEmpty: Bool { elements.isEmpty }

    /// Adds the changes up to a revision; those before a gap or of an earlier epoch are dropped.
    ///
    /// - `newest`: The event of the last change with the complete state.
    mutating func append(_ changes: [Element], upTo revision: Revision, newest: StreamFrame?, now: Instant) {
        guard revision.epoch != head.epoch || revision.number > head.number else { return }
        let next = head.number + 1
        let isContinued = revision.epoch == head.epoch && changes.contains { $0.frame.revision.number == next }
        elements = isContinued ? elements + changes.filter { $0.frame.revision.number >= next } : changes
        head = revision
        self.newest = newest
        prune(now: now)
    }

    /// Drops changes that are too old, or too many.
    mutating func prune(now: Instant) {
        let tooMany = max(0, elements.count - ServerLimits.ringChanges)
        let tooOld = elements.prefix { now - $0.at > ServerLimits.ringAge }.count
        elements.removeFirst(max(tooMany, tooOld))
        if elements.isEmpty { newest = nil }
    }

    /// The events after a revision, the last one with the complete state; nil when some of them are not in memory.
    func frames(after revision: Revision) -> [StreamFrame]? {
        guard revision.epoch == head.epoch, revision.number <= head.number else { return nil }
        guard revision.number < head.number else { return [] }
        guard revision.number >= span.base, let newest else { return nil }
        return elements.suffix(Int(head.number - revision.number)).dropLast().map(\.frame) + [newest]
    }
}
