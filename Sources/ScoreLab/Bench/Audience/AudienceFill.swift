// Ten million devices have to exist before they are measured; PostgreSQL writes them itself, from their ids.

import Postgres
import ScoreTypes

/// Writes devices, tokens, follows and activities in bulk, in the order in which phones come.
struct AudienceFill: Sendable {
    let followers: BenchFollowers
    let devices: Int
    let database: ConnectionInfo

    /// Connections, each with its own half of the buckets.
    private static let connections = 2
    /// Phones in one statement.
    private static let phonesPerStatement = 20_000

    private static let stage: StaticString = """
        create unlogged table bench_phone (
            device uuid not null, activity uuid not null, bucket smallint not null, match_id text not null)
        """

    private static let write: Statement = """
        insert into bench_phone (device, activity, bucket, match_id)
        select unnest($1), unnest($2), unnest($3), unnest($4)
        """

    /// The tables of an audience with the statement that fills each: rows as phones register them.
    private static let tables: [(name: String, fill: Statement)] = [
        (
            "device",
            """
            insert into device (device_id, bucket, env, abilities, credential_hash, bundle_id, profile, alert_token,
                                start_token)
            select device, bucket, 1, 15, sha256(uuid_send(device)), 'com.example.app',
                   '{"appBuild": "120", "osVersion": "18.5", "timeZone": "Asia/Kolkata"}', sha256(uuid_send(activity)),
                   sha256(uuid_send(device)) || sha256(uuid_send(activity)) || uuid_send(device)
            from bench_phone where bucket >= $1 and bucket < $2
            """
        ),
        (
            "token_owner",
            """
            insert into token_owner (device_id, digest)
            select device, substr(sha256(uuid_send(device) || kind), 1, 15) || kind
            from bench_phone cross join (values ('\\x61'::bytea), ('\\x73'::bytea)) as kinds(kind)
            where bucket >= $1 and bucket < $2
            """
        ),
        (
            "follow",
            """
            insert into follow (device_id, bucket, match_id, client_seq, since_seq)
            select device, bucket, match_id, 1, 1 from bench_phone where bucket >= $1 and bucket < $2
            """
        ),
        (
            "activity",
            """
            insert into activity (device_id, started_at, token_at, bucket, env, match_id, activity_id, client_seq,
                                  token)
            select device, now(), now(), bucket, 1, match_id, activity::text, 1,
                   sha256(uuid_send(device)) || sha256(uuid_send(activity)) || uuid_send(device)
            from bench_phone where bucket >= $1 and bucket < $2
            """
        ),
    ]

    private static let match: Statement = """
        insert into match (match_id, feed_id, epoch, phase, starts_at)
        select unnest($1), 'bench', 'aaaaaaaa', 1, now()
        """

    private static let progress: Statement = """
        insert into fanout (match_id, bucket, term, sent_rev, sent_at)
        select m.match_id, b.bucket, 1, 1, now() from unnest($1) as m(match_id), bucket_owner b
        """

    /// Writes all rows; the time of each table.
    func run(reporting say: @Sendable (String) -> Void) async throws -> [(table: String, time: Duration)] {
        let owner = try await Connection.open(database, name: "bench-fill", statementTimeout: nil)
        try await owner.script(Self.stage)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for part in 0..<Self.connections { group.addTask { try await writePhones(part) } }
            try await group.waitForAll()
        }
        let matches = Array(Set(followers.matches.map(\.text))).sorted()
        _ = try await owner.execute(Self.match, [.texts(matches)])
        _ = try await owner.execute(Self.progress, [.texts(matches)])
        var times: [(table: String, time: Duration)] = []
        for table in Self.tables {
            let start = ContinuousClock.now
            try await fill(table.fill)
            times.append((table.name, ContinuousClock.now - start))
            say("\(table.name): \(devices) devices in \(times[times.count - 1].time.inSeconds.rounded(to: 1)) s")
        }
        try await owner.script("drop table bench_phone")
        await owner.close()
        return times
    }

    private func fill(_ statement: Statement) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            let width = Bucket.count / Self.connections
            for part in 0..<Self.connections {
                let binds: [Bind] = [.smallint(Int16(part * width)), .smallint(Int16((part + 1) * width))]
                group.addTask {
                    let connection = try await Connection.open(database, name: "bench-fill", statementTimeout: nil)
                    _ = try await connection.execute(statement, binds)
                    await connection.close()
                }
            }
            try await group.waitForAll()
        }
    }

    private func writePhones(_ part: Int) async throws {
        let connection = try await Connection.open(database, name: "bench-fill", statementTimeout: nil)
        let (first, last) = (devices * part / Self.connections, devices * (part + 1) / Self.connections)
        for start in stride(from: first, to: last, by: Self.phonesPerStatement) {
            try Task.checkCancellation()
            let numbers = start..<min(last, start + Self.phonesPerStatement)
            let phones = numbers.map { followers.identity($0) }
            _ = try await connection.execute(
                Self.write,
                [
                    .uuids(phones.map(\.device)), .uuids(phones.map(\.activity)),
                    .smallints(phones.map { Bucket(of: $0.device).number }),
                    .texts(numbers.map { followers.match(of: $0).text }),
                ]
            )
        }
        await connection.close()
    }
}
