// What each status word means for play, so that no other file has a list of words of its own.

extension MatchStatus {
    /// Whether play was stopped by weather, light or trouble, not by the day's plan.
    public var isDelay: Bool {
        switch self {
        case .tossDelayed, .startDelayed, .rain, .badLight, .wetOutfield, .floodlight, .crowd, .pitch, .suspended: true
        default: false
        }
    }

    /// Whether the match is over by this word.
    public var isFinal: Bool {
        switch self {
        case .result, .tied, .drawn, .awarded: true
        default: isWithoutResult
        }
    }

    /// Whether the match ended, or was given up, without a result.
    public var isWithoutResult: Bool {
        switch self {
        case .noResult, .abandoned, .abandonedNoBall, .postponed, .cancelled: true
        default: false
        }
    }

    /// Whether play is over for the day, and the match is not.
    public var isBetweenDays: Bool { self == .stumps || self == .restDay }

    /// Whether it is one of the breaks that part the sessions of a day.
    var endsSession: Bool { self == .lunch || self == .tea || self == .dinner }

    /// Whether the word belongs before the first ball.
    public var isBeforeStart: Bool {
        switch self {
        case .scheduled, .lineups, .toss, .tossDelayed, .startDelayed: true
        default: false
        }
    }

    /// Whether play is interrupted, for whatever reason, and expected to go on.
    public var isPause: Bool {
        switch self {
        case .drinks, .inningsBreak, .lunch, .tea, .dinner, .stumps, .restDay, .strategicTimeout, .injury, .ballChange,
            .superOverBreak, .resultPending:
            true
        default: isDelay
        }
    }
}
