// An alert that was wrong is corrected on the phones that have it, once for each change of the match.

public import MatchEngine
public import ScoreTypes

/// An alert that is not right any more, with the text that replaces it.
public struct AlertCorrection: Sendable, Hashable {
    /// The moment as it was announced.
    public let alert: ConfirmedMoment
    /// The moments that the same revision announced, this one included: a follower received one of them.
    public let announced: [Moment]
    /// The text in place of the alert, under the alert's key.
    public let text: Moment
    /// The revision that showed the mistake.
    public let revision: Int64
    /// When that revision was written, by Postgres' clock.
    public let at: Instant

    /// Makes the value from its fields.
    public init(_ alert: ConfirmedMoment, announced: [Moment], text: Moment, revision: Int64, at: Instant) {
        (self.alert, self.announced, self.text) = (alert, announced, text)
        (self.revision, self.at) = (revision, at)
    }
}

/// The alerts of a match that may still be corrected, compared with the match at each publication.
///
/// It depends on the journal alone, so that every node finds the same corrections at the same revisions.
struct AnnouncedAlerts: Sendable {
    /// How an alert compares with the match.
    private enum Verdict: Hashable {
        case right
        case withdrawn
        case otherwise(String)
    }

    private struct Entry {
        let alert: ConfirmedMoment
        let announced: [Moment]
        var verdict = Verdict.right
        var corrections = 0
    }

    private var entries: [Entry] = []
    /// Corrections that the outlet does not have, in order of their revisions.
    private(set) var corrections: [AlertCorrection] = []

    /// Whether a row adds an alert, or may show a mistake in an earlier one.
    func concerns(_ row: PublicationRow) -> Bool { !entries.isEmpty || row.cause == .confirmation }

    /// Compares the alerts with the match at a row, and adds those that the row announces; `confirmed` are its keys.
    mutating func take(_ row: PublicationRow, confirmed keys: [MomentKey], _ state: MatchState, _ info: MatchInfo) {
        entries.removeAll { row.at - $0.alert.at >= JournalLimits.correctionAge }
        let moments = state.moments
        let present = Dictionary(moments.map { (MomentIdentity($0), $0) }) { _, last in last }
        for index in entries.indices {
            let moment = entries[index].alert.moment
            // A correction of another wicket renumbers partnerships, whose words stay the same.
            let now =
                present[MomentIdentity(moment)]
                ?? moments.last { moment.kind == $0.kind && moment.isConfirmed(by: $0) }
            let verdict = now.map { moment.isConfirmed(by: $0) ? Verdict.right : .otherwise($0.body) } ?? .withdrawn
            guard verdict != entries[index].verdict else { continue }
            entries[index].verdict = verdict
            guard entries[index].corrections < JournalLimits.correctionsOfAlert else { continue }
            entries[index].corrections += 1
            let correction = AlertCorrection(
                entries[index].alert,
                announced: entries[index].announced,
                text: moment.correction(now: now, in: state, info: info),
                revision: row.revision,
                at: row.at
            )
            corrections = corrections.suffix(JournalLimits.recentAlerts - 1) + [correction]
        }
        guard row.cause == .confirmation else { return }
        let announced = moments.filter { moment in
            keys.contains(moment.key) && row.announced.contains { MomentIdentity($0) == MomentIdentity(moment) }
        }
        let added = announced.filter(\.isAlert).map {
            Entry(alert: ConfirmedMoment($0, revision: row.revision, at: row.at), announced: announced)
        }
        entries = (entries + added).suffix(JournalLimits.recentAlerts)
    }

    /// The outlet has everything up to a revision.
    mutating func publish(through revision: Int64) { corrections.removeAll { $0.revision <= revision } }
}
