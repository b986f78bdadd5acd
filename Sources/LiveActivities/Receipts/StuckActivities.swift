// Each stuck activity is told once, however often its phone reports, and forgotten when it goes on.

import ScoreTypes

/// The activities of this node's reports that are stuck, bounded.
struct StuckActivities: Sendable {
    /// Most activities remembered, at some 100 bytes each; further ones are counted, and neither remembered nor told:
    /// by then all of a release's phones are stuck, and a line for each would bury the reason.
    static let countMax = 4096
    /// How long one is remembered without a word from its phone; an activity lives eight hours at most.
    static let memory: Duration = .seconds(8 * 3600)

    /// Which activity of which phone.
    struct Key: Sendable, Hashable {
        let device: DeviceID
        let activity: ActivityID
    }

    private var since: [Key: Duration] = [:]

    var count: Int { since.count }

    /// Books a verdict; true when it is to be told: it is stuck, and was not known to be.
    mutating func book(_ verdict: DisplayVerdict, of key: Key, at now: Duration) -> Bool {
        guard verdict == .stuck else {
            since[key] = nil
            return false
        }
        if let known = since[key] {
            since[key] = now
            return now - known >= Self.memory
        }
        if since.count >= Self.countMax { expire(at: now) }
        guard since.count < Self.countMax else { return false }
        since[key] = now
        return true
    }

    /// An activity is over.
    mutating func forget(_ key: Key) { since[key] = nil }

    /// Lets go of those whose phones have long been silent.
    mutating func expire(at now: Duration) { since = since.filter { now - $0.value < Self.memory } }
}
