// Every kind of value is read back from Postgres unchanged, and misuse is an error, not a trap.
import Foundation
import Postgres
import ScoreTypes
import TestSupport
import Testing

struct ConnectionTests {
    @Test func everyKindOfValueIsReadBackUnchanged() async throws {
        let connection = try await Connection.open(try await ScratchDatabase.make(), name: "values")
        let device = DeviceID(high: 0x0123_4567_89ab_cdef, low: 0xfedc_ba98_7654_3210)
        let time = Instant(milliseconds: 1_763_690_000_123)
        let statement = Statement(
            """
            select $1::text, $2::bigint, $3::smallint, $4::integer, ($5::float8)::text, $6::boolean, $7::bytea,
                $8::uuid,
                $9::timestamptz, $10::jsonb, $11::text
            """
        )
        let binds: [Bind] = [
            .text("naïve 🏏"), .int(.min), .smallint(-7), .integer(.max), .double(-0.125), .bool(true),
            .bytes([0, 255, 10]), .uuid(device), .timestamp(time), .json(Array(#"{"a": [1, null]}"#.utf8)), .null,
        ]
        let numbers = try await connection.query(statement, binds) { row in
            (try row.int(1), try row.int(2), try row.int(3), try row.text(4), try row.bool(5))
        }
        #expect(try #require(numbers.first) == (.min, -7, Int64(Int32.max), "-0.125", true))
        let values = try await connection.query(statement, binds) { row in
            (try row.text(0), try row.bytes(6), try row.uuid(7), try row.timestamp(8), try row.json(9))
        }
        #expect(
            try #require(values.first) == ("naïve 🏏", [0, 255, 10], device, time, Array(#"{"a": [1, null]}"#.utf8))
        )
        let nothing = try await connection.query(statement, binds) { row in
            (row.isNull(10), try row.textIfPresent(10))
        }
        #expect(try #require(nothing.first) == (true, nil))
    }

    @Test("S41: the certificate of a remote host is verified unless the string names a mode")
    func aRemoteHostIsVerifiedUnlessTheStringNamesAMode() async throws {
        #expect(ConnectionInfo("postgresql://a@db-1,127.0.0.1,/run,localhost/b").remoteHosts == ["db-1"])
        #expect(ConnectionInfo("postgresql://a@db-1/b").unverifiedMode == nil)
        #expect(ConnectionInfo("postgresql://a@db-1/b?sslmode=prefer").unverifiedMode == "prefer")
        #expect(ConnectionInfo("postgresql://a@127.0.0.1/b?sslmode=prefer").unverifiedMode == nil)
        // 0.0.0.0 is this machine, but not by its name.
        let info = ConnectionInfo("postgresql://a@0.0.0.0:\(try Self.portOfServerWithoutTLS())/b")
        let error = await #expect(throws: PostgresError.self) { try await Connection.open(info, name: "remote") }
        #expect(error.map { "\($0)".contains("server does not support SSL") } == true, "\(error as Any)")
    }

    /// The port of a server that refuses the first client's request for TLS.
    private static func portOfServerWithoutTLS() throws -> UInt16 {
        let server = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var (address, size) = (sockaddr_in(), socklen_t(MemoryLayout<sockaddr_in>.size))
        (address.sin_family, address.sin_addr.s_addr) = (sa_family_t(AF_INET), UInt32(INADDR_LOOPBACK).bigEndian)
        let isBound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                bind(server, pointer, size) == 0 && listen(server, 1) == 0 && getsockname(server, pointer, &size) == 0
            }
        }
        try #require(isBound)
        Thread.detachNewThread {
            let client = accept(server, nil, nil)
            var request = [UInt8](repeating: 0, count: 8)
            _ = recv(client, &request, request.count, Int32(MSG_WAITALL))
            _ = send(client, "N", 1, 0)
            close(client)
            close(server)
        }
        return UInt16(bigEndian: address.sin_port)
    }

    @Test func arraysKeepOrderEmptyValuesAndNulls() async throws {
        let connection = try await Connection.open(try await ScratchDatabase.make(), name: "arrays")
        let device = DeviceID(high: 1, low: 2)
        let statement = Statement(
            """
            select * from unnest($1::text[], $2::bigint[], $3::smallint[], $4::uuid[], $5::bytea[], $6::timestamptz[],
                $7::boolean[], $8::jsonb[], $9::integer[]) with ordinality
            """
        )
        let binds: [Bind] = [
            .optionalTexts(["a", nil, ""]), .ints([1, 2, 3]), .smallints([4, 5, 6]), .uuids([device, device, device]),
            .optionalBytesArray([[1], nil, []]), .optionalTimestamps([nil, Instant(milliseconds: -1), nil]),
            .bools([true, false, true]), .jsons([Array("1".utf8), Array("2".utf8), Array("3".utf8)]),
            .integers([7, 8, 9]),
        ]
        let rows = try await connection.query(statement, binds) { row in
            let time = try row.timestampIfPresent(5)?.milliseconds
            let bytes = try row.bytesIfPresent(4)
            return "\(try row.textIfPresent(0) ?? "-") \(try row.int(1)) \(try row.int(2)) \(bytes ?? [9]) "
                + "\(time ?? 0) \(try row.bool(6)) \(try row.int(8))"
        }
        #expect(
            rows == ["a 1 4 [1] 0 true 7", "- 2 5 [9] -1 false 8", " 3 6 [] 0 true 9"]
        )
        let none = try await connection.query(Statement("select $1::text[], array[1,2]::int[]"), [.texts([])]) { row in
            (try row.texts(0), try row.ints(1))
        }
        #expect(none.first?.0 == [] && none.first?.1 == [1, 2])
    }

    @Test func integersFitTheColumnOrAreRefused() async throws {
        let connection = try await Connection.open(try await ScratchDatabase.make(), name: "integers")
        try await connection.script("create table t (small smallint, big bigint)")
        let insert = Statement("insert into t values ($1::smallint, $2)")
        #expect(try await connection.execute(insert, [.int(9), .smallint(8)]) == 1)
        let error = await #expect(throws: PostgresError.self) {
            try await connection.execute(insert, [.int(70_000), .int(1)])
        }
        #expect(error?.kind == .decoding)
        #expect(error?.message.contains("$1") == true)
        #expect(try await connection.query(Statement("select small, big from t")) { try $0.int(0) + $0.int(1) } == [17])
    }

    @Test func errorsOfTypesNullsAndColumnsNameTheColumn() async throws {
        let connection = try await Connection.open(try await ScratchDatabase.make(), name: "wrong")
        let statement = Statement("select 1 as one, null::text as nothing")
        for (column, expected) in [(0, "(one) is type 23"), (1, "(nothing) is null"), (2, "not in the result")] {
            let error = await #expect(throws: PostgresError.self) {
                _ = try await connection.query(statement) { row in try row.text(column) }
            }
            #expect(error?.kind == .decoding)
            #expect(error?.message.contains(expected) == true, "\(String(describing: error))")
        }
        let count = await #expect(throws: PostgresError.self) {
            try await connection.execute(Statement("select $1::text, $2::text"), [.text("a")])
        }
        #expect(count?.message == "the statement has 2 parameters, 1 were given")
    }

    @Test func aTransactionThatThrowsIsRolledBack() async throws {
        struct Stop: Error {}
        let connection = try await Connection.open(try await ScratchDatabase.make(), name: "rollback")
        try await connection.script("create table t (n integer primary key)")
        let insert = Statement("insert into t values ($1)")
        await #expect(throws: Stop.self) {
            try await connection.transaction { connection in
                try connection.execute(insert, [.int(1)])
                throw Stop()
            }
        }
        try await connection.transaction { connection in _ = try connection.execute(insert, [.int(2)]) }
        #expect(try await connection.query(Statement("select n from t")) { try $0.int(0) } == [2])

        let refused = await #expect(throws: PostgresError.self) {
            try await connection.execute(insert, [.int(2)])
        }
        #expect(refused?.kind == .constraint && refused?.sqlState == "23505")
        // An error that the body swallows still fails the transaction at its end.
        let swallowed = await #expect(throws: PostgresError.self) {
            try await connection.transaction { connection in _ = try? connection.execute(insert, [.int(2)]) }
        }
        #expect(swallowed?.message.contains("had failed") == true)
        let nested = await #expect(throws: PostgresError.self) {
            try await connection.transaction { connection in try connection.withTransaction { _ in } }
        }
        #expect(nested?.message.contains("already open") == true)
    }

    @Test func aSnapshotIsReadOnlyAndIgnoresLaterCommits() async throws {
        let info = try await ScratchDatabase.make()
        let reader = try await Connection.open(info, name: "reader")
        let writer = try await Connection.open(info, name: "writer")
        try await writer.script("create table t (n integer)")
        let count = Statement("select count(*) from t")
        try await reader.script("begin isolation level repeatable read read only")
        #expect(try await reader.query(count) { try $0.int(0) } == [0])
        try await writer.script("insert into t values (1)")
        #expect(try await reader.query(count) { try $0.int(0) } == [0])
        try await reader.script("commit")
        let error = await #expect(throws: PostgresError.self) {
            try await reader.transaction(.snapshotReadOnly) { reader in
                _ = try reader.execute(Statement("insert into t values (2)"))
            }
        }
        #expect(error?.sqlState == "25006")
    }

    @Test func aConnectionStringNeverPrintsItsPassword() async throws {
        let info = ConnectionInfo("postgresql://ann:secret@127.0.0.1:1/db?connect_timeout=2")
        #expect("\(info)" == "host=127.0.0.1 port=1 dbname=db user=ann")
        #expect(!"\([info])".contains("secret") && !String(reflecting: info).contains("secret"))
        for text in ["postgresql://ann:secret@127.0.0.1:1/db", "ann:secret@@=", "password=secret host"] {
            let error = await #expect(throws: PostgresError.self) {
                _ = try await Connection.open(ConnectionInfo(text), name: "nobody")
            }
            #expect(error?.kind == .connection)
            #expect(error?.description.contains("secret") == false, "\(String(describing: error))")
        }
    }
}

extension Connection {
    /// Runs the body in a transaction, for callers outside the connection.
    fileprivate func transaction<R: Sendable>(
        _ mode: TransactionMode = .readWrite,
        _ body: @Sendable (isolated Connection) throws -> R
    ) throws -> R {
        try withTransaction(mode, body)
    }
}
