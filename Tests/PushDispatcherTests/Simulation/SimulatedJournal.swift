// The journal and the publisher of a match without a database: rows in memory, read as a node reads them.

import MatchEngine
import ScoreTypes

@testable import MatchJournal

/// The rows of one match.
struct SimulatedJournal {
    private(set) var rows: [PublicationRow] = []
    private(set) var entries: [JournalEntry] = []

    /// Writes an append at a time, as one transaction.
    mutating func write(_ append: JournalAppend, at now: Instant, seenAt: Instant) throws {
        for (revision, change) in zip((append.expected + 1)..., append.changes) {
            let stored = try ChangeCoding.decode(ChangeCoding.encode(change), revision: revision)
            entries.append(JournalEntry(revision: revision, at: now, change: stored))
        }
        rows.append(
            PublicationRow(
                revision: append.revision,
                apnsTimestamp: max((rows.last?.apnsTimestamp ?? 0) + 1, now.seconds),
                at: now,
                seenAt: seenAt,
                priority: append.priority.rawValue,
                alertKey: append.alertKey?.text,
                cause: append.cause,
                feed: append.source.feed,
                announced: append.announced
            )
        )
    }

    /// The time at which the next publication after a revision may go out, one in an interval; nil when there is none.
    func due(after revision: Int64, last: Instant?) -> Instant? {
        rows.first { $0.revision > revision }.map { row in
            max(row.at, last.map { $0 + JournalLimits.publicationInterval } ?? row.at)
        }
    }
}

/// One node's view of the journal.
struct SimulatedPublisher {
    private let renderer = PublicationRenderer(scheme: "score")
    private var live: LiveMatch

    init(_ match: MatchID, clock: ServiceClock) {
        live = LiveMatch(match, clock: clock, options: EngineOptions())
    }

    /// The last revision that it has published.
    var published: Int64 { live.published }

    /// Publishes what the journal has at a time; nil when that is nothing new, or the feed has not reported the match.
    mutating func publish(_ journal: SimulatedJournal, at now: Instant) -> Publication? {
        live.take(journal.rows.filter { $0.revision > live.known && $0.at <= now })
        guard let row = live.rows.last else { return nil }
        live.apply(journal.entries.filter { $0.revision > live.applied && $0.revision <= row.revision })
        let head = JournalHead(
            match: live.match,
            feed: FeedID(unchecked: row.feed),
            revision: Revision(epoch: Fixture.epoch, number: row.revision),
            apnsTimestamp: row.apnsTimestamp,
            phase: live.replica.state.phase,
            heldReason: nil,
            silentSince: nil,
            removedAt: nil,
            heldSince: nil,
            heldRevision: nil,
            overFor: nil,
            readAt: now
        )
        guard let publication = renderer.render(live, head: head) else { return nil }
        live.close(with: publication)
        return publication
    }
}
