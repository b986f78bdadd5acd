// Disk, log and dead rows are read from PostgreSQL's own counters.

import Postgres
import ScoreTypes

/// Reads the sizes of the tables of an audience.
struct AudienceMeter: Sendable {
    /// The bytes of the tables and of their indexes.
    struct Sizes: Sendable {
        var tables: Int64
        var indexes: Int64
        /// Of the table `activity` alone.
        var activity: Int64
        /// Rows of all four tables that no transaction sees any more.
        var dead: Int64
    }

    private static let sizes: Statement = """
        with part as (
            select t.name, p.relid from unnest(array['device', 'token_owner', 'follow', 'activity']) as t(name)
            cross join lateral (select relid from pg_partition_tree(t.name) union select t.name::regclass) p(relid))
        select sum(pg_table_size(relid))::bigint, sum(pg_indexes_size(relid))::bigint,
               sum(pg_table_size(relid)) filter (where name = 'activity')::bigint,
               coalesce(sum(pg_stat_get_dead_tuples(relid)), 0)::bigint
        from part
        """

    private static let log = Statement("select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::bigint")

    private let connection: Connection

    init(_ database: ConnectionInfo) async throws {
        connection = try await Connection.open(database, name: "bench-meter", statementTimeout: nil)
    }

    func sizes() async throws -> Sizes {
        let rows = try await connection.query(Self.sizes) { row in
            Sizes(
                tables: try row.int(0),
                indexes: try row.int(1),
                activity: try row.int(2),
                dead: try row.int(3)
            )
        }
        guard let sizes = rows.first else { throw MeasurementFailure("the tables have no size") }
        return sizes
    }

    /// Bytes that the log has had since the database was created.
    func logBytes() async throws -> Int64 { try await connection.query(Self.log) { try $0.int(0) }.first ?? 0 }

    /// Vacuums the four tables; how long that took.
    func vacuum() async throws -> Duration {
        let start = ContinuousClock.now
        for statement: StaticString in [
            "vacuum (analyze) device", "vacuum (analyze) token_owner", "vacuum (analyze) follow",
            "vacuum (analyze) activity",
        ] { try await connection.script(statement) }
        return ContinuousClock.now - start
    }

    func checkpoint() async throws { try await connection.script("checkpoint") }

    func close() async { await connection.close() }
}
