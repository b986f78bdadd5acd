// One libpq connection in non-blocking mode, so that every wait for the server has a deadline of ours.

internal import CPostgres
internal import Glibc
internal import ScoreTypes

/// A libpq connection, confined to the thread that opened it.
final class Session {
    /// How long opening may take, in seconds: a host that does not answer by then is down for our purposes.
    static let openingSecondsMax = 3
    /// What the server is given beyond its own statement timeout before the connection counts as dead.
    static let answerGrace = Duration.seconds(1)
    /// How often the wait for a statement of somebody who may leave looks whether they have.
    static let callerLookInterval = Duration.milliseconds(100)
    /// How often a busy server looks whether we have hung up; what nobody waits for any more it then rolls back.
    static let hangUpLookInterval = Duration.milliseconds(500)
    /// Deadline of statements without a timeout of their own (migrations, bulk reads): a stuck one must end some time.
    static let unlimitedAnswerMax = Duration.seconds(3600)

    private let connection: OpaquePointer
    private let answerMax: Duration
    /// Whether a statement ends with the task that waits for it.
    private let endsWithCaller: Bool
    /// Whether several hosts were named, of which the one that takes writes is wanted.
    private let seeksPrimary: Bool
    private(set) var isBroken = false

    /// Connects and sets the session's limits.
    ///
    /// - Parameters:
    ///   - info: Server, login and database.
    ///   - name: Shown in `pg_stat_activity`.
    ///   - statementTimeout: The server ends longer statements; nil for none.
    ///   - idleTimeout: The server ends transactions that nobody goes on with for longer.
    ///   - endsWithCaller: Whether the connection is given up when the task is cancelled that waits for a statement.
    /// - Throws: `PostgresError` of kind `connection`.
    init(
        _ info: ConnectionInfo,
        name: String,
        statementTimeout: Duration?,
        idleTimeout: Duration = Connection.idleTimeoutDefault,
        endsWithCaller: Bool = false
    ) throws(PostgresError) {
        guard let parsed = info.parsed() else {
            throw PostgresError(
                .connection,
                message: "the connection string is not readable: expected key=value pairs or postgresql://…"
            )
        }
        // Before the string stand defaults that it may override, after it what it may not.
        var options: [(String, String)] = [
            ("connect_timeout", String(Self.openingSecondsMax)),
            ("tcp_user_timeout", "5000"), ("keepalives_idle", "5"), ("keepalives_interval", "2"),
            ("keepalives_count", "2"),
            ("dbname", info.conninfo),
            ("application_name", name), ("client_encoding", "UTF8"),
        ]
        if let database = info.databaseName { options.append(("dbname", database)) }
        // Of several hosts one is the primary, and which one changes with a failover.
        seeksPrimary = parsed["host"]?.contains(",") == true
        if seeksPrimary { options.insert(("target_session_attrs", "read-write"), at: 0) }
        let opened = Self.withCStrings(options.map(\.0)) { keywords in
            Self.withCStrings(options.map(\.1)) { values in PQconnectdbParams(keywords, values, 1) }
        }
        guard let opened else { throw PostgresError(.connection, message: "out of memory") }
        connection = opened
        self.endsWithCaller = endsWithCaller
        answerMax = statementTimeout.map { $0 + Self.answerGrace } ?? Self.unlimitedAnswerMax
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
        // A server on a system that cannot tell refuses; its statement timeout still ends what was left behind.
        _ = try? run("set client_connection_check_interval = \(Self.hangUpLookInterval.milliseconds)")
    }

    deinit { PQfinish(connection) }

    /// The socket, for polling beside other descriptors.
    var descriptor: Int32 { PQsocket(connection) }

    /// Whether the server left a transaction open on this connection.
    var isInTransaction: Bool { PQtransactionStatus(connection) != PQTRANS_IDLE }

    /// Whether the server has stopped taking writes while another host may: one that only reads here has to go there.
    ///
    /// From version 14 on the server tells both settings unasked, with the first answer after they changed.
    var isDemoted: Bool {
        guard seeksPrimary else { return false }
        return ["in_hot_standby", "default_transaction_read_only"].contains { setting in
            guard let value = PQparameterStatus(connection, setting) else { return false }
            return String(cString: value) == "on"
        }
    }

    /// Gives a demoted server up, except inside of a transaction, which is to end as it can.
    func checkIsPrimary() throws(PostgresError) {
        guard isDemoted, !isInTransaction else { return }
        isBroken = true
        throw PostgresError(.readOnly, message: "the server takes no writes any more; another host may")
    }

    /// Runs statements without binds and returns the last one's result.
    func run(_ sql: String) throws(PostgresError) -> QueryResult {
        try exchange { PQsendQuery($0, sql) }
    }

    /// Sends with one of libpq's `PQsend…` calls and waits for the whole answer.
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

    /// Sends without waiting.
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
    /// What the server has said already, `failure`, tells more than a hang-up that follows it.
    func nextResult(after failure: PostgresError? = nil) throws(PostgresError) -> QueryResult? {
        do {
            try waitUntilReadable { PQisBusy($0) == 0 }
        } catch {
            throw failure ?? error
        }
        guard let result = PQgetResult(connection) else { return nil }
        return QueryResult(pointer: result)
    }

    /// Waits for the next chunk of a COPY; nil at its end, after which `nextResult` tells how it went.
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

    /// Looks, without waiting, whether the server hung up while the connection lay idle, or is no primary any more.
    ///
    /// A server that speaks unasked says farewell; the rare other message costs a new connection.
    func checkIsAlive() -> Bool {
        var watched = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        if poll(&watched, 1, 0) != 0 || isDemoted { isBroken = true }
        return !isBroken
    }

    /// Takes what has arrived and returns the notifications in it; throws when the server hung up.
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

    /// Quotes a name, such as a channel's.
    func identifier(_ name: String) throws(PostgresError) -> String {
        guard let quoted = PQescapeIdentifier(connection, name, name.utf8.count) else { throw .broken(connection) }
        defer { PQfreemem(quoted) }
        return String(cString: quoted)
    }

    /// A connection whose server does not answer in time, or whose caller has left, has an unknown state and is given
    /// up: to ask the server to cancel would be to wait for it once more.
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
                throw PostgresError(.timeout, message: "the caller has left before the server answered")
            }
            let pause = endsWithCaller ? min(left, Self.callerLookInterval.milliseconds) : left
            let events = POLLIN | (unsent == 1 ? POLLOUT : 0)
            var watched = pollfd(fd: descriptor, events: Int16(events), revents: 0)
            guard poll(&watched, 1, Int32(clamping: pause)) > 0 else { continue }
            if Int32(watched.revents) & ~POLLOUT != 0, PQconsumeInput(connection) == 0 {
                isBroken = true
                // What the server said before it hung up is a result still; without one libpq's text counts.
                if isReady(connection) { return }
                throw .broken(connection)
            }
        }
    }

    private static func withCStrings<R>(
        _ texts: [String],
        _ body: (UnsafePointer<UnsafePointer<CChar>?>?) -> R
    ) -> R {
        let copies = texts.map { strdup($0) }
        defer { copies.forEach { free($0) } }
        let pointers = copies.map { UnsafePointer($0) } + [nil]
        return pointers.withUnsafeBufferPointer { body($0.baseAddress) }
    }
}
