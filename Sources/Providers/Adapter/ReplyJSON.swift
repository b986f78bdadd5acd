// Replies are decoded by `Decodable`, whose errors have no type; those of an adapter have one.

internal import ScoreTypes

/// Decodes replies.
enum ReplyJSON {
    /// Decodes a reply.
    ///
    /// - Parameters:
    ///   - type: The type of the reply.
    ///   - body: The reply.
    /// - Returns: The value.
    /// - Throws: `AdapterError` that names the place.
    static func read<Value: Decodable>(_ type: Value.Type, from body: [UInt8]) throws(AdapterError) -> Value {
        do { return try JSONElement.read(type, from: body) } catch { throw AdapterError(error) }
    }

    /// Decodes a reply, and takes rows that have not changed from the reply before.
    ///
    /// - Parameters:
    ///   - type: The type of the reply.
    ///   - body: The reply.
    ///   - earlier: The rows of the reply before; the value does not depend on them.
    /// - Returns: The value, and the rows to keep for the next reply.
    /// - Throws: `AdapterError` that names the place.
    static func read<Value: Decodable>(
        _ type: Value.Type,
        from body: [UInt8],
        after earlier: JSONRows?
    ) throws(AdapterError) -> (value: Value, rows: JSONRows?) {
        do { return try JSONElement.read(type, from: body, after: earlier) } catch { throw AdapterError(error) }
    }
}

extension AdapterError {
    /// The error of a reply that was not decoded.
    init(_ error: any Error) {
        self =
            switch error {
            case let error as AdapterError: error
            case JSONError.missing(let path): .missing(path: path)
            case JSONError.mismatch(let path, let expected): .wrongForm(path: path, expected: expected)
            default: .notJSON
            }
    }
}
