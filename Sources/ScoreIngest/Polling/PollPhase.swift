// How often a match is asked about, and whether its end is believed, depends on little of its status.

public import MatchEngine

/// What a status means for polling.
public enum PollPhase: Sendable, Hashable, CaseIterable {
    /// Play has not begun.
    case before
    /// Balls are to be expected.
    case live
    /// A pause of minutes to hours: lunch, rain, innings break.
    case pause
    /// A pause until another day.
    case overnight
    /// Nothing more is to come but late corrections.
    case over

    /// The phase of a status.
    public init(of status: MatchStatus) {
        switch status.category {
        case .beforeStart, .delayedStart: self = .before
        case .inPlay, .shortBreak: self = .live
        case .interval, .stoppage: self = .pause
        case .betweenDays: self = .overnight
        case .ended, .endedWithoutResult: self = .over
        }
    }
}
