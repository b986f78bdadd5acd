// SQL is written in the source, so that no outside text can become part of it, and prepared once per connection.

/// One SQL statement with `$1`, `$2` … for its binds; declare it once as a constant.
public struct Statement: Sendable, Hashable {
    /// The SQL.
    let sql: String

    /// Wraps SQL that is written in the source.
    public init(_ sql: StaticString) {
        self.sql = sql.text
    }

    /// Whether the SQL itself says the type of parameter `number` (from 1) by a cast: `$1::xid8`.
    func castsParameter(_ number: Int) -> Bool {
        sql.contains("$\(number)::")
    }
}

extension StaticString {
    /// The same as a `String`.
    var text: String { withUTF8Buffer { String(decoding: $0, as: UTF8.self) } }
}
