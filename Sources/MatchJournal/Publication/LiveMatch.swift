// A node keeps a folded match between two publications.

internal import MatchEngine
internal import ScoreTypes

/// A match that follows its journal, and the state of its publication.
struct LiveMatch: Sendable {
    let match: MatchID
    private(set) var replica: MatchReplica
    /// The revision of the replica.
    private(set) var applied: Int64 = 0
    /// The last revision that the outlet has.
    var published: Int64 = 0
    /// Rows that the outlet does not have.
    var rows: [PublicationRow] = []
    /// The newest entries that the outlet does not have, oldest first.
    private var unsent: [JournalEntry] = []
    /// The keys that the entry of an unsent row confirms.
    private(set) var confirmed: [Int64: [MomentKey]] = [:]
    /// Alerts that may be on their way to devices, the oldest first.
    var alerts: [RecentAlert] = []
    /// Alerts that may still be corrected.
    private(set) var announced = AnnouncedAlerts()
    var pace: PublicationPace
    /// Whether an operator has held it since its last publication.
    var wasHeld = false
    /// When play was last over for a day, by Postgres' clock; nil on the first day.
    private(set) var dayEndedAt: Instant?
    private var isBetweenDays = false

    init(_ match: MatchID, clock: ServiceClock, options: EngineOptions) {
        self.match = match
        replica = MatchReplica(options: options)
        pace = PublicationPace(clock)
    }

    /// The newest revision whose row is known.
    var known: Int64 { max(published, rows.last?.revision ?? 0) }

    /// Adds newer rows; beyond the bound the newest stay.
    mutating func take(_ newer: [PublicationRow]) {
        rows = Array((rows + newer).suffix(JournalLimits.publications))
    }

    /// The entries that go out with the next publication, oldest first, at most `JournalLimits.publishedChanges`.
    var changes: [JournalEntry] { unsent.suffix(JournalLimits.publishedChanges) }

    /// Folds the entries after `applied`, oldest first, and compares the alerts with the match at each row.
    mutating func apply(_ page: [JournalEntry]) {
        // A correction is noted with the ball that it replaces.
        JournalEntry.withBallsBefore(page, in: replica.record).forEach { note($0) }
        // Alerts that are older than a correction may be need no state of their own.
        let last = page.last?.revision ?? applied
        let unread = rows.filter { $0.revision > applied }
        let recent = unread.drop { unread[unread.count - 1].at - $0.at >= JournalLimits.correctionAge }
        var rest = page[...]
        for row in recent where row.revision <= last {
            let part = rest.prefix { $0.revision <= row.revision }
            replica.apply(part.lazy.map(\.change))
            rest = rest.dropFirst(part.count)
            guard announced.concerns(row), let info = replica.record.info else { continue }
            announced.take(row, confirmed: confirmed[row.revision] ?? [], replica.state, info)
        }
        if !rest.isEmpty { replica.apply(rest.lazy.map(\.change)) }
        applied = last
    }

    /// Remembers what the fold does not: unsent entries, confirmations, and the end of a day.
    private mutating func note(_ entry: JournalEntry) {
        unsent.append(entry)
        if unsent.count >= 2 * JournalLimits.publishedChanges { unsent = changes }
        switch entry.change {
        case .confirmed(let keys): confirmed[entry.revision] = keys
        case .status(let report):
            if report.status.isBetweenDays && !isBetweenDays { dayEndedAt = entry.at }
            isBetweenDays = report.status.isBetweenDays
        default: break
        }
    }

    /// The outlet has everything up to the publication.
    mutating func close(with publication: Publication) {
        published = publication.revision.number
        wasHeld = false
        alerts.removeAll { publication.committedAt - $0.at >= JournalLimits.alertAge }
        if let alert = RecentAlert(publication) { alerts = alerts.suffix(JournalLimits.recentAlerts - 1) + [alert] }
        announced.publish(through: published)
        rows.removeAll { $0.revision <= published }
        unsent = []
        confirmed = confirmed.filter { $0.key > published }
    }
}
