// COPY is the fastest way to read a large table, and needs memory for one row only.

internal import CPostgres

extension Connection {
    /// Runs a query as COPY and passes its rows to a closure as they arrive.
    ///
    /// A large table needs a connection without statement timeout: the timeout applies to the whole COPY.
    ///
    /// - Parameters:
    ///   - query: A `select`; its binds may be texts and arrays of small integers.
    ///   - binds: The values of `$1`, `$2` …
    ///   - row: Called once for each row; when it throws, the connection is closed and the remaining rows are not read.
    /// - Throws: `PostgresError`, or the error that `row` throws.
    public func copyOut(_ query: Statement, _ binds: [Bind] = [], row: (CopyRow) throws -> Void) throws {
        let session = try openSession()
        let sql = try inlined(query.sql, binds, on: session)
        try session.begin { PQsendQuery($0, "copy (\(sql)) to stdout (format binary)") }
        do {
            try receive(from: session, row)
        } catch {
            // An error of the server ends the COPY; after any other error the unread rows make the connection unusable.
            if (error as? PostgresError)?.sqlState == nil { close() }
            throw error
        }
    }

    private func receive(from session: Session, _ row: (CopyRow) throws -> Void) throws {
        var failure: PostgresError?
        while let result = try session.nextResult(after: failure) {
            switch result.status {
            case PGRES_COPY_OUT:
                var parser = CopyParser()
                while let chunk = try session.nextCopyData() { try parser.read(chunk.bytes, row) }
            case PGRES_FATAL_ERROR:
                failure = failure ?? PostgresError(result: result.pointer)
            default: break
            }
        }
        if let failure { throw failure }
    }

    /// Replaces `$1`, `$2` … by literals, since COPY takes no parameters.
    private func inlined(_ sql: String, _ binds: [Bind], on session: Session) throws(PostgresError) -> String {
        var text = ""
        var rest = Substring(sql)
        while let dollar = rest.firstIndex(of: "$") {
            text += rest[..<dollar]
            let digits = rest[rest.index(after: dollar)...].prefix { $0.isNumber }
            guard let number = Int(digits), binds.indices.contains(number - 1) else {
                throw PostgresError(.decoding, message: "the statement has a parameter $\(digits) that was not given")
            }
            text += try binds[number - 1].literal(in: session)
            rest = rest[digits.endIndex...]
        }
        return text + rest
    }
}

extension Bind {
    /// The value as an SQL literal.
    fileprivate func literal(in session: Session) throws(PostgresError) -> String {
        switch self {
        case .text(let text): try session.literal(text) + "::text"
        case .smallints(let numbers): "array[\(numbers.map(String.init).joined(separator: ","))]::smallint[]"
        default: throw PostgresError(.decoding, message: "\(naturalType) cannot be a parameter of copyOut")
        }
    }
}
