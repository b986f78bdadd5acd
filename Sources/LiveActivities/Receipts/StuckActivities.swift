// A stuck activity is logged once, however often its phone reports, and forgotten when it shows newer states again.

internal import ScoreTypes

/// The stuck activities among this node's receipts, bounded.
struct StuckActivities: Sendable {
    /// Names an activity of a phone.
    struct Key: Sendable, Hashable {
        let device: DeviceID
        let activity: ActivityID
    }

    private var since: [Key: Duration] = [:]

    /// Stuck activities that are remembered.
    var count: Int { since.count }

    /// Records what a phone shows; true if it is to be logged: the activity is stuck and was not known to be.
    mutating func record(_ state: DisplayState, of key: Key, at now: Duration) -> Bool {
        guard state == .stuck else {
            since[key] = nil
            return false
        }
        if let known = since[key] {
            since[key] = now
            return now - known >= LiveActivityLimits.stuckKept
        }
        if since.count >= LiveActivityLimits.stuckActivities { expire(at: now) }
        guard since.count < LiveActivityLimits.stuckActivities else { return false }
        since[key] = now
        return true
    }

    /// Forgets an activity that has ended.
    mutating func forget(_ key: Key) { since[key] = nil }

    /// Forgets activities whose phones sent no receipt for ``LiveActivityLimits/stuckKept``.
    mutating func expire(at now: Duration) {
        since = since.filter { now - $0.value < LiveActivityLimits.stuckKept }
    }
}
