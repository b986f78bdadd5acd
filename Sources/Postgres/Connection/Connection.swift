// A connection is an actor on a thread of its own, so that libpq may wait without stopping anybody else.

internal import CPostgres
internal import ScoreTypes

/// One connection to Postgres.
///
/// Every statement is prepared at its first use and runs with binary parameters and results.
public actor Connection {
    /// What a statement of the node's own work may take; nobody waits for it, so it may read a whole page.
    public static let statementTimeoutDefault = Duration.seconds(5)

    /// How long a transaction may stand still: its node is stopped or gone, and others wait for its locks.
    public static let idleTimeoutDefault = Duration.seconds(10)

    private let executor: ThreadExecutor
    private var session: Session?
    private var prepared: [Statement: Prepared] = [:]
    private var buffer = BindBuffer()

    /// The thread that the connection runs on.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// Connects.
    ///
    /// - Parameters:
    ///   - info: Server, login and database.
    ///   - name: Shown in `pg_stat_activity` and as the thread's name.
    ///   - statementTimeout: The server ends longer statements; nil for none (migrations, bulk reads).
    ///   - idleTimeout: The server ends transactions that nobody goes on with for longer, and the connection with them.
    ///   - endsWithCaller: Whether a statement ends, and the connection with it, when its task is cancelled.
    /// - Returns: The open connection.
    /// - Throws: `PostgresError` of kind `connection` after at most 3 s for each host.
    public static func open(
        _ info: ConnectionInfo,
        name: String,
        statementTimeout: Duration? = statementTimeoutDefault,
        idleTimeout: Duration = idleTimeoutDefault,
        endsWithCaller: Bool = false
    ) async throws(PostgresError) -> Connection {
        let connection = Connection(name: name)
        try await connection.connect(info, name: name, statementTimeout, idleTimeout, endsWithCaller)
        return connection
    }

    private init(name: String) {
        executor = ThreadExecutor(name: name)
    }

    isolated deinit {
        session = nil
        executor.stop()
    }

    private func connect(
        _ info: ConnectionInfo,
        name: String,
        _ statementTimeout: Duration?,
        _ idleTimeout: Duration,
        _ endsWithCaller: Bool
    ) throws(PostgresError) {
        session = try Session(
            info,
            name: name,
            statementTimeout: statementTimeout,
            idleTimeout: idleTimeout,
            endsWithCaller: endsWithCaller
        )
    }

    /// Whether the connection can be used further; looks for a hang-up of the server without waiting.
    public var isUsable: Bool { session?.checkIsAlive() ?? false }

    /// Hangs up; every later call throws.
    public func close() {
        session = nil
        prepared = [:]
    }

    /// Runs a statement and decodes each row.
    ///
    /// - Throws: `PostgresError`, or what `decode` throws.
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

    /// Runs a statement and returns how many rows it wrote (or, for a query, how many it gave).
    @discardableResult
    public func execute(_ statement: Statement, _ binds: [Bind] = []) throws(PostgresError) -> Int {
        try perform(statement, binds).affectedCount
    }

    /// Runs several statements without binds, in one transaction unless they say otherwise.
    public func script(_ sql: StaticString) throws(PostgresError) {
        try script(embedded: sql.text)
    }

    /// Runs statements that were put together from texts of this program, never from outside ones.
    func script(embedded sql: String) throws(PostgresError) {
        _ = try openSession().run(sql)
    }

    /// The session, for the other aspects of a connection.
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

    /// Statements are constants of the program, hence their number per connection is bounded by the source.
    private func prepare(
        _ statement: Statement,
        _ binds: [Bind],
        on session: Session
    ) throws(PostgresError) -> Prepared {
        if let known = prepared[statement] { return known }
        let name = "s\(prepared.count + 1)"
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

    /// What the server knows a statement by, and the parameter types that it settled on.
    private struct Prepared {
        let name: String
        let types: [TypeID]
    }
}
