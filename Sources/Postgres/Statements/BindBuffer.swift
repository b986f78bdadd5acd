// Encodes all binds of one call in one buffer, with the pointers that libpq expects.

internal import ScoreTypes

/// Encodes binds in PostgreSQL's binary format; reused for each call, so that encoding does not allocate.
struct BindBuffer {
    /// Position of each value in `bytes`; nil for null.
    private(set) var spans: [Range<Int>?] = []
    private(set) var bytes: [UInt8] = []

    /// Encodes the values of `$1`, `$2` … as the parameter types that the server inferred.
    mutating func encode(_ binds: [Bind], as types: [TypeID]) throws(PostgresError) {
        bytes.removeAll(keepingCapacity: true)
        spans.removeAll(keepingCapacity: true)
        guard binds.count == types.count else {
            throw PostgresError(
                .decoding,
                message: "the statement has \(types.count) parameters, \(binds.count) were given"
            )
        }
        for (index, bind) in binds.enumerated() {
            let start = bytes.count
            guard append(bind, as: types[index]) else {
                throw PostgresError(
                    .decoding,
                    message: "parameter $\(index + 1) is \(types[index]), which cannot hold the given "
                        + "\(bind.naturalType)"
                )
            }
            if case .null = bind { spans.append(nil) } else { spans.append(start..<bytes.count) }
        }
    }

    /// Passes arrays for libpq's `paramValues` and `paramLengths`, valid inside the body.
    func withParameters<R>(
        _ body: (UnsafePointer<UnsafePointer<CChar>?>?, UnsafePointer<Int32>?) -> R
    ) -> R {
        let lengths = spans.map { Int32(clamping: $0?.count ?? 0) }
        return bytes.withUnsafeBytes { raw in
            // An empty buffer has no address, and a null pointer would mean null.
            let base = raw.baseAddress ?? Self.somewhere
            let pointers = spans.map { span in
                span.map { base.advanced(by: $0.lowerBound).assumingMemoryBound(to: CChar.self) }
            }
            return pointers.withUnsafeBufferPointer { values in
                lengths.withUnsafeBufferPointer { body(values.baseAddress, $0.baseAddress) }
            }
        }
    }

    private static var somewhere: UnsafeRawPointer { UnsafeRawPointer(bitPattern: 8).unsafelyUnwrapped }

    private mutating func append(_ bind: Bind, as type: TypeID) -> Bool {
        switch bind {
        case .null: return true
        case .text(let value): return append(text: value, as: type)
        case .int(let value): return append(integer: value, as: type)
        case .smallint(let value): return append(integer: Int64(value), as: type)
        case .integer(let value): return append(integer: Int64(value), as: type)
        case .double(let value): return append(double: value, as: type)
        case .bool(let value): return append(bool: value, as: type)
        case .bytes(let value): return append(raw: value, as: type, of: .bytea)
        case .uuid(let value): return append(uuid: value, as: type)
        case .timestamp(let value): return append(timestamp: value, as: type)
        case .json(let value): return append(json: value, as: type)
        default: return appendArray(bind, as: type)
        }
    }

    private mutating func appendArray(_ bind: Bind, as type: TypeID) -> Bool {
        switch bind {
        case .texts(let values): array(values, type) { $0.append(text: $1, as: $2) }
        case .optionalTexts(let values): array(optional: values, type) { $0.append(text: $1, as: $2) }
        case .ints(let values): array(values, type) { $0.append(integer: $1, as: $2) }
        case .smallints(let values): array(values, type) { $0.append(integer: Int64($1), as: $2) }
        case .integers(let values): array(values, type) { $0.append(integer: Int64($1), as: $2) }
        case .bools(let values): array(values, type) { $0.append(bool: $1, as: $2) }
        case .bytesArray(let values): array(values, type) { $0.append(raw: $1, as: $2, of: .bytea) }
        case .optionalBytesArray(let values): array(optional: values, type) { $0.append(raw: $1, as: $2, of: .bytea) }
        case .uuids(let values): array(values, type) { $0.append(uuid: $1, as: $2) }
        case .timestamps(let values): array(values, type) { $0.append(timestamp: $1, as: $2) }
        case .optionalTimestamps(let values): array(optional: values, type) { $0.append(timestamp: $1, as: $2) }
        case .jsons(let values): array(values, type) { $0.append(json: $1, as: $2) }
        default: false
        }
    }

    /// An array of one dimension.
    ///
    /// Format: dimensions, null flag, element type, count, lower bound; then length and bytes of each element.
    private mutating func array<Element>(
        _ values: [Element],
        _ type: TypeID,
        _ append: (inout BindBuffer, Element, TypeID) -> Bool
    ) -> Bool {
        array(optional: values.lazy.map { $0 }, type, append)
    }

    /// The same with null elements.
    private mutating func array<Element>(
        optional values: some Collection<Element?>,
        _ type: TypeID,
        _ append: (inout BindBuffer, Element, TypeID) -> Bool
    ) -> Bool {
        guard let type = type.element else { return false }
        integer(Int32(values.isEmpty ? 0 : 1))
        integer(Int32(values.contains { $0 == nil } ? 1 : 0))
        integer(type.number)
        if !values.isEmpty {
            integer(Int32(clamping: values.count))
            integer(Int32(1))
        }
        for value in values {
            guard let value else {
                integer(Int32(-1))
                continue
            }
            guard element({ append(&$0, value, type) }) else { return false }
        }
        return true
    }

    /// Appends an element after its length.
    private mutating func element(_ append: (inout BindBuffer) -> Bool) -> Bool {
        let start = bytes.count
        integer(Int32(0))
        guard append(&self) else { return false }
        let length = UInt32(clamping: bytes.count - start - 4).bigEndian
        bytes.withUnsafeMutableBytes { $0.storeBytes(of: length, toByteOffset: start, as: UInt32.self) }
        return true
    }

    private mutating func append(text: String, as type: TypeID) -> Bool {
        guard type.isText else { return false }
        bytes.append(contentsOf: text.utf8)
        return true
    }

    private mutating func append(raw: [UInt8], as type: TypeID, of wanted: TypeID) -> Bool {
        guard type == wanted else { return false }
        bytes.append(contentsOf: raw)
        return true
    }

    private mutating func append(json: [UInt8], as type: TypeID) -> Bool {
        guard type == .jsonb || type == .json else { return false }
        if type == .jsonb { bytes.append(1) }
        bytes.append(contentsOf: json)
        return true
    }

    private mutating func append(integer value: Int64, as type: TypeID) -> Bool {
        switch type {
        case .int8, .xid8: integer(value)
        case .int4:
            guard let small = Int32(exactly: value) else { return false }
            integer(small)
        case .int2:
            guard let small = Int16(exactly: value) else { return false }
            integer(small)
        case .float8: integer(Double(value).bitPattern)
        default: return false
        }
        return true
    }

    private mutating func append(double value: Double, as type: TypeID) -> Bool {
        guard type == .float8 else { return false }
        integer(value.bitPattern)
        return true
    }

    private mutating func append(bool value: Bool, as type: TypeID) -> Bool {
        guard type == .bool else { return false }
        bytes.append(value ? 1 : 0)
        return true
    }

    private mutating func append(uuid: DeviceID, as type: TypeID) -> Bool {
        guard type == .uuid else { return false }
        integer(uuid.high)
        integer(uuid.low)
        return true
    }

    private mutating func append(timestamp: Instant, as type: TypeID) -> Bool {
        guard type == .timestamptz else { return false }
        integer(PostgresTime.microseconds(of: timestamp))
        return true
    }

    private mutating func integer(_ value: some FixedWidthInteger) {
        withUnsafeBytes(of: value.bigEndian) { bytes.append(contentsOf: $0) }
    }
}
