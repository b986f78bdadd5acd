// Nobody wants to be woken by a wicket.

/// The part of each day in which a person wants no notifications, by the phone's own clock.
public struct QuietHours: Sendable, Hashable {
    /// The last minute of a day.
    public static let minuteMax: Int16 = 1_439

    /// The first quiet minute of the day, 0 to 1,439.
    public let from: Int16
    /// The first minute that is not quiet any more; before `from` when the night lies between.
    public let until: Int16

    /// Describes quiet hours; nil when a minute is no minute of a day, or when they would be empty.
    public init?(from: Int16, until: Int16) {
        let day = 0...Self.minuteMax
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
