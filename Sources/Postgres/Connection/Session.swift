// One libpq connection in non-blocking mode, so that each wait for the server has a deadline.

internal import CPostgres
internal import Glibc
internal import ScoreTypes

/// A libpq connection, used only on the thread that opened it.
final class Session {
    private let connection: OpaquePointer
    private let answerMax: Duration
    /// Whether a statement ends when its task is cancelled.
    private let endsWithCaller: Bool
    /// Whether the connection string names several hosts; the session then connects to the primary.
    private let seeksPrimary: Bool
    private(set) var isBroken = false

    /// Connects and sets the session's limits; without a statement timeout the server cancels no statement.
    ///
    /// - Throws: `PostgresError` of kind `connection`.
    init(
        _ info: ConnectionInfo,
        name: String,
        statementTimeout: Duration?,
        idleTimeout: Duration = PostgresLimits.idleInTransactionTimeout,
        endsWithCaller: Bool = false
    ) throws(PostgresError) {
        guard let parsed = info.parsed() else {
            throw PostgresError(
                .connection,
                message: "the connection string is not readable: expected key=value pairs or postgresql://…"
            )
        }
        // libpq uses the last value of an option: defaults precede the string, fixed values follow it.
        var options: [(String, String)] = [
            ("connect_timeout", String(PostgresLimits.connectSeconds)),
            ("tcp_user_timeout", "5000"), ("keepalives_idle", "5"), ("keepalives_interval", "2"),
            ("keepalives_count", "2"),
            ("dbname", info.conninfo),
            ("application_name", name), ("client_encoding", "UTF8"),
        ]
        options.insert(contentsOf: info.verification, at: 0)
        if let database = info.databaseName { options.append(("dbname", database)) }
        // Of several hosts one is the primary, and a failover changes which.
        seeksPrimary = parsed["host"]?.contains(",") == true
        if seeksPrimary { options.insert(("target_session_attrs", "read-write"), at: 0) }
        let opened = options.map(\.0).withCStrings { keywords in
            options.map(\.1).withCStrings { values in
                PQconnectdbParams(keywords.map { UnsafePointer($0) }, values.map { UnsafePointer($0) }, 1)
            }
        }
        guard let opened else { throw PostgresError(.connection, message: "out of memory") }
        connection = opened
        self.endsWithCaller = endsWithCaller
        answerMax = statementTimeout.map { $0 + PostgresLimits.answerGrace } ?? PostgresLimits.untimedStatement
        guard PQstatus(opened) == CONNECTION_OK else {
            isBroken = true
            throw .broken(opened)
        }
        PQsetNoticeProcessor(opened, { _, _ in }, nil)
        PQsetnonblocking(opened, 1)
        let limit = statementTimeout?.milliseconds ?? 0
        let idle = max(1, idleTimeout.milliseconds)
        _ = try run(
            "set statement_timeout = \(limit); set idle_in_transaction_session_timeout = \(idle); set timezone = 'UTC'"
        )
        guard PQserverVersion(opened) >= 140_000 else { return }
        // Some systems do not support the check; there the statement timeout ends abandoned statements.
        _ = try? run("set client_connection_check_interval = \(PostgresLimits.clientCheckInterval.milliseconds)")
    }

    deinit { PQfinish(connection) }

    /// The socket, for polling together with other descriptors.
    var descriptor: Int32 { PQsocket(connection) }

    /// Whether a transaction is open on this connection.
    var isInTransaction: Bool { PQtransactionStatus(connection) != PQTRANS_IDLE }

    /// Whether the server has become read-only while another host may be the primary; also a reader has to move there
    /// then.
    ///
    /// From version 14 on the server reports both settings with the first answer after they changed.
    var isDemoted: Bool {
        guard seeksPrimary else { return false }
        return ["in_hot_standby", "default_transaction_read_only"].contains { setting in
            guard let value = PQparameterStatus(connection, setting) else { return false }
            return String(cString: value) == "on"
        }
    }

    /// Closes the session on a server that is no longer the primary, except inside a transaction.
    ///
    /// - Throws: `PostgresError` of kind `readOnly`.
    func checkIsPrimary() throws(PostgresError) {
        guard isDemoted, !isInTransaction else { return }
        isBroken = true
        throw PostgresError(.readOnly, message: "the server accepts no writes any more; another host may")
    }

    /// Runs statements without binds, separated by semicolons; returns the result of the last one.
    func run(_ sql: String) throws(PostgresError) -> QueryResult {
        try exchange { PQsendQuery($0, sql) }
    }

    /// Sends with one of libpq's `PQsend…` functions and waits for the complete answer; returns the last result.
    func exchange(_ send: (OpaquePointer) -> Int32) throws(PostgresError) -> QueryResult {
        try begin(send)
        var last: QueryResult?
        var failure: PostgresError?
        while let result = try nextResult(after: failure) {
            switch result.status {
            case PGRES_COPY_IN, PGRES_COPY_OUT, PGRES_COPY_BOTH:
                isBroken = true
                throw PostgresError(.other, message: "COPY is not a statement; use copyOut")
            case PGRES_FATAL_ERROR, PGRES_BAD_RESPONSE:
                failure = failure ?? PostgresError(result: result.pointer)
            default: break
            }
            last = consume result
        }
        if let failure {
            if PQstatus(connection) != CONNECTION_OK { isBroken = true }
            throw failure
        }
        guard let last = last.take() else {
            isBroken = true
            throw .broken(connection)
        }
        return last
    }

    /// Sends without waiting, with a function that returns libpq's 1 for success.
    func begin(_ send: (OpaquePointer) -> Int32) throws(PostgresError) {
        guard !isBroken else { throw PostgresError(.connection, message: "the connection is closed") }
        try checkIsPrimary()
        guard send(connection) == 1 else {
            if PQstatus(connection) != CONNECTION_OK { isBroken = true }
            throw .broken(connection)
        }
    }

    /// Waits for the next result of what was sent; nil when there are no more.
    ///
    /// An error that the server sent before is thrown instead of a hang-up that follows it.
    func nextResult(after failure: PostgresError? = nil) throws(PostgresError) -> QueryResult? {
        do {
            try waitUntilReadable { PQisBusy($0) == 0 }
        } catch {
            throw failure ?? error
        }
        guard let result = PQgetResult(connection) else { return nil }
        return QueryResult(pointer: result)
    }

    /// Waits for the next chunk of a COPY; nil at its end, after which `nextResult` gives the outcome.
    func nextCopyData() throws(PostgresError) -> CopyData? {
        var buffer: UnsafeMutablePointer<CChar>?
        var count: Int32 = 0
        try waitUntilReadable {
            count = PQgetCopyData($0, &buffer, 1)
            return count != 0
        }
        guard count > 0, let buffer else { return nil }
        return CopyData(start: buffer, count: Int(count))
    }

    /// Checks without waiting whether the server closed an idle connection, or is no longer the primary.
    ///
    /// Any unsolicited message counts as a hang-up; a rare other message costs a new connection.
    func checkIsAlive() -> Bool {
        var watched = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        if poll(&watched, 1, 0) != 0 || isDemoted { isBroken = true }
        return !isBroken
    }

    /// Reads what has arrived, and returns the notifications in it; throws when the server closed the connection.
    func takeNotifications() throws(PostgresError) -> [(channel: String, payload: String)] {
        guard PQconsumeInput(connection) == 1 else {
            isBroken = true
            throw .broken(connection)
        }
        var taken: [(channel: String, payload: String)] = []
        while let notification = PQnotifies(connection) {
            taken.append(
                (String(cString: notification.pointee.relname), String(cString: notification.pointee.extra))
            )
            PQfreemem(notification)
        }
        return taken
    }

    /// Quotes text as a literal, for statements that take no binds.
    func literal(_ text: String) throws(PostgresError) -> String {
        guard let quoted = PQescapeLiteral(connection, text, text.utf8.count) else { throw .broken(connection) }
        defer { PQfreemem(quoted) }
        return String(cString: quoted)
    }

    /// Quotes an identifier, such as a channel's name.
    func identifier(_ name: String) throws(PostgresError) -> String {
        guard let quoted = PQescapeIdentifier(connection, name, name.utf8.count) else { throw .broken(connection) }
        defer { PQfreemem(quoted) }
        return String(cString: quoted)
    }

    /// A connection whose server does not answer in time, or whose caller was cancelled, is in an unknown state and is
    /// closed: a cancel request would have to wait for the server once more.
    private func waitUntilReadable(_ isReady: (OpaquePointer) -> Bool) throws(PostgresError) {
        let deadline = ContinuousClock.now + answerMax
        while true {
            let unsent = PQflush(connection)
            if unsent >= 0, isReady(connection) { return }
            let left = ContinuousClock.now.duration(to: deadline).milliseconds
            guard unsent >= 0, left > 0 else {
                isBroken = true
                guard unsent >= 0 else { throw .broken(connection) }
                throw PostgresError(.timeout, message: "the server did not answer in time")
            }
            if endsWithCaller, Task.isCancelled {
                isBroken = true
                throw PostgresError(.timeout, message: "the task was cancelled before the server answered")
            }
            let pause = endsWithCaller ? min(left, PostgresLimits.cancellationCheckInterval.milliseconds) : left
            let events = POLLIN | (unsent == 1 ? POLLOUT : 0)
            var watched = pollfd(fd: descriptor, events: Int16(events), revents: 0)
            guard poll(&watched, 1, Int32(clamping: pause)) > 0 else { continue }
            if Int32(watched.revents) & ~POLLOUT != 0, PQconsumeInput(connection) == 0 {
                isBroken = true
                // The data received before the hang-up may be a complete result; otherwise libpq's message is used.
                if isReady(connection) { return }
                throw .broken(connection)
            }
        }
    }
}

extension [String] {
    /// Passes the texts as C strings with a null pointer at the end, valid inside the body.
    func withCStrings<R>(_ body: ([UnsafeMutablePointer<CChar>?]) -> R) -> R {
        let copies = map { strdup($0) }
        defer { copies.forEach { free($0) } }
        return body(copies + [nil])
    }
}
