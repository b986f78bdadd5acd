// One fsync for hundreds of callers: what a call must tell so that it can travel with others.

internal import ScoreTypes

/// A write that concerns one row.
protocol LaneCall: Sendable {
    associatedtype Key: Hashable & Comparable & Sendable
    associatedtype Outcome: Sendable

    /// The row; a statement can touch each only once.
    var key: Key { get }
    /// The device's own count of its wishes: of two calls for one row the one with the higher count holds.
    var clientSeq: Int64 { get }
    /// What a call is told that gave way to a newer one for the same row in the same batch.
    func outcome(supersededBy newer: Self, with outcome: Outcome) -> Outcome
}

/// The key of rows that belong to a device and a match, in the order of their primary key: all writers lock alike.
struct DeviceMatchKey: Hashable, Comparable, Sendable {
    let match: MatchID
    let device: DeviceID

    static func < (left: DeviceMatchKey, right: DeviceMatchKey) -> Bool {
        if left.match != right.match { return left.match < right.match }
        return DeviceKey(left.device) < DeviceKey(right.device)
    }
}

/// The key of rows that belong to a device, in the order of their primary key.
struct DeviceKey: Hashable, Comparable, Sendable {
    let device: DeviceID
    let bucket: Bucket

    init(_ device: DeviceID) {
        self.device = device
        bucket = Bucket(of: device)
    }

    static func < (left: DeviceKey, right: DeviceKey) -> Bool {
        if left.bucket != right.bucket { return left.bucket < right.bucket }
        if left.device.high != right.device.high { return left.device.high < right.device.high }
        return left.device.low < right.device.low
    }
}
