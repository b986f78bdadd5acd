// How a client continues in balls mode is decided here: from memory, from the database, or with a reset.

import ScoreTypes

/// How one match of a stream continues from the client's position.
enum BallsResume: Sendable, Hashable {
    /// The client has no position and starts with the newest state.
    case fresh
    /// Nothing is missing, or all of it is in memory.
    case memory
    /// So many revisions after the client's are missing in memory.
    case database(count: Int)
    /// The client discards its model.
    case reset(StreamReset)

    /// Compares a client's position with the newest revision and with what is in memory.
    ///
    /// - `claimed`: Whether the client sent a position at all.
    /// - `head`: The newest revision that may be shown.
    /// - `span`: The revisions in memory; nil for none.
    static func judge(_ position: Revision?, claimed: Bool, head: Revision, span: ChangeRing.Span?) -> BallsResume {
        guard claimed else { return .fresh }
        guard let position else { return .reset(.unknownPosition) }
        guard position.epoch == head.epoch else { return .reset(.epochChanged) }
        let span = span?.head.epoch == head.epoch ? span : nil
        guard position.number <= max(head.number, span?.head.number ?? 0) else { return .reset(.unknownPosition) }
        let base = span?.base ?? head.number
        guard position.number < base else { return .memory }
        let (missing, isBeyond) = base.subtractingReportingOverflow(position.number)
        guard !isBeyond, missing <= ServerLimits.replayedRows else { return .reset(.compacted) }
        return .database(count: Int(missing))
    }
}

/// The start of one match of a stream in balls mode, with what the database had to provide.
enum BallsStart: Sendable {
    /// The newest state is first.
    case fresh
    /// The events after a revision that the client has; what follows them is in memory.
    case after(Revision, [StreamFrame])
    /// A `reset` is first.
    case reset(StreamReset)

    /// How the client resumes.
    var resume: StreamResume {
        switch self {
        case .fresh: .fresh
        case .after: .exact
        case .reset: .reset
        }
    }
}
