// Brings a database to the schema of this binary, once, whoever starts first.

public import ScoreTypes

/// The schema's history: numbered files in the binary, a table of what was applied, one advisory lock.
public enum Migrations {
    /// One step of the schema and when it was applied.
    public struct Status: Sendable, Hashable, CustomStringConvertible {
        /// The number of the step.
        public let version: Int32
        /// Its name.
        public let name: String
        /// When it was applied; nil when it was not.
        public let appliedAt: Instant?

        /// Number, name and whether it was applied.
        public var description: String {
            let number = String(version)
            let padded = String(repeating: "0", count: max(0, 4 - number.count)) + number
            return "\(padded) \(name): \(appliedAt == nil ? "not applied" : "applied")"
        }
    }

    /// Longest wait for another migrating program: its files are small.
    static let lockWaitMax = Duration.seconds(60)
    /// The lock's number; any constant that nobody else uses in this database.
    private static let lockKey: Int64 = 0x5c0e_5e7e

    /// Applies the files that are missing, each in a transaction of its own.
    ///
    /// - Throws: `MigrationError` when the schema is newer or was changed; `PostgresError` when there is no database.
    public static func apply(to info: ConnectionInfo) async throws {
        try await apply(MigrationFile.embedded, to: info)
        let pool = try await Connection.open(info, name: "migrate")
        let counts = try await pool.query(Statement("select bucket_count from meta")) { row in try row.int(0) }
        guard counts == [Int64(Bucket.count)] else {
            throw MigrationError.otherBucketCount(database: counts.first ?? 0, binary: Int64(Bucket.count))
        }
    }

    /// All known steps, oldest first, with the time of their application; changes nothing.
    public static func status(of info: ConnectionInfo) async throws -> [Status] {
        let connection = try await Connection.open(info, name: "migrate")
        let exists = try await connection.query(tableExists) { row in try row.bool(0) }
        var times: [Int32: Instant] = [:]
        if exists == [true] {
            let rows = try await connection.query(Statement("select version, applied_at from schema_migration")) {
                row in (try row.int(0), try row.timestamp(1))
            }
            for (version, time) in rows { times[Int32(clamping: version)] = time }
        }
        return MigrationFile.embedded.map {
            Status(version: $0.version, name: $0.name, appliedAt: times[$0.version])
        }
    }

    /// Undoes the newest applied step; everything that it held is lost.
    public static func revertNewest(on info: ConnectionInfo) async throws {
        try await withLock(on: info) { connection in
            try checkIsOurs(connection)
            guard let newest = try newestApplied(on: connection) else { throw MigrationError.nothingToRevert }
            try undo(newest, on: connection)
        }
    }

    /// Undoes all steps after a version, the newest first, each in a transaction of its own; what they held is lost.
    ///
    /// - Parameters:
    ///   - version: The newest step that stays; 0 for an empty database.
    ///   - info: The database.
    /// - Throws: `MigrationError` when the schema is newer or was made from other files, whose way back is another one;
    ///   when a step has no way back or fails: those undone before it stay undone.
    public static func revert(to version: Int32, on info: ConnectionInfo) async throws {
        try await withLock(on: info) { connection in
            try checkIsOurs(connection)
            while let newest = try newestApplied(on: connection), newest > version {
                try undo(newest, on: connection)
            }
        }
    }

    /// Throws unless each applied step was made from the file of this binary.
    private static func checkIsOurs(_ connection: isolated Connection) throws {
        _ = try missing(of: MigrationFile.embedded, on: connection)
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

    private static func undo(_ version: Int32, on connection: isolated Connection) throws {
        let file = MigrationFile.embedded.first { $0.version == version }
        guard let file, let down = file.down else { throw MigrationError.nothingToRevert }
        try step(file, connection) { connection in
            try connection.script(embedded: down)
            try connection.execute(
                Statement("delete from schema_migration where version = $1"),
                [.integer(version)]
            )
        }
    }

    /// For tests of single steps.
    static func apply(upTo version: Int32, to info: ConnectionInfo) async throws {
        try await apply(MigrationFile.embedded.filter { $0.version <= version }, to: info)
    }

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

    private static func step(
        _ file: MigrationFile,
        _ connection: isolated Connection,
        _ body: @Sendable (isolated Connection) throws -> Void
    ) throws {
        do {
            try connection.withTransaction { connection in
                // A step that waits behind readers makes everybody behind it wait too: rather fail and be run again.
                try connection.script("set local lock_timeout = '2s'")
                try body(connection)
            }
        } catch let error as PostgresError {
            throw MigrationError.failed(version: file.version, name: file.name, reason: error.message)
        }
    }

    private static func withLock(
        on info: ConnectionInfo,
        _ body: @Sendable (isolated Connection) throws -> Void
    ) async throws {
        let connection = try await Connection.open(info, name: "migrate", statementTimeout: nil)
        let deadline = ContinuousClock.now + lockWaitMax
        while try await connection.query(tryLock, [.int(lockKey)], decode: { row in try row.bool(0) }) != [true] {
            guard ContinuousClock.now < deadline else { throw MigrationError.lockHeld(lockWaitMax) }
            try await Task.sleep(for: .milliseconds(100))
        }
        // The lock belongs to the session and goes with it.
        do {
            try await connection.script(table)
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
