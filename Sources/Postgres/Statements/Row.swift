// Reads a row of a result in place, while the result exists.

internal import CPostgres
public import ScoreTypes

/// One row, valid inside the `decode` closure that receives it; columns are numbered from 0.
///
/// A column of another type, an unexpected null and a missing column throw `PostgresError` of kind `decoding`, whose
/// message names the column.
public struct Row {
    let result: OpaquePointer
    let number: Int32

    /// Whether the column is null.
    public func isNull(_ column: Int) -> Bool {
        PQgetisnull(result, number, Int32(clamping: column)) == 1
    }

    /// Reads text of any textual type, and json as text.
    ///
    /// - Throws: `PostgresError` of kind `decoding` for another type.
    public func text(_ column: Int) throws(PostgresError) -> String { try need(textIfPresent(column), column) }

    /// Reads int2, int4, int8, oid or xid8.
    ///
    /// - Throws: `PostgresError` of kind `decoding` for another type.
    public func int(_ column: Int) throws(PostgresError) -> Int64 { try need(intIfPresent(column), column) }

    /// Reads a boolean.
    ///
    /// - Throws: `PostgresError` of kind `decoding` for another type.
    public func bool(_ column: Int) throws(PostgresError) -> Bool {
        try need(value(column) { bytes, type in type == .bool ? bytes.first.map { $0 != 0 } : nil }, column)
    }

    /// Reads bytea.
    ///
    /// - Throws: `PostgresError` of kind `decoding` for another type.
    public func bytes(_ column: Int) throws(PostgresError) -> [UInt8] { try need(bytesIfPresent(column), column) }

    /// Reads a uuid.
    ///
    /// - Throws: `PostgresError` of kind `decoding` for another type.
    public func uuid(_ column: Int) throws(PostgresError) -> DeviceID {
        try need(value(column) { bytes, type in type == .uuid ? WireValue.uuid(bytes) : nil }, column)
    }

    /// Reads a timestamp, rounded down to milliseconds.
    ///
    /// - Throws: `PostgresError` of kind `decoding` for null and for another type.
    public func timestamp(_ column: Int) throws(PostgresError) -> Instant {
        try need(timestampIfPresent(column), column)
    }

    /// Reads the bytes of a json or jsonb value.
    ///
    /// - Throws: `PostgresError` of kind `decoding` for another type.
    public func json(_ column: Int) throws(PostgresError) -> [UInt8] { try need(jsonIfPresent(column), column) }

    /// Reads an array of text without nulls.
    ///
    /// - Throws: `PostgresError` of kind `decoding` for null and for another type.
    public func texts(_ column: Int) throws(PostgresError) -> [String] {
        try elements(column) { element, type in type.isText ? String(decoding: element, as: UTF8.self) : nil }
    }

    /// Reads an array of integers without nulls.
    ///
    /// - Throws: `PostgresError` of kind `decoding` for null and for another type.
    public func ints(_ column: Int) throws(PostgresError) -> [Int64] {
        try elements(column) { element, type in WireValue.integer(element, type) }
    }

    /// Reads an array of uuids without nulls.
    ///
    /// - Throws: `PostgresError` of kind `decoding` for null and for another type.
    public func uuids(_ column: Int) throws(PostgresError) -> [DeviceID] {
        try elements(column) { element, type in type == .uuid ? WireValue.uuid(element) : nil }
    }
}

extension Row {
    /// Reads text, or nil for null.
    ///
    /// - Throws: `PostgresError` of kind `decoding` for another type.
    public func textIfPresent(_ column: Int) throws(PostgresError) -> String? {
        try value(column) { bytes, type in
            if type == .jsonb { return WireValue.json(bytes, type).map { String(decoding: $0, as: UTF8.self) } }
            return type.isText ? String(decoding: bytes, as: UTF8.self) : nil
        }
    }

    /// Reads an integer, or nil for null.
    ///
    /// - Throws: `PostgresError` of kind `decoding` for another type.
    public func intIfPresent(_ column: Int) throws(PostgresError) -> Int64? {
        try value(column, WireValue.integer)
    }

    /// Reads bytea, or nil for null.
    ///
    /// - Throws: `PostgresError` of kind `decoding` for another type.
    public func bytesIfPresent(_ column: Int) throws(PostgresError) -> [UInt8]? {
        try value(column) { bytes, type in type == .bytea ? Array(bytes) : nil }
    }

    /// Reads a timestamp, or nil for null.
    ///
    /// - Throws: `PostgresError` of kind `decoding` for another type.
    public func timestampIfPresent(_ column: Int) throws(PostgresError) -> Instant? {
        try value(column, WireValue.timestamp)
    }

    /// Reads a json or jsonb value, or nil for null.
    ///
    /// - Throws: `PostgresError` of kind `decoding` for another type.
    public func jsonIfPresent(_ column: Int) throws(PostgresError) -> [UInt8]? {
        try value(column, WireValue.json)
    }

    private func type(_ column: Int) -> TypeID { TypeID(number: PQftype(result, Int32(clamping: column))) }

    private func raw(_ column: Int) -> UnsafeRawBufferPointer {
        let index = Int32(clamping: column)
        return UnsafeRawBufferPointer(
            start: PQgetvalue(result, number, index),
            count: Int(PQgetlength(result, number, index))
        )
    }

    private func value<T>(
        _ column: Int,
        _ read: (UnsafeRawBufferPointer, TypeID) -> T?
    ) throws(PostgresError) -> T? {
        guard column >= 0, column < Int(PQnfields(result)) else {
            throw PostgresError(.decoding, message: "column \(column) is not in the result")
        }
        guard !isNull(column) else { return nil }
        guard let value = read(raw(column), type(column)) else {
            throw PostgresError(
                .decoding,
                message: "column \(column) (\(name(of: column))) is \(type(column)), expected \(T.self); cast it"
            )
        }
        return value
    }

    private func need<T>(_ value: T?, _ column: Int) throws(PostgresError) -> T {
        guard let value else {
            throw PostgresError(
                .decoding,
                message: "column \(column) (\(name(of: column))) is null, expected \(T.self)"
            )
        }
        return value
    }

    private func elements<T>(
        _ column: Int,
        _ read: (UnsafeRawBufferPointer, TypeID) -> T?
    ) throws(PostgresError) -> [T] {
        let list = try value(column) { bytes, type in
            type.element.flatMap { element in WireValue.array(bytes) { read($0, element) } }
        }
        return try need(list, column)
    }

    private func name(of column: Int) -> String {
        PQfname(result, Int32(clamping: column)).map { String(cString: $0) } ?? "?"
    }
}
