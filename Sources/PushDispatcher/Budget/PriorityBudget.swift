// iOS throttles apps that send too much at priority 10, so that priority is rationed.

/// Counts sends at priority 10 in a sliding minute and hour of domain time.
struct PriorityBudget: Sendable {
    /// The time whose budget is used up.
    enum Span: String, Sendable, CaseIterable {
        case minute, hour
    }

    /// Sends that the budget refused.
    private(set) var refused: [Span: Int] = [:]
    /// Domain times of the sends of the last hour, oldest first; at most `PushLimits.urgentPerHour`.
    private var spent: [Duration] = []
    /// Domain time of the last send at priority 10 to devices that do not allow frequent pushes.
    private var spentInfrequent: Duration?

    /// Spends one send of priority 10 at a moment of domain time; false if the budget is used up.
    mutating func spend(at now: Duration) -> Bool {
        spent.removeAll { $0 <= now - .seconds(3600) }
        let lastMinute = spent.count { $0 > now - .seconds(60) }
        let isHourSpent = spent.count >= PushLimits.urgentPerHour
        if isHourSpent || lastMinute >= PushLimits.urgentPerMinute {
            refused[isHourSpent ? .hour : .minute, default: 0] += 1
            return false
        }
        spent.append(now)
        return true
    }

    /// The same for devices that do not allow frequent pushes; only the most important moments spend it.
    mutating func spendInfrequent(at now: Duration, relevance: Int) -> Bool {
        guard relevance >= PushLimits.infrequentRelevance else { return false }
        if let spentInfrequent, now - spentInfrequent < PushLimits.infrequentDistance { return false }
        spentInfrequent = now
        return true
    }
}
