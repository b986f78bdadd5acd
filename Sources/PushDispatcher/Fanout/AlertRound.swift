// One alert on its way through the buckets: every device that it is for receives it once.

internal import ScoreTypes

/// Which buckets and devices have had an alert: whole buckets after their walk, single devices in the current bucket.
struct AlertRound {
    let key: String
    private let reach: AlertReach
    private var isDone = [Bool](repeating: false, count: Bucket.count)
    /// The bucket of `given`.
    private var current = -1
    /// Devices of the current bucket that have had it; a token that a removal moved appears twice in the walk.
    private var given: Set<DeviceID> = []
    /// The same for other buckets whose walk was broken off: they are walked again from their end.
    private var givenBefore: [Int: Set<DeviceID>] = [:]
    /// Devices whose request with the alert was certainly not delivered.
    private var owed: Set<DeviceID> = []

    init(key: String, reach: AlertReach) {
        self.key = key
        self.reach = reach
    }

    mutating func markDone(_ bucket: Int) { isDone[bucket] = true }

    /// Whether this request carries the alert; if so, the device counts as having had it.
    ///
    /// A device that opted out receives the state alone and is owed nothing.
    mutating func take(_ device: DeviceID, _ wish: AlertWish, in bucket: Int) -> Bool {
        guard reach.reaches(wish) else { return false }
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
