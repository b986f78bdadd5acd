// Migrations are applied once, in order, and undone in reverse; a schema of other files is refused.
import ScoreTypes
import TestSupport
import Testing

@testable import Postgres

/// The rules of migrations, on three small ones.
struct MigrationTests {
    private static let files = [
        MigrationFile(
            version: 1,
            name: "ground",
            up: "create table ground (name text primary key)",
            down: "drop table ground"
        ),
        MigrationFile(
            version: 2,
            name: "capacity",
            up: "alter table ground add column capacity integer not null default 0",
            down: "alter table ground drop column capacity"
        ),
        MigrationFile(
            version: 3,
            name: "large_grounds",
            up: """
                create index ground_by_capacity on ground (capacity) where capacity > 30000;
                create view large_ground as select name from ground where capacity > 30000
                """,
            down: "drop view large_ground; drop index ground_by_capacity"
        ),
    ]

    @Test func eachMigrationIsAppliedOnceAndInOrder() async throws {
        let info = try await SchemaText.emptyDatabase()
        try await Migrations.apply(Array(Self.files.prefix(1)), to: info)
        #expect(try await applied(in: info) == [true, false, false])
        try await Migrations.apply(Self.files, to: info)
        #expect(try await applied(in: info) == [true, true, true])
        let before = try await Migrations.status(of: Self.files, in: info)
        try await Migrations.apply(Self.files, to: info)
        #expect(try await Migrations.status(of: Self.files, in: info) == before)
        let lines = ["0001 ground: applied", "0002 capacity: applied", "0003 large_grounds: applied"]
        #expect(before.map(\.description) == lines)
    }

    @Test func severalProgramsMayMigrateAtOnce() async throws {
        let info = try await SchemaText.emptyDatabase()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<4 { group.addTask { try await Migrations.apply(Self.files, to: info) } }
            try await group.waitForAll()
        }
        #expect(try await applied(in: info) == [true, true, true])
    }

    @Test func undoingAMigrationRestoresTheSchemaBeforeIt() async throws {
        let info = try await SchemaText.emptyDatabase()
        var schemas: [[String]] = []
        for count in 0...Self.files.count {
            try await Migrations.apply(Array(Self.files.prefix(count)), to: info)
            schemas.append(try await SchemaText.read(info))
        }
        #expect(Set(schemas).count == 4)
        for version in [2, 1, 0] {
            try await Migrations.revert(Self.files, to: Int32(version), on: info)
            #expect(try await SchemaText.read(info) == schemas[version], "after going back to \(version)")
        }
        try await Migrations.apply(Self.files, to: info)
        try await Migrations.revert(Self.files, to: 0, on: info)
        #expect(try await SchemaText.read(info) == schemas[0])
    }

    @Test("P13: a migration that fails is rolled back and keeps those before it")
    func aMigrationThatFailsIsRolledBackAndKeepsThoseBeforeIt() async throws {
        let info = try await SchemaText.emptyDatabase()
        let broken = MigrationFile(version: 2, name: "broken", up: "create table half (); select missing", down: nil)
        let failure = await #expect(throws: MigrationError.self) {
            try await Migrations.apply([Self.files[0], broken], to: info)
        }
        #expect(failure?.description.hasPrefix("migration 2 (broken) failed and was rolled back:") == true)
        #expect(try await applied(in: info) == [true, false, false])
        #expect(try await SchemaText.read(info).allSatisfy { !$0.contains("half") })
    }

    @Test func aMigrationWaitsForALockInSeveralAttempts() async throws {
        let info = try await SchemaText.emptyDatabase()
        try await Migrations.apply(Array(Self.files.prefix(1)), to: info)
        let other = try await Connection.open(info, name: "other")
        try await other.script("begin; lock table ground in share mode")
        let migrating = Task { try await Migrations.apply(Self.files, to: info) }
        // The transactions of a migration that waits for the lock.
        let waiting = Statement(
            """
            select xact_start::text from pg_stat_activity where datname = current_database()
            and application_name = 'migrate' and wait_event_type = 'Lock'
            """
        )
        let pool = Pool(info, size: 1, name: "look")
        var attempts: Set<String> = []
        try await eventually("a second attempt waits") {
            attempts.formUnion(try await pool.query(waiting) { try $0.text(0) })
            return attempts.count == 2
        }
        try await other.script("commit")
        try await migrating.value
        #expect(try await applied(in: info) == [true, true, true])
        await other.close()
        await pool.close()
    }

    @Test func aMigrationWithoutADownFileIsNotUndone() async throws {
        let info = try await SchemaText.emptyDatabase()
        let kept = MigrationFile(version: 2, name: "kept", up: "create table kept ()", down: nil)
        try await Migrations.apply([Self.files[0], kept], to: info)
        await #expect(throws: MigrationError.notReversible(version: 2)) {
            try await Migrations.revert([Self.files[0], kept], to: 0, on: info)
        }
        #expect(try await applied(in: info) == [true, true, false])
    }

    @Test("P13, H16: a changed and a newer schema are not migrated")
    func aChangedAndANewerSchemaAreNotMigrated() async throws {
        let info = try await SchemaText.emptyDatabase()
        try await Migrations.apply(Self.files, to: info)
        await #expect(throws: MigrationError.newerSchema(database: 3, binary: 2)) {
            try await Migrations.apply(Array(Self.files.prefix(2)), to: info)
        }
        try await change(info, "update schema_migration set checksum = 'x' where version = 1")
        await #expect(throws: MigrationError.changedFile(version: 1, name: "ground")) {
            try await Migrations.apply(Self.files, to: info)
        }
    }

    /// The down file of another migration leads to a schema that no program knows.
    @Test func aSchemaOfOtherFilesIsNotUndone() async throws {
        let info = try await SchemaText.emptyDatabase()
        try await Migrations.apply(Self.files, to: info)
        let before = try await SchemaText.read(info)
        try await change(info, "update schema_migration set checksum = 'x' where version = 3")
        for version: Int32 in [2, 0] {
            await #expect(throws: MigrationError.changedFile(version: 3, name: "large_grounds")) {
                try await Migrations.revert(Self.files, to: version, on: info)
            }
        }
        try await change(info, "insert into schema_migration values (9000, 'later', 'x')")
        await #expect(throws: MigrationError.newerSchema(database: 9000, binary: 3)) {
            try await Migrations.revert(Self.files, to: 0, on: info)
        }
        #expect(try await SchemaText.read(info) == before)
    }

    @Test func upAndDownFilesArePairedByNumberAndName() {
        let found = MigrationFile.pair([
            (name: "0010_b.up.sql", sql: "b"), (name: "0002_a.down.sql", sql: "not a"),
            (name: "0002_a.up.sql", sql: "a"), (name: "README.md", sql: ""), (name: "draft.up.sql", sql: ""),
        ])
        #expect(
            found == [
                MigrationFile(version: 2, name: "a", up: "a", down: "not a"),
                MigrationFile(version: 10, name: "b", up: "b", down: nil),
            ]
        )
    }

    private func applied(in info: ConnectionInfo) async throws -> [Bool] {
        try await Migrations.status(of: Self.files, in: info).map { $0.appliedAt != nil }
    }

    private func change(_ info: ConnectionInfo, _ sql: StaticString) async throws {
        let connection = try await Connection.open(info, name: "change")
        try await connection.script(sql)
        await connection.close()
    }
}
