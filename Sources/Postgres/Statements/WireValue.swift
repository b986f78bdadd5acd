// Reads PostgreSQL's binary values from raw bytes; a value of another length is refused and never traps.

internal import ScoreTypes

/// Readers of single binary values; each returns nil for another type or length.
enum WireValue {
    static func integer(_ bytes: UnsafeRawBufferPointer, _ type: TypeID) -> Int64? {
        switch type {
        case .int8, .xid8: bigEndian(bytes, as: Int64.self)
        case .int4: bigEndian(bytes, as: Int32.self).map(Int64.init)
        case .int2: bigEndian(bytes, as: Int16.self).map(Int64.init)
        case .oid: bigEndian(bytes, as: UInt32.self).map(Int64.init)
        default: nil
        }
    }

    static func timestamp(_ bytes: UnsafeRawBufferPointer, _ type: TypeID) -> Instant? {
        guard type == .timestamptz else { return nil }
        return bigEndian(bytes, as: Int64.self).map(PostgresTime.instant(ofMicroseconds:))
    }

    static func uuid(_ bytes: UnsafeRawBufferPointer) -> DeviceID? {
        guard bytes.count == 16 else { return nil }
        return DeviceID(
            high: UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self)),
            low: UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
        )
    }

    static func json(_ bytes: UnsafeRawBufferPointer, _ type: TypeID) -> [UInt8]? {
        switch type {
        case .json: Array(bytes)
        case .jsonb: bytes.first == 1 ? Array(bytes.dropFirst()) : nil
        default: nil
        }
    }

    /// An array of at most one dimension, without nulls.
    static func array<T>(_ bytes: UnsafeRawBufferPointer, _ element: (UnsafeRawBufferPointer) -> T?) -> [T]? {
        guard let dimensions = int32(bytes, at: 0) else { return nil }
        if dimensions == 0 { return [] }
        guard dimensions == 1, let count = int32(bytes, at: 12) else { return nil }
        var values: [T] = []
        var offset = 20
        for _ in 0..<max(0, count) {
            guard let length = int32(bytes, at: offset), length >= 0, offset + 4 + Int(length) <= bytes.count else {
                return nil
            }
            let start = offset + 4
            offset = start + Int(length)
            guard let value = element(UnsafeRawBufferPointer(rebasing: bytes[start..<offset])) else { return nil }
            values.append(value)
        }
        return values
    }

    static func int32(_ bytes: UnsafeRawBufferPointer, at offset: Int) -> Int32? {
        guard offset >= 0, offset + 4 <= bytes.count else { return nil }
        return Int32(bigEndian: bytes.loadUnaligned(fromByteOffset: offset, as: Int32.self))
    }

    static func int16(_ bytes: UnsafeRawBufferPointer, at offset: Int) -> Int16? {
        guard offset >= 0, offset + 2 <= bytes.count else { return nil }
        return Int16(bigEndian: bytes.loadUnaligned(fromByteOffset: offset, as: Int16.self))
    }

    static func bigEndian<T: FixedWidthInteger & BitwiseCopyable>(
        _ bytes: UnsafeRawBufferPointer,
        as type: T.Type
    ) -> T? {
        guard bytes.count == MemoryLayout<T>.size else { return nil }
        return T(bigEndian: bytes.loadUnaligned(as: T.self))
    }
}
