// The schema of `sql/` loads, is undone completely, and has the storage settings that its write load needs.
import ScoreTypes
import TestSupport
import Testing

@testable import Postgres

struct SchemaTests {
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
        // Four tables are partitioned into eight ranges of buckets.
        #expect(parts == [32])
    }

    /// As `serve` starts with the login of docs/operations.md, which owns nothing and creates nothing.
    @Test func aLoginThatMayCreateNothingFindsTheSchemaComplete() async throws {
        let info = try await ScratchDatabase.make()
        let owner = try await Connection.open(info, name: "owner")
        try await owner.script(
            """
            revoke create on schema public from public;
            do $$ begin execute format('alter database %I set role = score_server', current_database()); end $$
            """
        )
        await owner.close()
        let login = try await Connection.open(info, name: "login")
        await #expect(throws: PostgresError.self) { try await login.script("create table extra (n integer)") }
        await login.close()
        try await Migrations.apply(to: info)
        #expect(try await Migrations.status(of: info).allSatisfy { $0.appliedAt != nil })
    }

    @Test func undoingTheSchemaRemovesAllAndItLoadsAgain() async throws {
        let info = try await ScratchDatabase.make()
        let before = try await SchemaText.read(info)
        try await Migrations.revert(to: 0, on: info)
        #expect(try await Migrations.status(of: info).allSatisfy { $0.appliedAt == nil })
        #expect(try await SchemaText.read(info).allSatisfy { $0.contains("schema_migration") })
        try await Migrations.apply(to: info)
        #expect(try await SchemaText.read(info) == before)
    }

    @Test func aDatabaseOfAnotherBucketCountIsRefused() async throws {
        let info = try await ScratchDatabase.make()
        let connection = try await Connection.open(info, name: "buckets")
        try await connection.script("update meta set bucket_count = 256")
        await #expect(throws: MigrationError.otherBucketCount(database: 256, binary: 1024)) {
            try await Migrations.apply(to: info)
        }
    }

    /// The default, a fifth of a table, is a million dead rows in a partition of `activity`.
    @Test func tablesThatChangeWithEveryBallAreVacuumedEarly() async throws {
        let connection = try await Connection.open(try await ScratchDatabase.make(), name: "look")
        let rows = try await connection.query(
            Statement(
                """
                select p.relname || ': ' || coalesce(array_to_string(c.reloptions, ' '), '')
                from pg_inherits i join pg_class c on c.oid = i.inhrelid join pg_class p on p.oid = i.inhparent
                where p.relname in ('activity', 'fanout') order by p.relname
                """
            )
        ) { try $0.text(0) }
        let activity = "activity: fillfactor=85 autovacuum_vacuum_scale_factor=0.02"
        let fanout = "fanout: fillfactor=50 autovacuum_vacuum_scale_factor=0.01"
        #expect(rows == Array(repeating: activity, count: 8) + Array(repeating: fanout, count: 8))
        await connection.close()
    }
}

/// Databases for tests of migrations, and their schemas as text.
enum SchemaText {
    /// A database without any table of the schema.
    static func emptyDatabase() async throws -> ConnectionInfo {
        let info = try await ScratchDatabase.make()
        try await Migrations.revert(to: 0, on: info)
        return info
    }

    /// Columns, constraints, indexes, views and sequences as text, sorted.
    static func read(_ info: ConnectionInfo) async throws -> [String] {
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
            union all
            select format('%s %s %s', relname, relkind, reloptions) from pg_class
            where relnamespace = 'public'::regnamespace and relkind in ('r', 'p', 'S')
            union all
            select format('%s %s', viewname, definition) from pg_views where schemaname = 'public'
            order by 1
            """
        )
        return try await connection.query(statement) { try $0.text(0) }
    }
}
