// The faults of a scorer with one ball: published late, wrong at first, deleted and inserted again.

/// The course of one ball in the feed, all of it counted from when it was bowled.
struct BallFate: Sendable, Hashable {
    /// A time in which the ball is gone.
    struct Absence: Sendable, Hashable {
        let from: Duration
        let until: Duration
    }

    /// The time in the feed at which it is first published.
    var postedAfter = Duration.zero
    /// The mistake of its first version; nil when that is right.
    var wrong: WrongBall?
    /// When it is put right; nil for never, as in a feed that contradicts another.
    var correctedAfter: Duration?
    /// When it is gone for a while.
    var absence: Absence?
    /// When it gets a new id; nil when it keeps its own.
    var rekeyedAfter: Duration?

    /// Whether it is published at a time.
    func isPosted(at time: Duration) -> Bool {
        guard time >= postedAfter else { return false }
        return absence.map { time < $0.from || time >= $0.until } ?? true
    }

    /// Its mistake at a time; nil when it is right.
    func wrong(at time: Duration) -> WrongBall? {
        guard let wrong else { return nil }
        return correctedAfter.map { time < $0 } ?? true ? wrong : nil
    }

    /// When anything about it changes.
    var changes: [Duration] {
        [postedAfter, wrong == nil ? nil : correctedAfter, absence?.from, absence?.until, rekeyedAfter]
            .compactMap(\.self)
    }

    /// The time of its last change before a time; that of its first version without a change.
    func lastChange(before time: Duration) -> Duration { changes.filter { $0 <= time }.max() ?? postedAfter }
}
