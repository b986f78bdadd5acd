// Reviews and replacements change no score, so invalid ones are ignored instead of refusing the document.

internal import MatchEngine

/// Reads reviews and replacements.
struct CricsheetNotesReader {
    let sides: CricsheetSides

    /// The review; nil when no team of this match requested it.
    func review(_ review: CricsheetReview) -> Review? {
        guard let side = sides.side(review.by) else { return nil }
        let decision: Review.Decision =
            switch review.decision {
            case "upheld": .upheld
            case "struck down": .struckDown
            case nil: .pending
            default: .failed
            }
        return Review(
            side: side,
            batter: review.batter.map(sides.player),
            decision: decision,
            isUmpiresCall: review.umpiresCall ?? false
        )
    }

    /// All replacements, those for the match first.
    func replacements(
        _ replacements: CricsheetReplacements,
        path: () -> String
    ) throws(AdapterError) -> [Replacement] {
        let match = replacements.match ?? []
        let role = replacements.role ?? []
        try AdapterError.check(match + role, atMost: AdapterLimits.names, at: "\(path()).replacements")
        return match.map { replacement($0, .match) } + role.map { replacement($0, .role) }
    }

    private func replacement(_ entry: CricsheetReplacements.Entry, _ scope: Replacement.Scope) -> Replacement {
        Replacement(
            scope: scope,
            incoming: sides.player(entry.incoming),
            outgoing: entry.outgoing.map(sides.player),
            side: entry.team.flatMap(sides.side),
            reason: reason(entry.reason ?? "")
        )
    }

    private func reason(_ word: String) -> Replacement.Reason {
        if let reason = Self.reasons[word] { return reason }
        return word.hasPrefix("excluded") || word == "too many overs" ? .excluded : .unknown
    }

    private static let reasons: [String: Replacement.Reason] = [
        "concussion_substitute": .concussion, "covid_replacement": .covid, "impact_player": .impactPlayer,
        "injury": .injury, "injury_substitute": .injury, "national_callup": .nationalCallUp,
        "national_release": .nationalRelease, "supersub": .supersub, "tactical_substitute": .tactical,
    ]
}
