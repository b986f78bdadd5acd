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
        /// Of several wickets that it counts only these stand.
        case only([MomentIdentity])
    }

    private struct Entry {
        let alert: ConfirmedMoment
        let announced: [Moment]
        /// The wickets in its text, when it says how many fell.
        let counted: [Moment]
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
        // A correction of another wicket renumbers partnerships, whose words stay the same.
        func newest(_ moment: Moment) -> Moment? {
            if let same = present[MomentIdentity(moment)] { return same }
            // A feed that takes over may know the batter by another id and name.
            let isRenamed = moment.kind == .wicket && !state.knows(moment.subject, info)
            if isRenamed, moments.contains(where: { $0.key == moment.key }) { return moment }
            return moments.last { moment.kind == $0.kind && moment.isConfirmed(by: $0) }
        }
        for index in entries.indices {
            let moment = entries[index].alert.moment
            let (verdict, now) = Self.compare(entries[index], in: state, newest)
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
        let added = zip(announced, WicketDigest.of(announced, in: state)).filter { $0.0.isAlert }.map { plain, said in
            let isDigest = plain.body != said.body
            return Entry(
                alert: ConfirmedMoment(plain, revision: row.revision, at: row.at),
                announced: announced,
                counted: announced.filter { isDigest && $0.kind == .wicket && $0.innings == plain.innings }
            )
        }
        entries = (entries + added).suffix(JournalLimits.recentAlerts)
    }

    /// Compares an alert with the match; `newest` is a moment as the match has it.
    private static func compare(
        _ entry: Entry,
        in state: MatchState,
        _ newest: (Moment) -> Moment?
    ) -> (verdict: Verdict, now: Moment?) {
        guard !entry.counted.isEmpty else {
            guard let now = newest(entry.alert.moment) else { return (.withdrawn, nil) }
            return (entry.alert.moment.isConfirmed(by: now) ? .right : .otherwise(now.body), now)
        }
        let standing = entry.counted.compactMap(newest)
        if standing.count == entry.counted.count { return (.right, WicketDigest.of(standing, in: state).last) }
        guard let now = WicketDigest.of(standing, in: state).last else { return (.withdrawn, nil) }
        return (.only(standing.map(MomentIdentity.init)), now)
    }

    /// The outlet has everything up to a revision.
    mutating func publish(through revision: Int64) { corrections.removeAll { $0.revision <= revision } }
}

extension MatchState {
    /// Whether a person is in a team or on a card.
    fileprivate func knows(_ person: String, _ info: MatchInfo) -> Bool {
        info.teams.contains { $0.players.contains { $0.id == person } }
            || innings.contains { $0.batters.contains { $0.player.id == person } }
    }
}
