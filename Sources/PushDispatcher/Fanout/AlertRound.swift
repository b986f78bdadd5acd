// One alert on its way through the buckets: every device that it is for receives it once.

internal import ScoreTypes

/// Which buckets and devices have had an alert: whole buckets after their walk, single devices in the current bucket.
struct AlertRound {
    let key: String
    private let reach: AlertReach
    /// When the alert was published, in seconds since 1970.
    private let second: UInt32
    private var isDone = [Bool](repeating: false, count: Bucket.count)
    /// The bucket of `given`.
    private var current = -1
    /// Devices of the current bucket that have had it; a token that a removal moved appears twice in the walk.
    private var given: Set<DeviceID> = []
    /// The same for other buckets whose walk was broken off: they are walked again from their end.
    private var givenBefore: [Int: Set<DeviceID>] = [:]
    /// Devices whose request with the alert was certainly not delivered.
    private var owed: Set<DeviceID> = []

    init(_ alert: ActiveAlert) { (key, reach, second) = (alert.key, alert.reach, alert.second) }

    mutating func markDone(_ bucket: Int) { isDone[bucket] = true }

    /// Whether this request carries the alert; if so, the device counts as having had it.
    ///
    /// A device that opted out receives the state alone and is owed nothing. So does an activity that was registered
    /// after the alert: its device receives the ordinary notification, by the same comparison (`AlertAudience`).
    mutating func take(_ device: DeviceID, _ wish: AlertWish, newSince: UInt32 = 0, in bucket: Int) -> Bool {
        guard newSince <= second, reach.reaches(wish) else { return false }
        guard isDone[bucket] else {
            if bucket != current { turn(to: bucket) }
            return given.insert(device).inserted
        }
        return !owed.isEmpty && owed.remove(device) != nil
    }

    /// Whether a repeat outside the walk carries the alert: only for a device that is owed it.
    mutating func takeForRepeat(_ device: DeviceID) -> Bool { !owed.isEmpty && owed.remove(device) != nil }

    /// Notes that a request with the alert was certainly not delivered.
    mutating func giveBack(_ device: DeviceID) {
        guard owed.count < PushLimits.alertsOwed else { return }
        owed.insert(device)
    }

    /// Notes the end of a bucket's walk.
    mutating func finish(_ bucket: Int) {
        isDone[bucket] = true
        if bucket == current { given.removeAll(keepingCapacity: true) }
    }

    private mutating func turn(to bucket: Int) {
        if !given.isEmpty { givenBefore[current] = given }
        given.removeAll(keepingCapacity: true)
        if !givenBefore.isEmpty, let before = givenBefore.removeValue(forKey: bucket) { given = before }
        current = bucket
    }
}
