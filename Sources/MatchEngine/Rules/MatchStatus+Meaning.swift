// Classifies each status once; every decision about play, polling or display derives from this table.

extension MatchStatus {
    /// The classes of statuses that play, polling and moments distinguish (cricket.md C.17).
    public enum Category: Sendable, Hashable, CaseIterable {
        /// Before the first ball, with nothing delayed.
        case beforeStart
        /// Before the first ball, later than planned.
        case delayedStart
        /// Balls are due.
        case inPlay
        /// An interruption of a few minutes that belongs to play.
        case shortBreak
        /// An interval of the playing conditions: drinks, meals, between innings.
        case interval
        /// Weather, light or another incident has stopped play.
        case stoppage
        /// Play is over for the day, and the match is not over.
        case betweenDays
        /// The match has ended with a result, a tie, a draw or an award.
        case ended
        /// The match has ended, or was called off, without a result.
        case endedWithoutResult
    }

    /// The class of the status.
    public var category: Category {
        switch self {
        case .scheduled, .lineups, .toss: .beforeStart
        case .tossDelayed, .startDelayed: .delayedStart
        case .live, .superOver, .review: .inPlay
        case .injury, .ballChange, .superOverBreak, .resultPending: .shortBreak
        case .drinks, .strategicTimeout, .inningsBreak, .lunch, .tea, .dinner: .interval
        case .rain, .badLight, .wetOutfield, .floodlight, .crowd, .pitch, .suspended: .stoppage
        case .stumps, .restDay: .betweenDays
        case .result, .tied, .drawn, .awarded: .ended
        case .noResult, .abandoned, .abandonedNoBall, .postponed, .cancelled: .endedWithoutResult
        }
    }

    /// Whether weather, light or another incident delays the start or has stopped play.
    public var isDelay: Bool { category == .delayedStart || category == .stoppage }

    /// Whether the status ends the match.
    public var isFinal: Bool { category == .ended || category == .endedWithoutResult }

    /// Whether the match ended, or was called off, without a result.
    public var isWithoutResult: Bool { category == .endedWithoutResult }

    /// Whether play is over for the day, and the match is not over.
    public var isBetweenDays: Bool { category == .betweenDays }

    /// Whether the status belongs to the time before the first ball.
    public var isBeforeStart: Bool { category == .beforeStart || category == .delayedStart }

    /// Whether play is interrupted, for any reason, and expected to resume.
    public var isPause: Bool {
        switch category {
        case .delayedStart, .shortBreak, .interval, .stoppage, .betweenDays: true
        case .beforeStart, .inPlay, .ended, .endedWithoutResult: false
        }
    }

    /// The kind of moment that a change to this status is; nil for statuses that other moments or none announce.
    var momentKind: Moment.Kind? {
        switch category {
        case .interval, .betweenDays: .interval
        case .delayedStart, .stoppage: .delay
        case .shortBreak: self == .injury || self == .ballChange ? .delay : nil
        case .inPlay: self == .review ? .review : nil
        case .beforeStart, .ended, .endedWithoutResult: nil
        }
    }
}
