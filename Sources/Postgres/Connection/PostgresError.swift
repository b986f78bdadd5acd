// One error type for the database: its kind decides what a caller does, its message informs an operator.

internal import CPostgres

/// A failure of PostgreSQL or of the connection to it.
public struct PostgresError: Error, Sendable, CustomStringConvertible {
    /// The reaction that the error permits.
    public enum Kind: String, Sendable, Hashable {
        /// The server cannot be reached, or the connection broke; a commit in progress may or may not have happened.
        case connection
        /// The server accepts no writes: it is a standby or read-only; another host may be the primary.
        case readOnly
        /// The server is out of disk space or memory; nothing was written, and a later attempt may succeed.
        case exhausted
        /// A unique, foreign key, check or not-null constraint refused the write.
        case constraint
        /// A deadlock or serialization failure; the transaction may be repeated.
        case serialization
        /// The term or the lease of the writer has passed to another; the writer has to stop.
        case fenced
        /// The statement, the lock or the server's answer took longer than permitted.
        case timeout
        /// No connection of the pool became free in time, or too many callers wait.
        case poolFull
        /// A column or parameter has another type, is null, or is out of range.
        case decoding
        /// Any other error, mostly of a wrong statement.
        case other
    }

    /// The reaction that the error permits.
    public let kind: Kind
    /// The SQLSTATE, five characters; nil when the server sent none.
    public let sqlState: String?
    /// One sentence without values of rows.
    public let message: String

    /// Makes an error.
    public init(_ kind: Kind, sqlState: String? = nil, message: String) {
        self.kind = kind
        self.sqlState = sqlState
        self.message = message
    }

    /// Kind, state and message.
    public var description: String {
        let state = sqlState.map { " [\($0)]" } ?? ""
        return "postgres \(kind)\(state): \(message)"
    }
}

extension PostgresError {
    /// Reads the server's error; the detail field is omitted, since it quotes values.
    ///
    /// When the connection was cut, the server sent nothing, and libpq's own message is used.
    init(result: OpaquePointer?) {
        let state = Self.field("C", of: result)
        self.init(
            Self.kind(ofState: state),
            sqlState: state,
            message: Self.field("M", of: result) ?? Self.line(PQresultErrorMessage(result))
        )
    }

    /// Reads libpq's own message about a connection.
    static func broken(_ connection: OpaquePointer?) -> PostgresError {
        PostgresError(.connection, message: line(PQerrorMessage(connection)))
    }

    /// A message of libpq, on one line.
    private static func line(_ text: UnsafePointer<CChar>?) -> String {
        let line = text.map { String(cString: $0) }?.split(whereSeparator: \.isNewline).joined(separator: " ") ?? ""
        return line.isEmpty ? "the connection is closed" : line
    }

    /// Maps a SQLSTATE to a kind (PostgreSQL documentation, appendix A).
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
