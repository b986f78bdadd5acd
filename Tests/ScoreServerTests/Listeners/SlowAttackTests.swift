// A server under attack by slow, greedy and broken clients stays small and answers others.

import Foundation
import Glibc
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
        let attacked = try await serve("attacked")
        // The delays of a server without attacks are those of the machine.
        let control = try await serve("control")
        let attack = try ChildProcess(
            "/usr/bin/python3",
            [Self.script, "\(attacked.publicPort)", "\(attacked.process.id)", "\(control.publicPort)"]
        )
        try await eventually("the attacks have ended", within: .seconds(120)) { !attack.isRunning }
        let seen = try JSONValue(parsing: Array(attack.output.utf8))
        func number(_ name: String) throws -> Double { try #require(seen[name]?.amount, "\(attack.output)") }
        let longest = [
            "silence": 8.0, "dripOfHead": 8, "dripOfBody": 15, "dripOfChunks": 15, "dripToUnknownPath": 6,
            "unreadAnswers": 15, "pipelining": 6, "endlessChunks": 6, "endlessFields": 6,
        ]
        // The attacker has the lowest priority: on a busy machine it notices the end of a connection late.
        let delay = try number("attackerDelaySeconds")
        for (name, seconds) in longest {
            let lasted = try #require(seen["longestSeconds"]?[name]?.amount, "\(attack.output)")
            #expect(lasted <= seconds + delay, "\(name): \(attack.output)")
        }
        #expect(try number("bystanderFailures") == 0, "\(attack.output)")
        #expect(try number("descriptorsAfter") <= number("descriptorsBefore") + 8, "\(attack.output)")
        #expect(try number("maxDescriptors") <= number("descriptorsBefore") + number("connections") + 8)
        #expect(try number("residentGrowthBytes") <= number("connections") * 256 * 1024, "\(attack.output)")
        // Less than a slice of the scheduler, which a read may lose to any other process, is no difference.
        let allowed = try 2 * number("controlP99Milliseconds") + 10
        #expect(try number("attackedP99Milliseconds") <= allowed, "\(attack.output)")
        let metrics = try await WireClient(port: attacked.internalPort).get("/metrics").text
        for reason in ["head", "output", "pipelining", "rejected"] {
            let series = "score_http_connections_closed_total{listener=\"public\",reason=\"\(reason)\"}"
            #expect(metrics.contains(series), "\(reason)")
        }
        // The first one runs the private cluster of both.
        for server in [control.process, attacked.process] {
            server.signal(SIGTERM)
            try await server.ended()
            #expect(server.status == 0, "\(server.output)")
        }
    }

    private func serve(_ node: String) async throws -> (process: ChildProcess, publicPort: Int, internalPort: Int) {
        let (publicPort, internalPort) = (try await WireClient.freePort(), try await WireClient.freePort())
        let many = "1000000/60s"
        let process = try ChildProcess(
            "score-server",
            ["serve", "--env", "none"],
            environment: [
                "NODE_ID": node, "DATA_DIR": folder, "HTTP_PUBLIC_PORT": "\(publicPort)",
                "HTTP_INTERNAL_PORT": "\(internalPort)", "LIMITS_READ_ADDRESS": many, "LIMITS_REGISTER": many,
                "LIMITS_REGISTER_ATTEMPT": many, "LIMITS_REGISTER_DAILY": many, "LIMITS_REGISTER_ALL": many,
            ]
        )
        let client = WireClient(port: publicPort)
        try await eventually("the server answers") {
            (try? await client.get("/v1/client-config").status) == 200 || !process.isRunning
        }
        return (process, publicPort, internalPort)
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
