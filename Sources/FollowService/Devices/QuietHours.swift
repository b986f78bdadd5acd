// A phone receives no alerts in its quiet hours.

/// The part of each day in which a person wants no notifications, by the phone's own clock.
public struct QuietHours: Sendable, Hashable {
    /// The first quiet minute of the day, 0 to 1,439.
    public let from: Int16
    /// The first minute after the quiet hours, 0 to 1,439; before `from` when they span midnight.
    public let until: Int16

    /// Makes quiet hours; nil when a minute is outside 0 to 1,439, or when they would be empty.
    public init?(from: Int16, until: Int16) {
        let day: ClosedRange<Int16> = 0...1_439
        guard day.contains(from), day.contains(until), from != until else { return nil }
        self.from = from
        self.until = until
    }

    /// Whether a time of day is quiet.
    ///
    /// It is given in seconds after midnight by the phone's clock, 0 to 86,399.
    public func contains(secondsOfDay: Int64) -> Bool {
        let minute = secondsOfDay / 60
        return from < until ? minute >= from && minute < until : minute >= from || minute < until
    }
}
