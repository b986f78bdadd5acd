// Files of finished matches have no status, so it follows from their other members.

internal import MatchEngine
internal import ScoreTypes

/// Derives the status.
enum CricsheetStatus {
    /// A status by its name, such as `badLight` or `bad_light`; nil for an unknown one.
    static func word(_ word: String) -> MatchStatus? {
        if let status = MatchStatus(rawValue: word) { return status }
        let parts = word.split(separator: "_")
        guard parts.count > 1, word.utf8.count <= 40 else { return nil }
        return MatchStatus(
            rawValue: parts[0] + parts.dropFirst().map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
        )
    }

    /// The state of a document in play, else the status that follows from outcome and innings.
    static func report(of document: CricsheetDocument) -> StatusReport {
        guard let live = document.live else { return StatusReport(status: implied(by: document)) }
        let note = live.note.map(SafeText.clean)
        guard let status = word(live.state) else {
            return StatusReport(
                status: implied(by: document),
                note: note ?? SafeText.clean(live.state),
                since: live.since,
                isUnknown: true
            )
        }
        return StatusReport(status: status, note: note, since: live.since)
    }

    private static func implied(by document: CricsheetDocument) -> MatchStatus {
        if let outcome = document.info.outcome { return implied(by: outcome, hasBalls: hasBalls(document)) }
        guard let last = document.innings.last else { return document.info.toss == nil ? .scheduled : .toss }
        return last.superOver == true ? .superOver : .live
    }

    private static func implied(by outcome: CricsheetInfo.Outcome, hasBalls: Bool) -> MatchStatus {
        switch outcome.result {
        case "tie": outcome.eliminator == nil && outcome.bowlOut == nil ? .tied : .result
        case "draw": .drawn
        case "no result": hasBalls ? .noResult : .abandonedNoBall
        default: outcome.method == "Awarded" ? .awarded : .result
        }
    }

    private static func hasBalls(_ document: CricsheetDocument) -> Bool {
        document.innings.contains { $0.overs?.contains { !$0.deliveries.isEmpty } == true }
    }
}
