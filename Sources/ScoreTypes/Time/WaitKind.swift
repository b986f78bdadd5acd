// A fast clock shortens the waits of domain time; the shortest real time of each kind of wait is defined here.

/// The purpose of a wait; no clock speed shortens a wait below the floor of its kind (PUBLICATION section 5).
public enum WaitKind: Sendable, Hashable, CaseIterable {
    /// Between requests for a match in play, between its publications, and while a reply may be a copy of another.
    case play
    /// Between requests for anything slower, and between probes of a feed whose breaker is open.
    case rest
    /// After a failed request.
    case retry
    /// Before a moment is confirmed: a correction may come.
    case confirmation
    /// Without an answer of the leading feed, before another feed leads.
    case failover
    /// Between publications of a break that changes nothing: phones have a budget of pushes.
    case keepAlive
    /// Without an answer of any feed, before a match is silent: a slow moment of the machine is no silence.
    case silence
    /// After the listed start of a match that has not begun, before its polling ends.
    case lateStart
    /// Between two rounds over the open matches: a round queries the database for every match.
    case round
    /// For a push to arrive, and between two repetitions of it.
    case arrival
    /// For a push to reach all phones of a large audience.
    case fanout
    /// For an alert to reach them all, also when another node has to take over: neither is quicker under a fast clock.
    case alert
    /// Between two sweeps.
    case sweep
    /// Without a confirmation of an activity's phone, before the activity is ended.
    case silentActivity
    /// After the end of a match, while its end is repeated.
    case repeatedEnd

    /// The shortest real time of such a wait under a fast clock.
    public var floor: Duration {
        switch self {
        // 50 requests a second are all that a simulation needs.
        case .play: .milliseconds(20)
        case .rest: .milliseconds(100)
        case .retry, .confirmation: .milliseconds(50)
        case .failover: .milliseconds(300)
        case .keepAlive: .seconds(1)
        case .silence: .seconds(2)
        case .alert, .lateStart, .repeatedEnd: .seconds(60)
        case .round: .milliseconds(250)
        case .arrival: .seconds(1)
        case .fanout, .sweep: .seconds(10)
        case .silentActivity: .seconds(30)
        }
    }
}
