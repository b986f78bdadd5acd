// One alert on its way round the buckets: everybody whom it is for gets it once, whatever overtakes it.

internal import ScoreTypes

/// Who has had an alert: whole buckets once they were walked, single devices in the bucket under way.
struct AlertRound {
    let key: String
    private let reach: AlertReach
    private var isDone = [Bool](repeating: false, count: Bucket.count)
    /// Devices told in the bucket that is being walked; a token moved by a removal shows up twice.
    private var given: Set<DeviceID> = []
    /// Devices whose request with the alert certainly was not delivered.
    private var owed: Set<DeviceID> = []

    init(key: String, reach: AlertReach) {
        self.key = key
        self.reach = reach
    }

    mutating func markDone(_ bucket: Int) { isDone[bucket] = true }

    /// Whether this request carries the alert; a device that says yes has had it from here on.
    ///
    /// Who does not want to be told gets the picture alone, and is owed nothing.
    mutating func take(_ device: DeviceID, _ wish: AlertWish, in bucket: Int) -> Bool {
        guard reach.reaches(wish) else { return false }
        guard isDone[bucket] else { return given.insert(device).inserted }
        return !owed.isEmpty && owed.remove(device) != nil
    }

    /// A repeat outside the walk: only those who are owed it, or have not had it in the bucket under way.
    mutating func takeForRepeat(_ device: DeviceID) -> Bool { !owed.isEmpty && owed.remove(device) != nil }

    /// A request that carried the alert certainly was not delivered.
    mutating func giveBack(_ device: DeviceID, in bucket: Int) {
        guard owed.count < PushLimits.alertsOwed else { return }
        owed.insert(device)
    }

    /// The walk of a bucket came to its end.
    mutating func finish(_ bucket: Int) {
        isDone[bucket] = true
        given.removeAll(keepingCapacity: true)
    }
}
