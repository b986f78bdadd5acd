// A phone of a fleet may have several faults at once.

extension PhoneFaultPlan {
    /// The plan of a phone with several faults; `seed` draws the details.
    init(_ faults: [PhoneFault], seed: UInt64) {
        self = .none
        for (number, fault) in faults.enumerated() { add(PhoneFaultPlan(fault, seed: seed &+ UInt64(number))) }
    }

    /// Adds the effects of another plan; the worse one of two values remains.
    private mutating func add(_ other: PhoneFaultPlan) {
        activityToken = max(activityToken, other.activityToken)
        startToken = max(startToken, other.startToken)
        startTokenChanges = max(startTokenChanges, other.startTokenChanges)
        isStartTokenStale = isStartTokenStale || other.isStartTokenStale
        otherActivities = max(otherActivities, other.otherActivities)
        updatesPerHour = min(updatesPerHour, other.updatesPerHour)
        frequentUpdatesPerHour = min(frequentUpdatesPerHour, other.frequentUpdatesPerHour)
        isInLowPowerMode = isInLowPowerMode || other.isInLowPowerMode
        clockOffset += other.clockOffset
        incidents += other.incidents
    }
}

extension TokenFate: Comparable {
    /// Orders by delay; a token that is never known is the latest.
    static func < (left: TokenFate, right: TokenFate) -> Bool {
        switch (left, right) {
        case (.after(let first), .after(let second)): first < second
        case (.after, .never): true
        case (.never, _): false
        }
    }
}
