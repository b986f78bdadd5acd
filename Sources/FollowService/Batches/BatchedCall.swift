// Batched calls declare their row and their order, so that one transaction serves hundreds of callers.

internal import ScoreTypes

/// A call that concerns one row.
protocol BatchedCall: Sendable {
    associatedtype Key: BatchKey
    associatedtype Outcome: Sendable

    /// The row; a statement can change each row once.
    var key: Key { get }
    /// The device's count of its changes; of two calls for one row the one with the higher count holds.
    var clientSequence: Int64 { get }
    /// Whether another call for the same row with the same count is a repetition of this one.
    func isRepeated(by other: Self) -> Bool
    /// The outcome of this call when the batch has a newer one for the same row, or another one with the same count.
    func outcome(supersededBy newer: Self, with outcome: Outcome) -> Outcome
}

extension BatchedCall where Self: Equatable {
    func isRepeated(by other: Self) -> Bool { self == other }
}

/// A key that sorts by a number first, since comparing texts costs more than all the rest of a batch.
protocol BatchKey: Hashable, Comparable, Sendable {
    /// Never greater for a lesser key; keys with equal numbers are compared whole.
    var sortNumber: UInt64 { get }
}

/// The key of rows that belong to a device and a match: by bucket, device, match, in every statement that locks some.
struct DeviceMatchKey: BatchKey {
    let match: MatchID
    let device: DeviceID

    var sortNumber: UInt64 { DeviceKey(device).sortNumber }

    static func < (left: DeviceMatchKey, right: DeviceMatchKey) -> Bool {
        left.device == right.device ? left.match < right.match : DeviceKey(left.device) < DeviceKey(right.device)
    }
}

/// The key of rows that belong to a device, in the order of their primary key.
struct DeviceKey: BatchKey {
    let device: DeviceID
    let bucket: Bucket

    init(_ device: DeviceID) {
        self.device = device
        bucket = Bucket(of: device)
    }

    var sortNumber: UInt64 { UInt64(UInt16(bitPattern: bucket.number)) << 48 | device.high >> 16 }

    static func < (left: DeviceKey, right: DeviceKey) -> Bool {
        if left.bucket != right.bucket { return left.bucket < right.bucket }
        if left.device.high != right.device.high { return left.device.high < right.device.high }
        return left.device.low < right.device.low
    }
}
