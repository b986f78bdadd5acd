// What a node keeps of a match between two publications.

internal import MatchEngine
internal import ScoreTypes

/// A match that follows its journal, and where its publication stands.
struct LiveMatch: Sendable {
    let match: MatchID
    var replica: MatchReplica
    /// The revision that the replica stands at.
    var applied: Int64 = 0
    /// The revision that the outlet was given last.
    var published: Int64 = 0
    /// Rows that were read and not yet given to the outlet.
    var rows: [PublicationRow] = []
    /// Keys that the entry at a waiting row confirms.
    var confirmed: [Int64: [MomentKey]] = [:]
    /// Alerts that may still be on their way, the oldest first.
    var alerts: [RecentAlert] = []
    var pace: PublicationPace
    /// Whether an operator has held it since its last publication, which people therefore do not have.
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

    /// Takes in the rows that follow the known ones; of more than the bound the newest stay.
    mutating func take(_ newer: [PublicationRow]) {
        rows = Array((rows + newer).suffix(Journal.publicationsMax))
    }

    /// Notes what no fold keeps: what was confirmed, and when a day ended.
    mutating func note(_ entry: JournalEntry) {
        switch entry.change {
        case .confirmed(let keys): confirmed[entry.revision] = keys
        case .status(let report):
            if report.status.isBetweenDays && !isBetweenDays { dayEndedAt = entry.at }
            isBetweenDays = report.status.isBetweenDays
        default: break
        }
    }

    /// Everything up to the publication has been given to the outlet.
    mutating func close(with publication: Publication) {
        published = publication.revision.number
        wasHeld = false
        alerts.removeAll { publication.committedAt - $0.at >= PublicationBatch.alertAgeMax }
        if let alert = RecentAlert(publication) { alerts = alerts.suffix(RecentAlert.countMax - 1) + [alert] }
        rows.removeAll { $0.revision <= published }
        confirmed = confirmed.filter { $0.key > published }
    }
}
