// The result that the file states; MatchEngine compares it with the balls.

internal import MatchEngine
internal import ScoreTypes

/// Reads `info.outcome`.
struct CricsheetOutcomeReader {
    let document: CricsheetDocument
    let sides: CricsheetSides

    /// Whether a method changes targets, as `D/L`, `DLS` and `VJD` do.
    static func revises(_ method: String) -> Bool { method != "Awarded" && !method.contains("fewer wickets") }

    /// The result; nil while there is none, and for an unknown value.
    func result() throws(AdapterError) -> ProviderResult? {
        guard let outcome = document.info.outcome else { return nil }
        let winner = try side(outcome.winner, "winner")
        let eliminator = try side(outcome.eliminator, "eliminator")
        let bowlOut = try side(outcome.bowlOut, "bowl_out")
        guard let kind = try kind(of: outcome) else { return nil }
        return ProviderResult(
            kind: kind,
            winner: winner,
            method: outcome.method.map(SafeText.clean),
            tieBreakWinner: eliminator ?? bowlOut,
            tieBreak: tieBreak(eliminator: eliminator, bowlOut: bowlOut),
            playersOfMatch: (document.info.playerOfMatch ?? []).prefix(AdapterLimits.names).map(SafeText.clean)
        )
    }

    /// The tie-break that the file names; the balls of its super overs show whether boundaries were counted after them.
    private func tieBreak(eliminator: Side?, bowlOut: Side?) -> String? {
        guard eliminator != nil else { return bowlOut == nil ? nil : "bowlOut" }
        return document.innings.contains { $0.superOver == true } ? nil : "superOver"
    }

    private func side(_ name: String?, _ field: String) throws(AdapterError) -> Side? {
        try name.map { name throws(AdapterError) in try sides.side(name, at: "info.outcome.\(field)") }
    }

    private func kind(of outcome: CricsheetInfo.Outcome) throws(AdapterError) -> ProviderResult.Kind? {
        switch outcome.result {
        case "tie": return .tie
        case "draw": return .draw
        case "no result": return .noResult
        case nil: break
        default: return nil
        }
        guard outcome.winner != nil else { return nil }
        let by = outcome.by
        for margin in [by?.runs ?? 0, by?.wickets ?? 0] {
            try AdapterError.check(margin, in: 0...AdapterLimits.runsOfInnings, at: "info.outcome.by")
        }
        if let runs = by?.runs { return by?.innings == nil ? .runs(runs) : .innings(runs) }
        if let wickets = by?.wickets { return .wickets(wickets) }
        guard let method = outcome.method else { return .won }
        if method == "Awarded" { return .awarded }
        return method.contains("fewer wickets") ? .fewerWickets : .won
    }
}
