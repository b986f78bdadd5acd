// A bucket is the unit of ownership, progress and partitioning; it is in the key of every large table.

/// One of 1,024 parts of all devices, fixed permanently by the device's id.
public struct Bucket: Sendable, Hashable, Comparable, CustomStringConvertible {
    /// Number of buckets; it can never change, since stored rows contain their bucket (DESIGN section 4).
    public static let count = 1024

    /// 0 to 1,023.
    public let number: Int16

    /// Wraps a stored number; nil outside 0 to 1,023.
    public init?(_ number: Int) {
        guard (0..<Self.count).contains(number) else { return nil }
        self.number = Int16(number)
    }

    /// The bucket of a device: a 64-bit finaliser over the whole id, so that every id scheme is distributed evenly.
    public init(of device: DeviceID) {
        var mixed = device.high ^ (device.low &* 0x9e37_79b9_7f4a_7c15)
        mixed = (mixed ^ (mixed >> 33)) &* 0xff51_afd7_ed55_8ccd
        mixed = (mixed ^ (mixed >> 33)) &* 0xc4ce_b9fe_1a85_ec53
        mixed ^= mixed >> 33
        number = Int16(mixed % UInt64(Self.count))
    }

    /// The number.
    public var description: String { String(number) }
    /// Orders by number.
    public static func < (left: Bucket, right: Bucket) -> Bool { left.number < right.number }

    /// All buckets in order.
    public static let all: [Bucket] = (0..<count).compactMap { Bucket($0) }
}
