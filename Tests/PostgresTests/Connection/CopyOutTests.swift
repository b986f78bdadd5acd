// Bulk reads return every row once, raw, and a reader that stops early affects no other.
import Postgres
import ScoreTypes
import Testing

struct CopyOutTests {
    @Test func everyRowIsReadOnceWithItsRawFields() async throws {
        let connection = try await Connection.open(try await ScratchDatabase.make(), name: "copy")
        let query = Statement(
            """
            select n, n::smallint, case when n % 2 = 0 then decode('00ff', 'hex') end, gen_random_uuid(), n % 3 = 0,
                to_timestamp(n), 'x' || n from generate_series(1, $1) n
            """
        )
        let sums = try await connection.read { connection in
            var sums = Sums()
            try connection.copyOut(query, [.integer(5000)]) { row in
                sums.rows += 1
                sums.numbers += try row.int(0) + row.int(1)
                if let bytes = row.bytes(2) { sums.bytes += bytes.count }
                _ = try row.uuid(3)
                if try row.bool(4) { sums.thirds += 1 }
                sums.seconds += try row.timestamp(5).seconds
                if try row.text(6) == "x\(sums.rows)" { sums.texts += 1 }
                if row.isNull(2), row.isNull(7) { sums.nulls += 1 }
            }
            return sums
        }
        let total: Int64 = 5000 * 5001 / 2
        #expect(sums.rows == 5000 && sums.numbers == 2 * total && sums.seconds == total)
        #expect(sums.bytes == 2 * 2500 && sums.nulls == 2500 && sums.thirds == 1666 && sums.texts == 5000)
    }

    @Test func bindsAreEscapedLiterals() async throws {
        let connection = try await Connection.open(try await ScratchDatabase.make(), name: "copy")
        let device = DeviceID(high: 7, low: 9)
        let nasty = #"o'brien \'; drop table meta; -- $2"#
        let query = Statement(
            "select $1, $2 - 1, $3, $4, array_length($5, 1), ($6)[2], $7, ($8)[1], $9, $10 from meta"
        )
        let binds: [Bind] = [
            .text(nasty), .int(-4), .bytes([1, 0]), .uuid(device), .smallints([1, -2, 3]), .texts(["a", nasty]),
            .timestamp(Instant(milliseconds: 1_763_690_000_123)), .uuids([device]), .null, .bool(true),
        ]
        let checked = try await connection.read { connection in
            var checked = 0
            try connection.copyOut(query, binds) { row in
                let isRight =
                    try row.text(0) == nasty && row.int(1) == -5
                    && Array(row.bytes(2) ?? .init(start: nil, count: 0)) == [1, 0]
                    && row.uuid(3) == device && row.int(4) == 3 && row.text(5) == nasty
                    && row.timestamp(6).milliseconds == 1_763_690_000_123 && row.uuid(7) == device && row.isNull(8)
                    && row.bool(9)
                if isRight { checked += 1 }
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
            try connection.copyOut("select 1 where false") { _ in rows += 1 }
            return rows
        }
        #expect(none == 0)
        let error = await #expect(throws: PostgresError.self) {
            try await connection.read { try $0.copyOut("select 1 / (3 - n) from generate_series(1, 5) n") { _ in } }
        }
        #expect(error?.sqlState == "22012")
        #expect(await connection.isUsable)
        let notCopy = await #expect(throws: PostgresError.self) {
            try await connection.read { try $0.copyOut("copy meta from stdin") { _ in } }
        }
        #expect(notCopy?.message.contains("accepts only COPY") == true)
        #expect(await !connection.isUsable)
    }

    @Test func aReaderThatStopsEarlyClosesTheConnection() async throws {
        struct Enough: Error {}
        let connection = try await Connection.open(try await ScratchDatabase.make(), name: "copy")
        await #expect(throws: Enough.self) {
            try await connection.read { connection in
                var rows = 0
                try connection.copyOut("select n from generate_series(1, 100000) n") { _ in
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
        var thirds = 0
        var seconds: Int64 = 0
        var texts = 0
        var nulls = 0
    }
}

extension Connection {
    /// Lets a test use the connection.
    fileprivate func read<R: Sendable>(_ body: @Sendable (isolated Connection) throws -> R) throws -> R {
        try body(self)
    }
}
