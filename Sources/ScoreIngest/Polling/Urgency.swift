// Places are few when a provider's list is full of what nobody plays: which match is asked for rather than which.

internal import MatchEngine
internal import ScoreTypes

/// How urgent it is to poll a match, the most urgent first.
enum Urgency: Int, Sendable, Comparable {
    /// Balls are to be expected.
    case live
    /// It has begun and rests.
    case pause
    /// Its start has come, or nobody knows when that is.
    case due
    /// It begins within the hour.
    case ahead
    /// Only corrections are to come.
    case over
    /// It should be in play, and nothing of it has changed for long.
    case still

    /// That of a match that is polled.
    init(of found: FollowedMatch, now: Instant) {
        if found.isStill {
            self = .still
            return
        }
        switch found.phase {
        case .live: self = .live
        case .pause, .overnight: self = .pause
        case .before: self = found.entry.startsAt.map { $0 > now.seconds } == true ? .ahead : .due
        case .over: self = .over
        }
    }

    static func < (left: Urgency, right: Urgency) -> Bool { left.rawValue < right.rawValue }
}
