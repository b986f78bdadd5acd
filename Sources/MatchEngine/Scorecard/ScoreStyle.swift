// Scores are written in three ways in different countries (cricket.md C.16); only the display differs.

/// How runs and wickets are written.
public enum ScoreStyle: String, Sendable, Hashable, Codable, CaseIterable {
    /// `87/6`, as in most of the world.
    case runsWickets = "runs-wickets"
    /// `6/87`, as in Australia.
    case wicketsRuns = "wickets-runs"
    /// `87-6`, as in English newspapers.
    case dash

    /// The score of an innings that is not all out.
    func text(runs: Int, wickets: Int) -> String {
        switch self {
        case .runsWickets: "\(runs)/\(wickets)"
        case .wicketsRuns: "\(wickets)/\(runs)"
        case .dash: "\(runs)-\(wickets)"
        }
    }
}
