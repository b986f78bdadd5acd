// SQL is a constant of the source, so that no external text becomes part of it; it is prepared once per connection.

/// One SQL statement with `$1`, `$2` … for its binds; declared as a constant.
public struct Statement: Sendable, Hashable {
    /// The SQL.
    let sql: String

    /// Wraps SQL.
    public init(_ sql: StaticString) {
        self.sql = sql.text
    }

    /// Whether the SQL casts parameter `number`, from 1, as in `$1::xid8`.
    func castsParameter(_ number: Int) -> Bool {
        sql.contains("$\(number)::")
    }
}

extension StaticString {
    /// The same as a `String`.
    var text: String { withUTF8Buffer { String(decoding: $0, as: UTF8.self) } }
}
