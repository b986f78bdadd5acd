// The hours in which a person does not want to be interrupted, as minutes of the local day.

public import ScoreTypes

/// A daily span without interruptions; it may run over midnight.
public struct QuietHours: Sendable, Hashable, Codable {
    /// Minutes of a day.
    static let minutesOfDay = 1440

    /// Its first minute, 0 to 1439.
    public let start: Int
    /// The first minute after it, 0 to 1439; the same as `start` means never.
    public let end: Int

    /// Takes minutes of the local day; others are brought into it.
    public init(start: Int, end: Int) {
        self.start = Self.wrapped(start)
        self.end = Self.wrapped(end)
    }

    /// Whether an instant lies in it; `offset` is the person's clock then, in seconds east of UTC.
    public func contains(_ instant: Instant, offset: Int) -> Bool {
        let local = Int(instant.seconds / 60 % Int64(Self.minutesOfDay)) + offset % 86_400 / 60
        let minute = Self.wrapped(local)
        return start <= end ? (start..<end).contains(minute) : minute >= start || minute < end
    }

    private static func wrapped(_ minute: Int) -> Int { (minute % minutesOfDay + minutesOfDay) % minutesOfDay }
}
