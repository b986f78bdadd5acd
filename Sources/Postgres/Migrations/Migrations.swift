// Migrates a database to the schema of this binary, once, whichever of several programs starts first.

public import ScoreTypes

/// The migrations of the schema: numbered files in the binary, a table of the applied ones, one advisory lock.
public enum Migrations {
    /// One migration and when it was applied.
    public struct Status: Sendable, Hashable, CustomStringConvertible {
        /// The number of the migration.
        public let version: Int32
        /// The part of its file name between number and suffix.
        public let name: String
        /// When it was applied; nil when it was not.
        public let appliedAt: Instant?

        /// Number of four digits, name, and whether it was applied.
        public var description: String {
            let number = String(version)
            let padded = String(repeating: "0", count: max(0, 4 - number.count)) + number
            return "\(padded) \(name): \(appliedAt == nil ? "not applied" : "applied")"
        }
    }

    /// The number of the advisory lock: constant, and used for nothing else in this database.
    private static let lockKey: Int64 = 0x5c0e_5e7e

    /// Applies the migrations that are missing, each in a transaction of its own.
    ///
    /// - Parameter info: The database.
    /// - Throws: `MigrationError`; `PostgresError` when the database cannot be reached.
    public static func apply(to info: ConnectionInfo) async throws {
        try await apply(MigrationFile.embedded, to: info)
        let connection = try await Connection.open(info, name: "migrate")
        let counts = try await connection.query(Statement("select bucket_count from meta")) { row in try row.int(0) }
        guard counts == [Int64(Bucket.count)] else {
            throw MigrationError.otherBucketCount(database: counts.first ?? 0, binary: Int64(Bucket.count))
        }
    }

    /// The migrations of this binary and whether each is applied; changes nothing.
    ///
    /// - Parameter info: The database.
    /// - Returns: One status a migration, oldest first.
    /// - Throws: `PostgresError`.
    public static func status(of info: ConnectionInfo) async throws -> [Status] {
        try await status(of: MigrationFile.embedded, in: info)
    }

    /// Undoes the migrations after a version, the newest first, each in a transaction of its own; their data is lost.
    ///
    /// - Parameters:
    ///   - version: The newest migration that stays; 0 for an empty database.
    ///   - info: The database.
    /// - Throws: `MigrationError` when the schema is newer, was created from other files, or a migration cannot be
    ///   undone: those undone before it stay undone; `PostgresError` when the database cannot be reached.
    public static func revert(to version: Int32, on info: ConnectionInfo) async throws {
        try await revert(MigrationFile.embedded, to: version, on: info)
    }

    /// As `apply(to:)`, with given files.
    static func apply(_ files: [MigrationFile], to info: ConnectionInfo) async throws {
        try await withLock(on: info) { connection in
            for (file, checksum) in try missing(of: files, on: connection) {
                try step(file, connection) { connection in
                    try connection.script(embedded: file.up)
                    try connection.execute(
                        Statement("insert into schema_migration (version, name, checksum) values ($1, $2, $3)"),
                        [.integer(file.version), .text(file.name), .text(checksum)]
                    )
                }
            }
        }
    }

    /// As `status(of:)`, with given files.
    static func status(of files: [MigrationFile], in info: ConnectionInfo) async throws -> [Status] {
        let connection = try await Connection.open(info, name: "migrate")
        let exists = try await connection.query(tableExists) { row in try row.bool(0) }
        var times: [Int32: Instant] = [:]
        if exists == [true] {
            let rows = try await connection.query(Statement("select version, applied_at from schema_migration")) {
                row in (try row.int(0), try row.timestamp(1))
            }
            for (version, time) in rows { times[Int32(clamping: version)] = time }
        }
        return files.map { Status(version: $0.version, name: $0.name, appliedAt: times[$0.version]) }
    }

    /// As `revert(to:on:)`, with given files.
    static func revert(_ files: [MigrationFile], to version: Int32, on info: ConnectionInfo) async throws {
        try await withLock(on: info) { connection in
            // Throws unless each applied migration was created from a file of this binary.
            _ = try missing(of: files, on: connection)
            while let newest = try newestApplied(on: connection), newest > version {
                try undo(newest, of: files, on: connection)
            }
        }
    }

    private static func missing(
        of files: [MigrationFile],
        on connection: isolated Connection
    ) throws -> [(file: MigrationFile, checksum: String)] {
        let summed = try files.map { (file: $0, checksum: try checksum(of: $0, connection)) }
        let applied = try connection.query(Statement("select version, checksum from schema_migration")) { row in
            MigrationPlan.Applied(version: Int32(clamping: try row.int(0)), checksum: try row.text(1))
        }
        return try MigrationPlan.missing(files: summed, applied: applied)
    }

    private static func newestApplied(on connection: isolated Connection) throws -> Int32? {
        try connection.query(Statement("select max(version) from schema_migration")) { row in
            try row.intIfPresent(0).map { Int32(clamping: $0) }
        }.first ?? nil
    }

    private static func undo(
        _ version: Int32,
        of files: [MigrationFile],
        on connection: isolated Connection
    ) throws {
        guard let file = files.first(where: { $0.version == version }), let down = file.down else {
            throw MigrationError.notReversible(version: version)
        }
        try step(file, connection) { connection in
            try connection.script(embedded: down)
            try connection.execute(
                Statement("delete from schema_migration where version = $1"),
                [.integer(version)]
            )
        }
    }

    private static func step(
        _ file: MigrationFile,
        _ connection: isolated Connection,
        _ body: @Sendable (isolated Connection) throws -> Void
    ) throws {
        for attempt in 1... {
            do {
                return try connection.withTransaction { connection in
                    let wait = PostgresLimits.migrationTableLockWait.milliseconds
                    try connection.execute(boundTableLocks, [.text("\(wait)")])
                    try body(connection)
                }
            } catch let error as PostgresError {
                // The programs that use the tables go on meanwhile, and need their locks for milliseconds.
                let isInTheWay = error.kind == .serialization || error.kind == .timeout
                guard isInTheWay, attempt < PostgresLimits.migrationAttempts else {
                    throw MigrationError.failed(version: file.version, name: file.name, reason: error.message)
                }
                let pause = PostgresLimits.migrationAttemptPause
                try connection.execute(sleep, [.double(Double(pause.milliseconds) / 1_000)])
            }
        }
    }

    private static func withLock(
        on info: ConnectionInfo,
        _ body: @Sendable (isolated Connection) throws -> Void
    ) async throws {
        let connection = try await Connection.open(info, name: "migrate", statementTimeout: nil)
        let deadline = ContinuousClock.now + PostgresLimits.migrationLockWait
        while try await connection.query(tryLock, [.int(lockKey)], decode: { row in try row.bool(0) }) != [true] {
            guard ContinuousClock.now < deadline else {
                throw MigrationError.lockHeld(PostgresLimits.migrationLockWait)
            }
            try await Task.sleep(for: PostgresLimits.migrationLockPause)
        }
        // The lock belongs to the session and ends with it.
        do {
            // PostgreSQL checks the right to create before `if not exists`, and a node's login may lack it.
            let exists = try await connection.query(tableExists) { row in try row.bool(0) }
            if exists != [true] { try await connection.script(table) }
            try await run(body, on: connection)
        } catch {
            await connection.close()
            throw error
        }
        await connection.close()
    }

    private static func run(
        _ body: @Sendable (isolated Connection) throws -> Void,
        on connection: isolated Connection
    ) throws {
        try body(connection)
    }

    private static func checksum(of file: MigrationFile, _ connection: isolated Connection) throws -> String {
        try connection.query(Statement("select encode(sha256($1), 'hex')"), [.bytes(Array(file.up.utf8))]) { row in
            try row.text(0)
        }.first ?? ""
    }

    private static let boundTableLocks = Statement("select set_config('lock_timeout', $1, true)")
    private static let sleep = Statement("select pg_sleep($1)")
    private static let tryLock = Statement("select pg_try_advisory_lock($1)")
    private static let tableExists = Statement("select to_regclass('schema_migration') is not null")
    private static let table: StaticString = """
        create table if not exists schema_migration (
            version    integer primary key,
            name       text not null,
            checksum   text not null,
            applied_at timestamptz not null default now()
        )
        """
}
