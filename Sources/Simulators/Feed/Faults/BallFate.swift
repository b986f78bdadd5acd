// What a scorer does to one ball: tells it late, tells it wrong, takes it away and puts it in again.

/// The course of one ball in the feed, all of it counted from when it was bowled.
public struct BallFate: Sendable, Hashable {
    /// A time in which the ball is gone.
    public struct Absence: Sendable, Hashable {
        /// When it goes.
        public var from: Duration
        /// When it is back.
        public var until: Duration
    }

    /// When it is first told.
    public var toldAfter: Duration
    /// As what it is told at first; nil when it is told right.
    public var wrong: WrongBall?
    /// When it is put right; nil for never, as in a feed that contradicts another.
    public var correctedAfter: Duration?
    /// When it is gone for a while.
    public var absence: Absence?
    /// When it gets a new id; nil when it keeps its own.
    public var rekeyedAfter: Duration?

    /// A ball that is told right and once.
    public init(toldAfter: Duration = .zero) { self.toldAfter = toldAfter }

    /// Whether it is told at a time.
    func isTold(at time: Duration) -> Bool {
        guard time >= toldAfter else { return false }
        return absence.map { time < $0.from || time >= $0.until } ?? true
    }

    /// As what it is told wrongly at a time; nil when it is told right.
    func wrong(at time: Duration) -> WrongBall? {
        guard let wrong else { return nil }
        return correctedAfter.map { time < $0 } ?? true ? wrong : nil
    }

    /// When anything about it changes.
    var changes: [Duration] {
        [toldAfter, wrong == nil ? nil : correctedAfter, absence?.from, absence?.until, rekeyedAfter]
            .compactMap(\.self)
    }

    /// When it was last changed, at a time; its first telling when never.
    func lastChange(before time: Duration) -> Duration { changes.filter { $0 <= time }.max() ?? toldAfter }
}
