// Every bound of this target in one place: value, unit, reason, and what happens when it is reached.

/// The bounds of connections, pools, membership, listeners and the private cluster; all durations are real time.
public enum PostgresLimits {
    // MARK: Connections

    /// Seconds to open a connection to one host; then the next host is tried, or the attempt fails.
    static let connectSeconds = 3
    /// Time of one statement of a node's own work, which has no waiting caller and may read a page of rows; then the
    /// server cancels it.
    public static let statementTimeout = Duration.seconds(5)
    /// Pause inside a transaction, whose node is then stopped or gone while others wait for its locks; then the server
    /// ends the connection.
    public static let idleInTransactionTimeout = Duration.seconds(10)
    /// Time beyond the statement timeout for the server's answer; then the connection counts as broken.
    static let answerGrace = Duration.seconds(1)
    /// Time of a statement without a timeout of its own (migrations, bulk reads); then the connection counts as broken.
    static let untimedStatement = Duration.seconds(3600)
    /// Interval at which a wait for a statement checks whether its task was cancelled.
    static let cancellationCheckInterval = Duration.milliseconds(100)
    /// Interval at which a busy server checks whether the client has closed the connection, and then rolls back.
    static let clientCheckInterval = Duration.milliseconds(500)

    // MARK: Pools

    /// Callers that may wait for a connection at a time: beyond it the database is overloaded, and they are refused.
    public static let poolWaiters = 1024
    /// Time that one caller waits for a connection; then it is refused.
    public static let poolWait = Duration.seconds(2)
    /// Attempts at a transaction that conflicts with another one; then the conflict is thrown.
    static let transactionAttempts = 3
    /// Longest pause before the second attempt; twice that before the third.
    ///
    /// The other transaction takes a few milliseconds. The pause is random, so that the same two do not conflict again.
    static let transactionRetryPause = Duration.milliseconds(10)
    /// Pause between two checks of `Pool.passed(mark:within:)`; a transaction with a full batch takes about that long.
    static let markCheckPause = Duration.milliseconds(5)

    // MARK: Membership

    /// Connections of a membership: two, so that renewals do not wait behind claims.
    static let membershipConnections = 2
    /// Time of one statement of a membership; then the server cancels it, and the renewal is repeated.
    static let membershipStatementTimeout = Duration.seconds(2)
    /// Lifetime of a term after its last renewal, unless given; then other nodes take over.
    public static let termLifetime = Duration.seconds(3)
    /// Part of the lifetime in which the node itself no longer acts: the time that a write takes to reach PostgreSQL.
    static let termMargin = Duration.milliseconds(500)
    /// Pause after a failed renewal: four attempts fit between two regular renewals.
    static let renewalRetryPause = Duration.milliseconds(250)

    // MARK: Listeners

    /// Notifications buffered for a slow reader; the oldest is dropped, since each is only a hint to read the tables.
    public static let bufferedNotifications = 1024
    /// Time without notifications after which the server is queried: whether it answers and is still the primary.
    public static let listenerSilence = Duration.seconds(30)
    /// First pause before a reconnection; it doubles, so that an unreachable server is not flooded.
    static let reconnectPauseShortest = Duration.milliseconds(100)
    /// Longest pause before a reconnection.
    static let reconnectPauseLongest = Duration.seconds(2)

    // MARK: Migrations

    /// Time to wait for another program that migrates the database, which takes less than a second a file; then the
    /// migration fails.
    static let migrationLockWait = Duration.seconds(60)
    /// Pause between two attempts to get the lock of migrations.
    static let migrationLockPause = Duration.milliseconds(100)
    /// Time in which a statement of a migration gets the lock of a table: longer waits would block the table's readers.
    static let migrationTableLockWait = Duration.seconds(2)
    /// Attempts of a migration that met a deadlock with other programs or did not get a lock in time; then it fails.
    static let migrationAttempts = 5
    /// Pause between two such attempts.
    static let migrationAttemptPause = Duration.milliseconds(200)

    // MARK: Private cluster

    /// Oldest major version of PostgreSQL whose SQL the schema uses; older programs are not found.
    static let serverMajorOldest = 15
    /// Connections of the server: a node has 22 at most, so that four fit beside an operator's psql; the server refuses
    /// further ones.
    static let serverConnections = 100
    /// Shared buffers in megabytes: a quarter of the memory within these bounds.
    ///
    /// A million activities with their keys take 500 MB. The system assigns the memory page by page as it is used.
    static let sharedBuffersMegabytes = 128...2048
    /// Bytes of the path of a Unix socket without its terminator (unix(7)); a folder with a longer path is refused.
    static let socketPathBytes = 107
    /// Bytes of the log at which a start begins a new file; one old file is kept.
    static let logBytes = 16 * 1024 * 1024
    /// Bytes at the end of the log that are searched for the reason of a failed start.
    static let logTailBytes = 4096
    /// Bytes of output kept from a program that runs to its end; its first lines state the error.
    static let programOutputBytes = 16 * 1024
    /// Time of a start, with the recovery of 4 GB of WAL on a slow disk, which takes two minutes; then it fails.
    static let serverStart = Duration.seconds(180)
    /// Time of an orderly stop; then the server gets SIGQUIT, and recovers at its next start.
    static let serverStop = Duration.seconds(20)
    /// Time to wait for a server that a former owner is stopping; then the start fails.
    static let serverHandover = Duration.seconds(15)
    /// Pause in microseconds between two checks of a process, which sends no notification.
    static let processCheckMicroseconds: UInt32 = 20_000
}
