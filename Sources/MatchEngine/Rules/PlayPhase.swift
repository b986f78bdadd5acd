// The interval between polls, silence and the end of a match depend on five phases, not on thirty statuses.

/// The phase of a match, by its status.
public enum PlayPhase: Sendable, Hashable, CaseIterable {
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
