// An app that was never updated decodes with the type of its release, so that type must not follow later layouts.

/// The content state of an app that knows version 1 of the layout only: a copy that never changes.
public struct FirstContentState: Decodable, Sendable {
    /// The batting side and its score.
    public struct Leading: Decodable, Sendable { let teamAbbr, score: String }
    /// The second half of the compact presentation.
    public struct Trailing: Decodable, Sendable {
        let overs, runRate: String?
        let text: String
    }
    /// The smallest presentation.
    public struct Minimal: Decodable, Sendable {
        let text: String
        let flash: String?
    }
    /// A side.
    public struct Team: Decodable, Sendable {
        let abbr, score: String
        let overs: String?
        let batting: Bool
    }
    /// A batter at the crease.
    public struct Batter: Decodable, Sendable {
        let name: String
        let runs, balls: Int
        let onStrike: Bool
    }
    /// The bowler.
    public struct Bowler: Decodable, Sendable { let name, figures, overs: String }
    /// A moment.
    public struct Event: Decodable, Sendable { let kind, text: String }
    /// The expanded presentation.
    public struct Expanded: Decodable, Sendable {
        /// Both sides.
        public let teams: [Team]
        let batters: [Batter]?
        let bowler: Bowler?
        let recent: [String]?
        /// The sentence.
        public let line: String
        let event: Event?
    }
    /// The Lock Screen.
    public struct LockScreen: Decodable, Sendable {
        let line: String
        let sub: String?
    }
    /// Watch and CarPlay.
    public struct Small: Decodable, Sendable {
        /// The first line.
        public let top: String
        let bottom, line: String
    }

    /// The version of the layout.
    public let v: Int
    /// The revision.
    public let rev: Int64
    let matchDisplayState: String
    let compactLeading: Leading
    let compactTrailing: Trailing
    let minimal: Minimal
    /// The expanded presentation.
    public let expanded: Expanded
    let lockScreen: LockScreen
    /// Watch and CarPlay.
    public let small: Small
}
