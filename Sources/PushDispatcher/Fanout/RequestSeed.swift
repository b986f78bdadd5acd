// The same push has the same `apns-id` on every node and in every try, so that duplicates can be found.

internal import ScoreTypes

/// Makes request ids: UUIDs from a keyed hash of match, revision, device, generation and kind.
struct RequestSeed: Sendable, Hashable {
    /// Characters of a UUID.
    static let textByteCount = 36

    private let first: UInt64
    private let second: UInt64

    /// Hashes the common part of a publication's requests; `key` is a secret of all nodes.
    init(match: MatchID, revision: Int64, kind: PayloadKind, key: [UInt8]) {
        let digest = SHA256Digest.of(key + Array("\(match)/\(revision)/\(kind.rawValue)".utf8))
        first = digest[0..<8].reduce(0) { $0 << 8 | UInt64($1) }
        second = digest[8..<16].reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// The seed of an end's requests.
    init(of end: EndContent, key: [UInt8]) {
        self.init(match: end.match, revision: end.revision.number, kind: .end, key: key)
    }

    /// Writes the 36 characters of the id for one device (a version 8 UUID, RFC 9562).
    func write(_ device: DeviceID, generation: Int32, into text: UnsafeMutableRawPointer) {
        let number = UInt64(UInt32(bitPattern: generation))
        let one = Self.mixed(device.high ^ first, device.low ^ second &+ number)
        let two = Self.mixed(one ^ second, device.low &+ first ^ number)
        let high = (one & 0xffff_ffff_ffff_0fff) | 0x8000
        let low = (two & 0x3fff_ffff_ffff_ffff) | 0x8000_0000_0000_0000
        let (begin, upper) = (Self.digits(high >> 32), Self.digits(high))
        let (lower, end) = (Self.digits(low >> 32), Self.digits(low))
        // 8-4-4-4-12 digits.
        text.storeBytes(of: begin.littleEndian, as: UInt64.self)
        text.storeBytes(of: UInt32(truncatingIfNeeded: upper).littleEndian, toByteOffset: 9, as: UInt32.self)
        text.storeBytes(of: UInt32(truncatingIfNeeded: upper >> 32).littleEndian, toByteOffset: 14, as: UInt32.self)
        text.storeBytes(of: UInt32(truncatingIfNeeded: lower).littleEndian, toByteOffset: 19, as: UInt32.self)
        text.storeBytes(of: UInt32(truncatingIfNeeded: lower >> 32).littleEndian, toByteOffset: 24, as: UInt32.self)
        text.storeBytes(of: end.littleEndian, toByteOffset: 28, as: UInt64.self)
        let dash = UInt8(ascii: "-")
        text.storeBytes(of: dash, toByteOffset: 8, as: UInt8.self)
        text.storeBytes(of: dash, toByteOffset: 13, as: UInt8.self)
        text.storeBytes(of: dash, toByteOffset: 18, as: UInt8.self)
        text.storeBytes(of: dash, toByteOffset: 23, as: UInt8.self)
    }

    /// Multiplies and folds both halves, so that every bit of both factors affects every bit of the result.
    private static func mixed(_ left: UInt64, _ right: UInt64) -> UInt64 {
        let product = (left ^ 0xa076_1d64_78bd_642f).multipliedFullWidth(by: right ^ 0xe703_7ed1_a0b4_28db)
        return product.high ^ product.low
    }

    /// The eight hexadecimal digits of the lower half, its highest byte first.
    private static func digits(_ half: UInt64) -> UInt64 {
        Hex.digits(ofFour: UInt32(truncatingIfNeeded: half).byteSwapped)
    }
}
