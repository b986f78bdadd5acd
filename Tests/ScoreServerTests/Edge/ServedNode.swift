// One server as a process, with a simulated feed and APNs, serves all tests of the public edge.

import Foundation
import Glibc
import MatchSamples
import ScoreTypes
import Synchronization
import TestSupport
import Testing

@testable import ScoreServer

/// `score-server serve` with one live match, and the simulators that it uses.
final class ServedNode: Sendable {
    @TaskLocal private static var running: ServedNode?

    /// The node of the suite.
    static func current() throws -> ServedNode { try #require(running) }

    /// The listed origin of web pages.
    static let origin = "https://scores.example"
    private static let speed = "60"

    /// A match of 23 minutes at this speed, so that it is in play until the last test of the run.
    private static var longMatch: [UInt8] {
        let over = Array(repeating: CricsheetSample.ball(1), count: 6)
        let innings = CricsheetSample.innings(overs: Array(repeating: over, count: 400))
        return CricsheetSample.document(overs: "400", innings: [innings])
    }

    /// A data folder that user postgres can reach.
    let folder: String
    let port: Int
    let match: MatchID
    let epoch: String
    let server: ChildProcess
    private let simulators: [ChildProcess]
    private let clients = Atomic<Int>(0)

    private init(folder: String, port: Int, server: ChildProcess, simulators: [ChildProcess]) async throws {
        (self.folder, self.port, self.server, self.simulators) = (folder, port, server, simulators)
        var found: JSONValue?
        try await eventually("the match is live: \(server.output)") {
            let list = try? await WireClient(port: port).get("/v1/matches?status=live").json
            found = list?["items"]?.list.first
            return found != nil || !server.isRunning
        }
        let id = try #require(found?["id"]?.string)
        match = try #require(MatchID(id))
        epoch = try #require(found?["epoch"]?.string)
    }

    private static func start(in folder: String, _ simulators: inout [ChildProcess]) async throws -> ServedNode {
        let match = "\(folder)/long.json"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try Data(longMatch).write(to: URL(filePath: match))
        let feed = try ChildProcess(
            "score-lab",
            ["simulate-feed", "--match", match, "--port", "0", "--speed", speed]
        )
        let apns = try ChildProcess(
            "score-lab",
            [
                "simulate-apns", "--folder", "\(folder)/apns", "--port", "0", "--management-port", "0",
                "--control-port", "0",
            ]
        )
        simulators = [feed, apns]
        try await eventually("the simulators listen: \(feed.output) \(apns.output)") {
            feed.output.contains("feed: ") && apns.output.contains("apns: ") || !feed.isRunning || !apns.isRunning
        }
        let address = try #require(feed.output.firstMatch(of: #/http:\/\/127\.0\.0\.1:\d+/#)).output
        let ports = apns.output.matches(of: #/https:\/\/[^ ,]*:(\d+)/#).map { String($0.output.1) }
        let (push, manage) = (try #require(ports.first), try #require(ports.dropFirst().first))
        let port = try await WireClient.freePort()
        let settings = [
            "NODE_ID": "edge", "DATA_DIR": "\(folder)/data", "HTTP_PUBLIC_PORT": "\(port)", "HTTP_INTERNAL_PORT": "0",
            "HTTP_PUBLIC_ORIGINS": origin, "CLOCK_SPEED": speed, "SIMULATION_ALLOWED": "true",
            "FEED_URL": String(address), "FEED_PLAIN_HTTP_HOSTS": "127.0.0.1",
            "APNS_PUSH_HOST": "127.0.0.1", "APNS_PUSH_PORT": push, "APNS_MANAGE_HOST": "127.0.0.1",
            "APNS_MANAGE_PORT": manage, "APNS_CA_FILE": "\(folder)/apns/authority.pem",
            "APNS_KEY_FILE": "\(folder)/apns/key.p8", "APNS_KEY_ID": "KEYKEYKEY1", "APNS_TEAM_ID": "TEAMTEAM01",
            "APNS_BUNDLE_ID": "com.example.scores",
        ]
        let server = try ChildProcess("score-server", ["serve", "--env", "none"], environment: settings)
        simulators.append(server)
        return try await ServedNode(folder: folder, port: port, server: server, simulators: [feed, apns])
    }

    /// Runs a body with a node of its own, which must end regularly.
    fileprivate static func with(_ body: () async throws -> Void) async throws {
        let folder = URL(filePath: "/var/tmp/score-edge-\(UInt32.random(in: 0...UInt32.max))").path
        var processes: [ChildProcess] = []
        defer {
            for process in processes where process.isRunning { process.signal(SIGKILL) }
            try? FileManager.default.removeItem(atPath: folder)
        }
        let node = try await start(in: folder, &processes)
        try await $running.withValue(node) { try await body() }
        for process in processes.reversed() {
            process.signal(SIGTERM)
            try await process.ended()
        }
        #expect(node.server.status == 0, "\(node.server.output)")
    }

    /// A client with an address, and so with quotas, of its own.
    func client() -> WireClient {
        let number = clients.add(1, ordering: .relaxed).newValue
        return WireClient(port: port, source: "127.1.\(number / 250).\(number % 250 + 1)")
    }

    /// Registers a phone; returns its headers.
    func phone(_ client: WireClient) async throws -> [String: String] {
        let key = ["Idempotency-Key": String(UInt64.random(in: (1 << 60)...UInt64.max), radix: 16)]
        let answer = try await client.send("POST", "/v1/devices", key, json: Samples.registration)
        let credential = try #require(answer.json["credential"]?.string, "\(answer.text)")
        return ["Authorization": "Bearer \(credential)"]
    }

    /// The resident memory of the server.
    var residentBytes: Int {
        let status = (try? String(contentsOfFile: "/proc/\(server.id)/status", encoding: .utf8)) ?? ""
        let line = status.split(separator: "\n").first { $0.hasPrefix("VmRSS:") } ?? ""
        return (Int(line.split(separator: " ").dropFirst().first ?? "") ?? 0) * 1024
    }
}

/// Gives all tests of a suite one node.
struct ServedNodeTrait: SuiteTrait, TestScoping {
    func provideScope(
        for test: Test,
        testCase: Test.Case?,
        performing function: @Sendable () async throws -> Void
    ) async throws {
        try await ServedNode.with(function)
    }
}

extension Trait where Self == ServedNodeTrait {
    /// Runs the suite with one server as a process.
    static var served: Self { ServedNodeTrait() }
}

/// The tests of the public edge; each is named by its rows of the catalogue of faults and of the security checklist.
@Suite(.served, .timeLimit(.minutes(5))) enum EdgeTests {}
