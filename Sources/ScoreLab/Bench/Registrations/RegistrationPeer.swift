// Machines differ threefold: the same PostgreSQL without a store is the reference.

import FollowService
import Postgres
import ScoreTypes

/// The fastest insertion of phones: prepared rows in memory, one statement for 500, no callers.
///
/// Two connections, each with its own half of the buckets, rows in the order of the key, one transaction a statement,
/// and a table with no more than the tokens need.
struct RegistrationPeer: Sendable {
    private static let connections = 2
    /// Rows of a statement: more were measured to add latency alone.
    private static let rowsPerStatement = 500

    private static let upsert = Statement(
        """
        insert into bench_peer as p (match_id, bucket, device_id, env, started_at, client_seq, token)
        select * from unnest($1, $2, $3, $4, $5, $6, $7)
        on conflict (match_id, bucket, device_id) do update set
            gen = p.gen + 1, env = excluded.env, client_seq = excluded.client_seq, token = excluded.token
        where excluded.client_seq > p.client_seq
        """
    )

    private static let table: StaticString = """
        create table bench_peer (
            match_id   text not null,
            started_at timestamptz not null,
            client_seq bigint not null,
            device_id  uuid not null,
            gen        integer not null default 1,
            bucket     smallint not null,
            env        smallint not null,
            token      bytea not null,
            primary key (match_id, bucket, device_id)
        ) with (fillfactor = 85);
        alter table bench_peer alter column token set storage plain
        """

    /// Writes the rows of two rounds; how long each took.
    func run(
        _ fresh: [ActivityRegistration],
        _ rotated: [ActivityRegistration],
        on database: ConnectionInfo
    ) async throws -> (fresh: Duration, rotated: Duration) {
        let owner = try await Connection.open(database, name: "bench-peer", statementTimeout: nil)
        try await owner.script(Self.table)
        let times = (fresh: try await write(fresh, on: database), rotated: try await write(rotated, on: database))
        try await owner.script("drop table bench_peer")
        // A server in use writes its log into old segments; these are the peer's.
        try await owner.script("checkpoint")
        await owner.close()
        return times
    }

    private func write(_ calls: [ActivityRegistration], on database: ConnectionInfo) async throws -> Duration {
        let statements = Self.statements(of: calls)
        let start = ContinuousClock.now
        let count = try await withThrowingTaskGroup(of: Int.self) { group in
            for binds in statements {
                group.addTask {
                    let connection = try await Connection.open(database, name: "bench-peer")
                    var count = 0
                    for bind in binds { count += try await connection.execute(Self.upsert, bind) }
                    await connection.close()
                    return count
                }
            }
            return try await group.reduce(0, +)
        }
        let time = ContinuousClock.now - start
        guard count == calls.count else { throw MeasurementFailure("the peer wrote \(count) of \(calls.count) rows") }
        return time
    }

    /// For each connection the binds of its statements, made before the clock runs.
    private static func statements(of calls: [ActivityRegistration]) -> [[[Bind]]] {
        var lanes = [[ActivityRegistration]](repeating: [], count: connections)
        for call in calls { lanes[Int(Bucket(of: call.device).number) * connections / Bucket.count].append(call) }
        return lanes.map { lane in
            stride(from: 0, to: lane.count, by: rowsPerStatement).map { first in
                binds(lane[first..<min(lane.count, first + rowsPerStatement)])
            }
        }
    }

    private static func binds(_ calls: ArraySlice<ActivityRegistration>) -> [Bind] {
        let rows = calls.sorted { key(of: $0) < key(of: $1) }
        return [
            .texts(rows.map(\.match.text)),
            .smallints(rows.map { Bucket(of: $0.device).number }),
            .uuids(rows.map(\.device)),
            .smallints(rows.map(\.environment.code)),
            .timestamps(rows.map(\.startedAt)),
            .ints(rows.map(\.clientSequence)),
            .bytesArray(
                rows.map { call in
                    if case .token(let token) = call.route { token.bytes } else { [] }
                }
            ),
        ]
    }

    private static func key(of call: ActivityRegistration) -> (String, Int16, UInt64) {
        (call.match.text, Bucket(of: call.device).number, call.device.high)
    }
}
