// Phones stop listening to apps that cry too often, so priority ten is rationed.

/// Counts what went at priority ten in a sliding minute and hour of domain time.
public struct PriorityBudget: Sendable {
    /// Domain times of the sends of the last hour, oldest first; never longer than `perHourMax`.
    private var spent: [Duration] = []

    /// A full budget.
    public init() {}

    /// Whether another send of priority ten is allowed at a moment of domain time; an allowed one is counted.
    public mutating func spend(at now: Duration) -> Bool {
        spent.removeAll { $0 <= now - .seconds(3600) }
        let lastMinute = spent.count { $0 > now - .seconds(60) }
        guard spent.count < PushLimits.urgentPerHour, lastMinute < PushLimits.urgentPerMinute else { return false }
        spent.append(now)
        return true
    }
}
