// COPY is the fastest way to read a large table, and needs memory for one row only.

internal import CPostgres
internal import ScoreTypes

extension Connection {
    /// Runs a query as COPY and passes its rows to a closure as they arrive.
    ///
    /// A large table needs a connection without statement timeout: the timeout applies to the whole COPY.
    ///
    /// - Parameters:
    ///   - query: A `select`; its binds may be numbers, text, bytes, uuids, times and arrays of numbers, text or uuids.
    ///   - binds: The values of `$1`, `$2` …
    ///   - row: Called once for each row; when it throws, the connection is closed and the remaining rows are not read.
    /// - Throws: `PostgresError`, or the error that `row` throws.
    public func copyOut(_ query: Statement, _ binds: [Bind] = [], row: (CopyRow) throws -> Void) throws {
        try copyOut(inlined: try inlined(query.sql, binds), row)
    }

    /// Runs a query, or a complete `copy … to stdout (format binary)`, as COPY.
    ///
    /// - Parameters:
    ///   - sql: The query; external values are passed as binds of the other method.
    ///   - row: Called once for each row; when it throws, the connection is closed and the remaining rows are not read.
    /// - Throws: `PostgresError`, or the error that `row` throws.
    public func copyOut(_ sql: StaticString, row: (CopyRow) throws -> Void) throws {
        try copyOut(inlined: sql.text, row)
    }

    private func copyOut(inlined sql: String, _ row: (CopyRow) throws -> Void) throws {
        let isWhole = sql.drop(while: \.isWhitespace).prefix(5).lowercased() == "copy "
        let session = try openSession()
        try session.begin { PQsendQuery($0, isWhole ? sql : "copy (\(sql)) to stdout (format binary)") }
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
            case PGRES_COPY_IN, PGRES_COPY_BOTH:
                throw PostgresError(.other, message: "copyOut accepts only COPY … TO STDOUT")
            default: break
            }
        }
        if let failure { throw failure }
    }

    /// Replaces `$1`, `$2` … by literals, since COPY takes no parameters.
    private func inlined(_ sql: String, _ binds: [Bind]) throws(PostgresError) -> String {
        let session = try openSession()
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
        case .null: "null"
        case .text(let text): try session.literal(text) + "::text"
        case .int(let number): "'\(number)'::bigint"
        case .smallint(let number): "'\(number)'::smallint"
        case .integer(let number): "'\(number)'::integer"
        case .double(let number): "'\(number)'::float8"
        case .bool(let flag): "\(flag)"
        case .bytes(let bytes): "decode('\(Hex.string(bytes))', 'hex')"
        case .uuid(let id): "'\(id)'::uuid"
        case .timestamp(let time): "to_timestamp(\(time.milliseconds)::numeric / 1000)"
        case .ints(let numbers): Self.list(numbers.map { "\($0)" }, of: "bigint")
        case .smallints(let numbers): Self.list(numbers.map { "\($0)" }, of: "smallint")
        case .integers(let numbers): Self.list(numbers.map { "\($0)" }, of: "integer")
        case .uuids(let ids): Self.list(ids.map { "'\($0)'" }, of: "uuid")
        case .texts(let texts):
            Self.list(try texts.map { text throws(PostgresError) in try session.literal(text) }, of: "text")
        default: throw PostgresError(.decoding, message: "\(naturalType) cannot be a parameter of copyOut")
        }
    }

    private static func list(_ literals: [String], of type: String) -> String {
        "array[\(literals.joined(separator: ","))]::\(type)[]"
    }
}
