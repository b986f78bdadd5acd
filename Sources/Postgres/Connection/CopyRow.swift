// Bulk reads pass raw bytes, so that a million rows do not allocate a million arrays.

public import ScoreTypes

/// One row of a COPY, valid inside the closure that receives it; fields are numbered from 0.
public struct CopyRow {
    /// Position of a field in the chunk; the length is negative for null.
    struct Field {
        let start: Int
        let count: Int
    }

    let chunk: UnsafeRawBufferPointer
    let fields: UnsafeBufferPointer<Field>

    /// A field's bytes in PostgreSQL's binary format; nil for null and for a missing field.
    public func bytes(_ field: Int) -> UnsafeRawBufferPointer? {
        guard fields.indices.contains(field), fields[field].count >= 0 else { return nil }
        let place = fields[field]
        return UnsafeRawBufferPointer(rebasing: chunk[place.start..<place.start + place.count])
    }

    /// Reads an integer of 2, 4 or 8 bytes.
    ///
    /// - Throws: `PostgresError` of kind `decoding` for null and for another length.
    public func int(_ field: Int) throws(PostgresError) -> Int64 {
        switch bytes(field)?.count {
        case 2: try value(field) { WireValue.integer($0, .int2) }
        case 4: try value(field) { WireValue.integer($0, .int4) }
        default: try value(field) { WireValue.integer($0, .int8) }
        }
    }

    /// Reads a uuid.
    ///
    /// - Throws: `PostgresError` of kind `decoding` for null and for another length.
    public func uuid(_ field: Int) throws(PostgresError) -> DeviceID { try value(field, WireValue.uuid) }

    /// Reads a timestamp, rounded down to milliseconds.
    ///
    /// - Throws: `PostgresError` of kind `decoding` for null and for another length.
    public func timestamp(_ field: Int) throws(PostgresError) -> Instant {
        try value(field) { WireValue.timestamp($0, .timestamptz) }
    }

    private func value<T>(_ field: Int, _ read: (UnsafeRawBufferPointer) -> T?) throws(PostgresError) -> T {
        guard let value = bytes(field).flatMap(read) else {
            throw PostgresError(.decoding, message: "field \(field) of the copied row is not \(T.self)")
        }
        return value
    }
}

/// Splits the binary COPY format into rows (PostgreSQL documentation, COPY, "Binary Format").
struct CopyParser {
    private static let signatureBytes = 11
    private var sawHeader = false
    private var fields: [CopyRow.Field] = []

    /// Passes each row of a chunk to the body; the server's chunks contain complete rows.
    mutating func read(_ chunk: UnsafeRawBufferPointer, _ body: (CopyRow) throws -> Void) throws {
        var offset = 0
        if !sawHeader {
            guard let extra = WireValue.int32(chunk, at: Self.signatureBytes + 4), extra >= 0 else { throw Self.torn }
            offset = Self.signatureBytes + 8 + Int(extra)
            sawHeader = true
        }
        while offset < chunk.count {
            guard let count = WireValue.int16(chunk, at: offset) else { throw Self.torn }
            // The trailer has -1 fields.
            guard count >= 0 else { return }
            offset = try cut(chunk, from: offset + 2, fields: Int(count))
            try fields.withUnsafeBufferPointer { try body(CopyRow(chunk: chunk, fields: $0)) }
        }
    }

    private mutating func cut(
        _ chunk: UnsafeRawBufferPointer,
        from start: Int,
        fields count: Int
    ) throws(PostgresError) -> Int {
        fields.removeAll(keepingCapacity: true)
        var offset = start
        for _ in 0..<count {
            guard let length = WireValue.int32(chunk, at: offset) else { throw Self.torn }
            offset += 4
            fields.append(CopyRow.Field(start: offset, count: Int(length)))
            offset += max(0, Int(length))
            guard offset <= chunk.count else { throw Self.torn }
        }
        return offset
    }

    private static var torn: PostgresError {
        PostgresError(.decoding, message: "the server's COPY is not in the binary format")
    }
}
