// Proves that the schema loads once, that it is the schema, and that a foreign one is refused with the way out.
import ScoreTypes
import Testing

@testable import Postgres

struct MigrationTests {
    @Test func theSchemaLoadsAndASecondRunChangesNothing() async throws {
        let info = try await ScratchDatabase.make()
        let before = try await Migrations.status(of: info)
        #expect(before.first?.version == 1)
        #expect(before.allSatisfy { $0.appliedAt != nil })
        try await Migrations.apply(to: info)
        #expect(try await Migrations.status(of: info) == before)
        let connection = try await Connection.open(info, name: "look")
        let parts = try await connection.query(
            Statement("select count(*) from pg_class where relispartition and relkind = 'r'")
        ) { try $0.int(0) }
        // Four tables are cut into eight ranges of buckets.
        #expect(parts == [32])
    }

    @Test func manyProgramsMayMigrateAtOnce() async throws {
        let info = try await emptied()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<4 { group.addTask { try await Migrations.apply(to: info) } }
            try await group.waitForAll()
        }
        #expect(try await Migrations.status(of: info).allSatisfy { $0.appliedAt != nil })
    }

    @Test func everyStepBackLeadsToTheSchemaBeforeIt() async throws {
        let info = try await ScratchDatabase.make()
        var before: [Int32: [String]] = [:]
        let versions = try await Migrations.status(of: info).map(\.version)
        for version in versions.reversed() {
            before[version] = try await schema(of: info)
            try await Migrations.revert(to: version - 1, on: info)
        }
        for version in versions {
            try await Migrations.apply(upTo: version, to: info)
            #expect(try await schema(of: info) == before[version], "going down and up again at \(version)")
        }
        await #expect(throws: MigrationError.self) {
            try await Migrations.revert(to: 0, on: info)
            try await Migrations.revertNewest(on: info)
        }
    }

    @Test func aChangedAndANewerSchemaAreRefused() async throws {
        let info = try await ScratchDatabase.make()
        let connection = try await Connection.open(info, name: "change")
        try await connection.script("insert into schema_migration values (9000, 'later', 'x')")
        let newer = await #expect(throws: MigrationError.self) { try await Migrations.apply(to: info) }
        #expect(newer?.description.contains("schema version 9000") == true)
        try await connection.script("delete from schema_migration where version = 9000")
        try await connection.script("update schema_migration set checksum = 'x' where version = 1")
        let changed = await #expect(throws: MigrationError.self) { try await Migrations.apply(to: info) }
        #expect(changed == .changedFile(version: 1, name: "init"))
    }

    /// What is undone by another file's way back is neither the old schema nor the new one.
    @Test func aSchemaOfOtherFilesIsNotUndone() async throws {
        let info = try await ScratchDatabase.make()
        let connection = try await Connection.open(info, name: "change")
        let newest = try #require(try await Migrations.status(of: info).last)
        try await connection.execute(
            Statement("update schema_migration set checksum = 'x' where version = $1"),
            [.integer(newest.version)]
        )
        let before = try await schema(of: info)
        let refused = MigrationError.changedFile(version: newest.version, name: newest.name)
        await #expect(throws: refused) { try await Migrations.revertNewest(on: info) }
        await #expect(throws: refused) { try await Migrations.revert(to: 0, on: info) }
        try await connection.script("insert into schema_migration values (9000, 'later', 'x')")
        await #expect(throws: MigrationError.newerSchema(database: 9000, binary: newest.version)) {
            try await Migrations.revert(to: 0, on: info)
        }
        #expect(try await schema(of: info) == before)
    }

    @Test func anotherBucketCountIsRefused() async throws {
        let info = try await ScratchDatabase.make()
        let connection = try await Connection.open(info, name: "buckets")
        try await connection.script("update meta set bucket_count = 256")
        let error = await #expect(throws: MigrationError.self) { try await Migrations.apply(to: info) }
        #expect(error == .otherBucketCount(database: 256, binary: 1024))
    }

    /// Down and up again: what is undone leaves nothing that could stand in the way.
    private func emptied() async throws -> ConnectionInfo {
        let info = try await ScratchDatabase.make()
        try await Migrations.revert(to: 0, on: info)
        #expect(try await Migrations.status(of: info).allSatisfy { $0.appliedAt == nil })
        return info
    }

    /// Columns, constraints and indexes of all tables, as text.
    private func schema(of info: ConnectionInfo) async throws -> [String] {
        let connection = try await Connection.open(info, name: "look")
        let statement = Statement(
            """
            select format('%s.%s %s %s %s', c.relname, a.attname, format_type(a.atttypid, a.atttypmod), a.attnotnull,
                          a.attstorage)
            from pg_attribute a join pg_class c on c.oid = a.attrelid
            where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and a.attnum > 0
              and not a.attisdropped
            union all
            select format('%s %s', conrelid::regclass, pg_get_constraintdef(oid)) from pg_constraint
            where connamespace = 'public'::regnamespace
            union all
            select indexdef from pg_indexes where schemaname = 'public'
            order by 1
            """
        )
        return try await connection.query(statement) { try $0.text(0) }
    }
}
