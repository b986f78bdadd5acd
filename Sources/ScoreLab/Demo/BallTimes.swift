// Measures the time from the serving of a ball to its push, the main figure of the service.

import MatchEngine
import MatchJournal
import ScoreTypes
import Simulators

/// Follows the balls of a match along its journal.
struct BallTimes: Sendable {
    /// From the reply that first had a ball to pushes that show it.
    struct Span: Sendable, Hashable {
        /// Until the first push of it was accepted.
        let first: Duration
        /// Until the last one so far was.
        let last: Duration
    }

    private var revision: Int64 = 0
    private var ball = 0
    /// Balls of the journal so far without any push, at their revision or at a later one.
    private(set) var withoutPush = 0

    /// The spans of the balls since the last call, as far as they were pushed; `look` gets each entry on the way.
    ///
    /// `served` says when the feed first gave each ball away, `pushed` when each revision was accepted, `end` the last
    /// revision to look at; `read` gives the entries of the journal after a revision, none at its end.
    mutating func next(
        served: [Duration],
        pushed: [Int64: RevisionTimes],
        upTo end: Int64? = nil,
        entries read: @Sendable (_ after: Int64) async throws -> [JournalEntry],
        look: (JournalEntry) -> Void = { _ in }
    ) async throws -> [Span] {
        let revisions = pushed.keys.sorted()
        var spans: [Span] = []
        while true {
            let entries = try await read(revision)
            guard !entries.isEmpty else { return spans }
            for entry in entries {
                guard entry.revision <= end ?? .max else { return spans }
                revision = entry.revision
                look(entry)
                guard case .inserted = entry.change else { continue }
                defer { ball += 1 }
                // The publication that first showed it is the next one that was pushed: a ball whose revision was
                // superseded within the same reply has no push of its own.
                guard let shown = revisions.first(where: { $0 >= revision }).flatMap({ pushed[$0] }) else {
                    withoutPush += 1
                    continue
                }
                guard ball < served.count else { continue }
                spans.append(Span(first: shown.first - served[ball], last: shown.last - served[ball]))
            }
        }
    }
}
