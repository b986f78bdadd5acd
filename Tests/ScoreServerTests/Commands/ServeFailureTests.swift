// A server that cannot start stops the private PostgreSQL that it started, and no other server's.

import Foundation
import Glibc
import TestSupport
import Testing

@Suite(.serialized, .timeLimit(.minutes(5))) struct ServeFailureTests {
    /// A data folder that user postgres can reach.
    private let folder = URL(filePath: "/var/tmp/score-serve-\(UInt32.random(in: 0...UInt32.max))").path

    /// Starts a server in the data folder.
    private func serve(_ node: String, publicPort: Int, internalPort: Int = 0) throws -> ChildProcess {
        try ChildProcess(
            "score-server",
            ["serve", "--env", "none"],
            environment: [
                "NODE_ID": node, "DATA_DIR": folder, "HTTP_PUBLIC_PORT": "\(publicPort)",
                "HTTP_INTERNAL_PORT": "\(internalPort)",
            ]
        )
    }

    @Test(arguments: [true, false]) func aTakenPortStopsTheStartedPostgres(isPublic: Bool) async throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let taken = try #require(TakenPort())
        let server = try serve("a", publicPort: isPublic ? taken.port : 0, internalPort: isPublic ? 0 : taken.port)
        try await server.ended()
        #expect(server.status == 1, "\(server.output)")
        #expect(FileManager.default.fileExists(atPath: "\(folder)/postgres/data/PG_VERSION"))
        #expect(ProcessTable.running(folder).isEmpty)
    }

    @Test func aTakenPortLeavesThePostgresOfAnotherServerRunning() async throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let first = try serve("a", publicPort: 0)
        try await eventually("the first server starts") { first.output.contains("node starts") || !first.isRunning }
        let taken = try #require(TakenPort())
        let second = try serve("b", publicPort: taken.port)
        try await second.ended()
        #expect(second.status == 1, "\(second.output)")
        #expect(first.isRunning && !ProcessTable.running(folder).isEmpty)
        first.signal(SIGTERM)
        try await first.ended()
        #expect(first.status == 0, "\(first.output)")
        #expect(ProcessTable.running(folder).isEmpty)
    }
}

/// A port of 127.0.0.1 that is in use.
private final class TakenPort {
    let port: Int
    private let descriptor: Int32

    init?() {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &address) { [descriptor] pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
                bind(descriptor, generic, length) == 0 && listen(descriptor, 1) == 0
                    && getsockname(descriptor, generic, &length) == 0
            }
        }
        port = Int(UInt16(bigEndian: address.sin_port))
        guard isBound else { return nil }
    }

    deinit { close(descriptor) }
}
