// Bulk reads return every row once, raw, and a reader that stops early affects no other.
import Postgres
import ScoreTypes
import TestSupport
import Testing

struct CopyOutTests {
    @Test func everyRowIsReadOnceWithItsRawFields() async throws {
        let connection = try await Connection.open(try await ScratchDatabase.make(), name: "copy")
        let query = Statement(
            """
            select n, n::smallint, case when n % 2 = 0 then decode('00ff', 'hex') end, gen_random_uuid(), n::bigint,
                to_timestamp(n) from generate_series(1, 5000) n
            """
        )
        let sums = try await connection.read { connection in
            var sums = Sums()
            try connection.copyOut(query) { row in
                sums.rows += 1
                sums.numbers += try row.int(0) + row.int(1) + row.int(4)
                if let bytes = row.bytes(2) { sums.bytes += bytes.count }
                _ = try row.uuid(3)
                sums.seconds += try row.timestamp(5).seconds
                if row.bytes(2) == nil, row.bytes(6) == nil { sums.nulls += 1 }
            }
            return sums
        }
        let total: Int64 = 5000 * 5001 / 2
        #expect(sums.rows == 5000 && sums.numbers == 3 * total && sums.seconds == total)
        #expect(sums.bytes == 2 * 2500 && sums.nulls == 2500)
    }

    @Test func bindsAreEscapedLiterals() async throws {
        let connection = try await Connection.open(try await ScratchDatabase.make(), name: "copy")
        let nasty = #"o'brien \'; drop table meta; -- $2"#
        let query = Statement("select $1, array_length($2, 1), ($2)[2] from meta")
        let checked = try await connection.read { connection in
            var checked = 0
            try connection.copyOut(query, [.text(nasty), .smallints([1, -2, 3])]) { row in
                let text = row.bytes(0).map { String(decoding: $0, as: UTF8.self) }
                if try text == nasty && row.int(1) == 3 && row.int(2) == -2 { checked += 1 }
            }
            return checked
        }
        #expect(checked == 1)
        #expect(try await connection.query(Statement("select bucket_count from meta")) { try $0.int(0) } == [1024])
    }

    @Test func noRowsAndServerErrorsLeaveTheConnectionUsable() async throws {
        let connection = try await Connection.open(try await ScratchDatabase.make(), name: "copy")
        let none = try await connection.read { connection in
            var rows = 0
            try connection.copyOut(Statement("select 1 where false")) { _ in rows += 1 }
            return rows
        }
        #expect(none == 0)
        let error = await #expect(throws: PostgresError.self) {
            try await connection.read { connection in
                try connection.copyOut(Statement("select 1 / (3 - n) from generate_series(1, 5) n")) { _ in }
            }
        }
        #expect(error?.sqlState == "22012")
        #expect(await connection.isUsable)
        let unbindable = await #expect(throws: PostgresError.self) {
            try await connection.read { try $0.copyOut(Statement("select $1"), [.int(1)]) { _ in } }
        }
        #expect(unbindable?.kind == .decoding)
        #expect(await connection.isUsable)
    }

    @Test func aReaderThatStopsEarlyClosesTheConnection() async throws {
        struct Enough: Error {}
        let connection = try await Connection.open(try await ScratchDatabase.make(), name: "copy")
        await #expect(throws: Enough.self) {
            try await connection.read { connection in
                var rows = 0
                try connection.copyOut(Statement("select n from generate_series(1, 100000) n")) { _ in
                    rows += 1
                    if rows == 3 { throw Enough() }
                }
            }
        }
        #expect(await !connection.isUsable)
        let error = await #expect(throws: PostgresError.self) { try await connection.execute(Statement("select 1")) }
        #expect(error?.kind == .connection)
    }

    private struct Sums: Sendable {
        var rows = 0
        var numbers: Int64 = 0
        var bytes = 0
        var seconds: Int64 = 0
        var nulls = 0
    }
}

extension Connection {
    /// Lets a test use the connection.
    fileprivate func read<R: Sendable>(_ body: @Sendable (isolated Connection) throws -> R) throws -> R {
        try body(self)
    }
}
