// One error for the whole record: its kind decides what a caller does, its text tells an operator why.

internal import CPostgres

/// A failure of Postgres or of the way to it.
public struct PostgresError: Error, Sendable, CustomStringConvertible {
    /// What a caller can do about it.
    public enum Kind: Sendable, Hashable {
        /// The server cannot be reached, or the connection broke; a commit in flight may or may not have happened.
        case connection
        /// The server takes no writes now: it is a standby, or was made read-only; another host may take them.
        case readOnly
        /// The server is out of disk or memory; nothing was written, and it may go again later.
        case exhausted
        /// A unique, foreign key, check or not-null rule refused the write.
        case constraint
        /// A deadlock or serialization failure; the transaction may be repeated.
        case serialization
        /// The writer's term or lease is no longer its own; it must stop.
        case fenced
        /// The statement, the lock or the server's answer took longer than allowed.
        case timeout
        /// No connection of the pool came free in time, or too many wait already.
        case poolFull
        /// A column or parameter is of another type, or null, or out of range.
        case decoding
        /// Anything else, mostly a wrong statement.
        case other
    }

    /// What a caller can do about it.
    public let kind: Kind
    /// Postgres's five characters, when the server said it.
    public let sqlState: String?
    /// One sentence without any row's values.
    public let message: String
    /// The name of the rule that refused a write.
    public let constraint: String?

    /// Makes an error.
    public init(_ kind: Kind, sqlState: String? = nil, message: String, constraint: String? = nil) {
        self.kind = kind
        self.sqlState = sqlState
        self.message = message
        self.constraint = constraint
    }

    /// Kind, state and message.
    public var description: String {
        let state = sqlState.map { " [\($0)]" } ?? ""
        return "postgres \(kind)\(state): \(message)"
    }
}

extension PostgresError {
    /// Reads what the server said; the detail field is left out, since it quotes values.
    ///
    /// A server that was cut off said nothing: then these are libpq's own words.
    init(result: OpaquePointer?) {
        let state = Self.field("C", of: result)
        self.init(
            Self.kind(ofState: state),
            sqlState: state,
            message: Self.field("M", of: result) ?? Self.line(PQresultErrorMessage(result)),
            constraint: Self.field("n", of: result)
        )
    }

    /// Reads libpq's own words about a connection.
    static func broken(_ connection: OpaquePointer?) -> PostgresError {
        PostgresError(.connection, message: line(PQerrorMessage(connection)))
    }

    /// What libpq says, on one line.
    private static func line(_ text: UnsafePointer<CChar>?) -> String {
        let line = text.map { String(cString: $0) }?.split(whereSeparator: \.isNewline).joined(separator: " ") ?? ""
        return line.isEmpty ? "the connection is closed" : line
    }

    /// Sorts a SQLSTATE into a kind (PostgreSQL documentation, appendix A).
    static func kind(ofState state: String?) -> Kind {
        guard let state else { return .connection }
        switch state {
        case "40001", "40P01": return .serialization
        case "57014", "55P03", "25P03": return .timeout
        case "57P01", "57P02", "57P03", "57P05", "53300": return .connection
        case "25006": return .readOnly
        case "53000", "53100", "53200", "53400": return .exhausted
        default: break
        }
        switch state.prefix(2) {
        case "08", "28": return .connection
        case "23": return .constraint
        default: return .other
        }
    }

    private static func field(_ code: Unicode.Scalar, of result: OpaquePointer?) -> String? {
        PQresultErrorField(result, Int32(code.value)).map { String(cString: $0) }
    }
}
