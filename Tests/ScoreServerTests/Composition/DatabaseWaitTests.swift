// A node that starts before PostgreSQL waits for it with growing, random pauses.

import Foundation
import Logging
import ScoreTypes
import Synchronization
import TestSupport
import Testing

@testable import Postgres
@testable import ScoreServer

@Suite(.timeLimit(.minutes(3))) struct DatabaseWaitTests {
    @Test func pausesGrowToTheirLimitAndAWrongSchemaEndsTheWait() async throws {
        let pauses = Mutex<[Duration]>([])
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        var wait = DatabaseWait(log: logger)
        wait.sleep = { pause in pauses.withLock { $0.append(pause) } }
        wait.part = { 1 }
        let calls = Mutex(0)
        let value = try await wait.run {
            let call = calls.withLock { calls in
                calls += 1
                return calls
            }
            guard call > 8 else { throw PostgresError(call.isMultiple(of: 2) ? .connection : .readOnly, message: "no") }
            return call
        }
        #expect(value == 9)
        let waited = pauses.withLock { $0 }
        #expect(waited.first == ServerLimits.databasePauseShortest && waited.last == ServerLimits.databasePauseLongest)
        #expect(zip(waited, waited.dropFirst()).allSatisfy { $0 <= $1 })
        await #expect(throws: PostgresError.self) {
            try await wait.run { () -> Int in throw PostgresError(.other, message: "no") }
        }
        #expect(pauses.withLock { $0.count } == 8)
    }

    /// Nothing listens at first; then the port leads to a real database.
    @Test func theServerStartsWhenItsDatabaseDoes() async throws {
        let info = try await ScratchDatabase.make()
        let parts = try #require(info.parsed())
        let folder = FileManager.default.temporaryDirectory.appending(path: "wait-\(UInt32.random(in: 0...UInt32.max))")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let host = folder.path.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
        let user = parts["user"].map { "\($0)@" } ?? ""
        let port = try await WireClient.freePort()
        let server = try ChildProcess(
            "score-server",
            ["serve", "--env", "none"],
            environment: [
                "DATABASE_URL": "postgresql://\(user)/\(try #require(info.databaseName))?host=\(host)",
                "HTTP_PUBLIC_PORT": "\(port)", "HTTP_INTERNAL_PORT": "0",
            ]
        )
        try await eventually("it waits") { server.output.contains("the node waits for it") || !server.isRunning }
        #expect(server.isRunning && !server.output.contains("node starts"))
        let socket = ".s.PGSQL.\(parts["port"] ?? "5432")"
        try FileManager.default.createSymbolicLink(
            atPath: folder.appending(path: ".s.PGSQL.5432").path,
            withDestinationPath: "\(parts["host"] ?? "")/\(socket)"
        )
        // Its listener opens after the handlers of signals are set.
        try await eventually("it serves") {
            (try? await WireClient(port: port).get("/v1/client-config").status) == 200 || !server.isRunning
        }
        #expect(server.isRunning, "\(server.output)")
        server.signal(SIGTERM)
        try await server.ended()
        #expect(server.status == 0, "\(server.output)")
    }
}
