// A server under attack by slow, greedy and broken clients stays small and answers others.

import Foundation
import Glibc
import NIOCore
import NIOPosix
import ScoreTypes
import TestSupport
import Testing

@testable import ScoreServer

@Suite(.serialized, .timeLimit(.minutes(5))) struct SlowAttackTests {
    /// A data folder that user postgres can reach.
    private let folder = URL(filePath: "/var/tmp/score-attack-\(UInt32.random(in: 0...UInt32.max))").path
    private static let script = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../../deploy/attack-server.py").standardizedFileURL.path

    @Test("C5, C6, C7, C8, C12, S3, S53: slow clients are cut, and others are served")
    func slowClients() async throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let (publicPort, internalPort) = (try await Self.freePort(), try await Self.freePort())
        let many = "1000000/60s"
        let server = try ChildProcess(
            "score-server",
            ["serve", "--env", "none"],
            environment: [
                "NODE_ID": "attacked", "DATA_DIR": folder, "HTTP_PUBLIC_PORT": "\(publicPort)",
                "HTTP_INTERNAL_PORT": "\(internalPort)", "LIMITS_READ_ADDRESS": many, "LIMITS_REGISTER": many,
                "LIMITS_REGISTER_ATTEMPT": many, "LIMITS_REGISTER_DAILY": many, "LIMITS_REGISTER_ALL": many,
            ]
        )
        let client = WireClient(port: publicPort)
        try await eventually("the server answers") {
            (try? await client.get("/v1/client-config").status) == 200 || !server.isRunning
        }
        let attack = try ChildProcess("/usr/bin/python3", [Self.script, "\(publicPort)", "\(server.id)"])
        try await eventually("the attacks have ended", within: .seconds(120)) { !attack.isRunning }
        let seen = try JSONValue(parsing: Array(attack.output.utf8))
        func number(_ name: String) throws -> Double { try #require(seen[name]?.amount, "\(attack.output)") }
        let longest = [
            "silence": 8.0, "dripOfHead": 8, "dripOfBody": 15, "dripOfChunks": 15, "dripToUnknownPath": 6,
            "unreadAnswers": 15, "pipelining": 6, "endlessChunks": 6,
        ]
        for (name, seconds) in longest {
            let lasted = try #require(seen["longestSeconds"]?[name]?.amount, "\(attack.output)")
            #expect(lasted <= seconds, "\(name): \(attack.output)")
        }
        #expect(try number("bystanderFailures") == 0, "\(attack.output)")
        #expect(try number("descriptorsAfter") <= number("descriptorsBefore") + 8, "\(attack.output)")
        #expect(try number("maxDescriptors") <= number("descriptorsBefore") + number("connections") + 8)
        #expect(try number("residentGrowthBytes") <= number("connections") * 256 * 1024, "\(attack.output)")
        // The floor allows for a debug build beside other tests.
        let allowed = try max(2 * number("idleP99Milliseconds"), 100)
        #expect(try number("attackedP99Milliseconds") <= allowed, "\(attack.output)")
        let metrics = try await WireClient(port: internalPort).get("/metrics").text
        for reason in ["head", "output", "pipelining", "rejected"] {
            let series = "score_http_connections_closed_total{listener=\"public\",reason=\"\(reason)\"}"
            #expect(metrics.contains(series), "\(reason)")
        }
        server.signal(SIGTERM)
        try await server.ended()
        #expect(server.status == 0, "\(server.output)")
    }

    private static func freePort() async throws -> Int {
        let channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .bind(host: "127.0.0.1", port: 0).get()
        let port = try #require(channel.localAddress?.port)
        try await channel.close()
        return port
    }
}

extension JSONValue {
    fileprivate var amount: Double? {
        switch self {
        case .integer(let integer): Double(integer)
        case .number(let number): number
        default: nil
        }
    }
}
