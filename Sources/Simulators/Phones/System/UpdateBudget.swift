// iOS limits urgent updates in each hour and reloads of widgets in each day, and reports no limit that is reached.

/// The times of the events of the last hour, or of another time, against a limit; domain time.
struct UpdateBudget: Sendable, Hashable {
    /// The time for which an event counts.
    var span = SimulatorLimits.budgetSpan
    private(set) var times: [Duration] = []

    /// Whether one more event fits now; if so, it is counted.
    mutating func spend(_ limit: Int, at now: Duration) -> Bool {
        forget(now)
        guard times.count < limit else { return false }
        times.append(now)
        return true
    }

    /// The time at which the next event fits.
    func nextFree(_ limit: Int) -> Duration? {
        guard limit > 0, times.count >= limit else { return nil }
        return times[times.count - limit] + span
    }

    private mutating func forget(_ now: Duration) {
        let old = times.firstIndex { now - $0 < span } ?? times.count
        times.removeFirst(old)
    }
}
