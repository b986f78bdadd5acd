// Replies are decoded by `Decodable`, whose errors have no type; those of an adapter have one.

internal import ScoreTypes

/// Decodes replies.
enum ReplyJSON {
    /// Decodes a reply.
    ///
    /// - Throws: `AdapterError` that names the place.
    static func read<Value: Decodable>(_ type: Value.Type, from body: [UInt8]) throws(AdapterError) -> Value {
        do { return try JSONElement.read(type, from: body) } catch { throw AdapterError(error) }
    }

    /// Decodes a reply, and takes unchanged rows from those of the reply before, on which the value does not depend.
    ///
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
