// Two activities of one match on a screen are a fault of the backend; renewal may show both for a moment.

import LiveSurface

/// The times during which a match had more than one card on the screen.
struct CardOverlaps: Sendable {
    /// The beginning for each match that has several cards now, real time.
    private var since: [String: Duration] = [:]
    private(set) var longest = Duration.zero

    /// Matches that have several cards now.
    var count: Int { since.count }

    mutating func observe(_ activities: [SimulatedActivity], at now: Duration) {
        guard activities.count > 1 || !since.isEmpty else { return }
        var cards: [String: Int] = [:]
        for activity in activities where activity.isVisible { cards[activity.attributes.matchId, default: 0] += 1 }
        for (match, begin) in since {
            longest = max(longest, now - begin)
            if cards[match, default: 0] < 2 { since[match] = nil }
        }
        for (match, count) in cards where count > 1 && since[match] == nil { since[match] = now }
    }
}
