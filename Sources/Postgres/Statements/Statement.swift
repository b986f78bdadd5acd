// SQL is a constant of the source, so that no external text becomes part of it; it is prepared once per connection.

/// One SQL statement with `$1`, `$2` … for its binds; declared as a constant.
public struct Statement: Sendable, Hashable, ExpressibleByStringInterpolation {
    /// Joins constants of the source, such as the columns that several statements read.
    public struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var sql = ""

        /// Begins with no text.
        public init(literalCapacity: Int, interpolationCount: Int) {}

        /// Appends the text between two interpolations.
        public mutating func appendLiteral(_ text: StaticString) { sql += text.text }

        /// Appends a constant.
        public mutating func appendInterpolation(_ text: StaticString) { sql += text.text }
    }

    /// The SQL.
    let sql: String

    /// Wraps SQL without interpolations.
    public init(stringLiteral sql: StaticString) { self.sql = sql.text }

    /// Wraps SQL with interpolated constants.
    public init(stringInterpolation parts: StringInterpolation) { sql = parts.sql }

    /// Whether the SQL casts parameter `number`, from 1, as in `$1::xid8`.
    func castsParameter(_ number: Int) -> Bool {
        sql.contains("$\(number)::")
    }
}

extension StaticString {
    /// The same as a `String`.
    var text: String { withUTF8Buffer { String(decoding: $0, as: UTF8.self) } }
}
