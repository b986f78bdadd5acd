// Each connection is an actor on a thread of its own, so that libpq may block without blocking other tasks.

internal import CPostgres
internal import ScoreTypes

/// One connection to Postgres.
///
/// Each statement is prepared at its first use; parameters and results are binary.
public actor Connection {
    private let executor: ThreadExecutor
    private var session: Session?
    private var prepared: [Statement: Prepared] = [:]
    /// Names given so far; the server may hold a statement that could not be described.
    private var nameCount = 0
    private var buffer = BindBuffer()

    /// The thread on which the connection runs.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// Connects.
    ///
    /// - Parameters:
    ///   - info: Server, login and database.
    ///   - name: Name in `pg_stat_activity`, and of the thread.
    ///   - statementTimeout: Longest statement, after which the server cancels it; nil for none (migrations, bulk
    ///     reads).
    ///   - idleTimeout: Longest pause inside a transaction, after which the server ends transaction and connection.
    ///   - endsWithCaller: Whether cancellation of the task ends its statement, and the connection with it.
    /// - Returns: The open connection.
    /// - Throws: `PostgresError` of kind `connection`, after at most `PostgresLimits.connectSeconds` for each host.
    public static func open(
        _ info: ConnectionInfo,
        name: String,
        statementTimeout: Duration? = PostgresLimits.statementTimeout,
        idleTimeout: Duration = PostgresLimits.idleInTransactionTimeout,
        endsWithCaller: Bool = false
    ) async throws(PostgresError) -> Connection {
        let connection = Connection(name: name)
        try await connection.connect { () throws(PostgresError) in
            try Session(
                info,
                name: name,
                statementTimeout: statementTimeout,
                idleTimeout: idleTimeout,
                endsWithCaller: endsWithCaller
            )
        }
        return connection
    }

    private init(name: String) {
        executor = ThreadExecutor(name: name)
    }

    isolated deinit {
        session = nil
        executor.stop()
    }

    private func connect(_ open: @Sendable () throws(PostgresError) -> Session) throws(PostgresError) {
        session = try open()
    }

    /// Whether the connection can be used again; detects a hang-up of the server without waiting.
    public var isUsable: Bool { session?.checkIsAlive() ?? false }

    /// Closes the connection; every later call throws.
    public func close() {
        session = nil
        prepared = [:]
    }

    /// Runs a statement and decodes each row.
    ///
    /// - Parameters:
    ///   - statement: The statement.
    ///   - binds: The values of `$1`, `$2` …
    ///   - decode: Called once for each row.
    /// - Returns: The decoded rows, in the order of the result.
    /// - Throws: `PostgresError`, or the error that `decode` throws.
    public func query<T: Sendable>(
        _ statement: Statement,
        _ binds: [Bind] = [],
        decode: (Row) throws -> T
    ) throws -> [T] {
        let result = try perform(statement, binds)
        var values: [T] = []
        values.reserveCapacity(Int(result.rowCount))
        for number in 0..<result.rowCount {
            values.append(try decode(Row(result: result.pointer, number: number)))
        }
        return values
    }

    /// Runs a statement.
    ///
    /// - Parameters:
    ///   - statement: The statement.
    ///   - binds: The values of `$1`, `$2` …
    /// - Returns: Number of rows written; for a query, number of rows in the result.
    /// - Throws: `PostgresError`.
    @discardableResult
    public func execute(_ statement: Statement, _ binds: [Bind] = []) throws(PostgresError) -> Int {
        try perform(statement, binds).affectedCount
    }

    /// Runs several statements without binds, in one transaction unless they contain `begin` or `commit`.
    ///
    /// - Parameter sql: Statements separated by semicolons.
    /// - Throws: `PostgresError`.
    public func script(_ sql: StaticString) throws(PostgresError) {
        try script(embedded: sql.text)
    }

    /// Runs statements composed of texts of this program, never of external ones.
    ///
    /// - Parameter sql: Statements separated by semicolons.
    /// - Throws: `PostgresError`.
    package func script(embedded sql: String) throws(PostgresError) {
        _ = try openSession().run(sql)
    }

    /// The open session; throws `PostgresError` of kind `connection` when the connection is closed.
    func openSession() throws(PostgresError) -> Session {
        guard let session else { throw PostgresError(.connection, message: "the connection is closed") }
        return session
    }

    private func perform(_ statement: Statement, _ binds: [Bind]) throws(PostgresError) -> QueryResult {
        let session = try openSession()
        let prepared = try prepare(statement, binds, on: session)
        try buffer.encode(binds, as: prepared.types)
        let formats = [Int32](repeating: 1, count: binds.count)
        return try session.exchange { connection in
            buffer.withParameters { values, lengths in
                PQsendQueryPrepared(
                    connection,
                    prepared.name,
                    Int32(clamping: binds.count),
                    values,
                    lengths,
                    formats,
                    1
                )
            }
        }
    }

    /// Statements are constants of the program, which bounds the number of prepared ones per connection.
    private func prepare(
        _ statement: Statement,
        _ binds: [Bind],
        on session: Session
    ) throws(PostgresError) -> Prepared {
        if let known = prepared[statement] { return known }
        nameCount += 1
        let name = "s\(nameCount)"
        let declared = binds.enumerated().map { index, bind in
            statement.castsParameter(index + 1) ? 0 : bind.naturalType.number
        }
        _ = try session.exchange {
            PQsendPrepare($0, name, statement.sql, Int32(clamping: declared.count), declared)
        }
        let description = try session.exchange { PQsendDescribePrepared($0, name) }
        let types = (0..<PQnparams(description.pointer)).map {
            TypeID(number: PQparamtype(description.pointer, $0))
        }
        let made = Prepared(name: name, types: types)
        prepared[statement] = made
        return made
    }

    /// The server's name of a statement, and the parameter types that the server inferred.
    private struct Prepared {
        let name: String
        let types: [TypeID]
    }
}
