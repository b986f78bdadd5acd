// The same push has the same `apns-id` on every node and at every try, so that a double can be seen.

internal import ScoreTypes

/// Makes request ids: UUIDs from a keyed hash of match, revision, device, generation and kind.
struct RequestSeed: Sendable, Hashable {
    /// Characters of a UUID.
    static let textByteCount = 36

    private let first: UInt64
    private let second: UInt64

    /// Mixes what the requests of one launch have in common; the key is bytes that all nodes share and nobody else has.
    init(match: MatchID, revision: Int64, kind: PayloadKind, key: [UInt8]) {
        let digest = SHA256Digest.of(key + Array("\(match)/\(revision)/\(kind.rawValue)".utf8))
        first = digest[0..<8].reduce(0) { $0 << 8 | UInt64($1) }
        second = digest[8..<16].reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// Writes the 36 characters of the id for one device (a version 8 UUID, RFC 9562).
    func write(_ device: DeviceID, generation: Int32, into text: UnsafeMutableRawPointer) {
        let number = UInt64(UInt32(bitPattern: generation))
        let one = Self.mixed(device.high ^ first, device.low ^ second &+ number)
        let two = Self.mixed(one ^ second, device.low &+ first ^ number)
        let high = (one & 0xffff_ffff_ffff_0fff) | 0x8000
        let low = (two & 0x3fff_ffff_ffff_ffff) | 0x8000_0000_0000_0000
        var place = text
        for index in 0..<16 {
            if index == 4 || index == 6 || index == 8 || index == 10 {
                place.storeBytes(of: UInt8(ascii: "-"), as: UInt8.self)
                place += 1
            }
            let half = index < 8 ? high : low
            let byte = UInt8(truncatingIfNeeded: half >> UInt64(56 - 8 * (index & 7)))
            place.storeBytes(of: Self.digit(byte >> 4), as: UInt8.self)
            (place + 1).storeBytes(of: Self.digit(byte & 15), as: UInt8.self)
            place += 2
        }
    }

    /// A multiplication whose halves are folded: every bit of both factors reaches every bit of the result.
    private static func mixed(_ left: UInt64, _ right: UInt64) -> UInt64 {
        let product = (left ^ 0xa076_1d64_78bd_642f).multipliedFullWidth(by: right ^ 0xe703_7ed1_a0b4_28db)
        return product.high ^ product.low
    }

    private static func digit(_ nibble: UInt8) -> UInt8 { nibble &+ (nibble < 10 ? 48 : 87) }
}
