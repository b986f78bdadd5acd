// `check-config` and `serve` open what the settings name, so that a fault is reported before anything starts.

import Foundation
import Glibc
import PushDispatcher
import ScoreTypes
import TestSupport
import Testing

@testable import ScoreServer

@Suite(.timeLimit(.minutes(1))) struct CheckConfigTests {
    private static let key = [
        "APNS_KEY_ID": "KEYKEYKEY1", "APNS_TEAM_ID": "TEAMTEAM01", "APNS_BUNDLE_ID": "com.example.app",
    ]

    @Test(
        "H15, S41: a file or address that cannot be read is reported",
        arguments: [
            (
                ["APNS_KEY_FILE": "/nonexistent/key.p8"],
                "apns.key.file: signing key /nonexistent/key.p8: cannot be read"
            ),
            (["APNS_KEY_FILE": "/etc/hostname"], "apns.key.file: signing key"),
            (["APNS_CA_FILE": "/nonexistent/authority.pem"], "apns.ca.file: cannot read /nonexistent/authority.pem"),
            (["HTTP_INTERNAL_HOST": "0.0.0.0"], "http.internal.host must be a loopback address such as 127.0.0.1"),
            (["DATABASE_URL": "nonsense of a secret"], "database.url: expected a connection URI"),
            (["DATABASE_URL": "postgresql://secret@host:port:port/"], "database.url: expected a connection URI"),
            (
                ["DATABASE_URL": "postgresql://secret@a.example,127.0.0.1/score?sslmode=require"],
                "database.url: sslmode=require does not verify a.example; expected verify-full"
            ),
        ]
    )
    func aFileOrAddressThatCannotBeReadIsReported(settings: [String: String], complaint: String) async throws {
        let environment = Self.key.merging(settings) { $1 }
        for command in ["check-config", "serve"] {
            let process = try ChildProcess("score-server", [command, "--env", "none"], environment: environment)
            try await process.ended()
            #expect(process.status == 1, "\(process.output)")
            #expect(process.output.contains(complaint))
            #expect(!process.output.contains("secret"))
        }
    }

    @Test("H15: all complaints about files and addresses are reported at once")
    func allComplaintsAreReportedAtOnce() async throws {
        let environment = Self.key.merging(["APNS_KEY_FILE": "/nonexistent/a", "DATABASE_URL": "x"]) { $1 }
        let process = try ChildProcess("score-server", ["check-config", "--env", "none"], environment: environment)
        try await process.ended()
        #expect(process.output.contains("apns.key.file: ") && process.output.contains("database.url: "))
    }

    @Test func completeSettingsPass() async throws {
        let environment = [
            "DATABASE_URL": "postgresql://score@db.example:5432/score", "NODE_ID": "a", "LIMITS_STREAMS_NODE": "100",
            "LIMITS_CONNECTIONS_NODE": "100",
        ]
        let process = try ChildProcess("score-server", ["check-config", "--env", "none"], environment: environment)
        try await process.ended()
        #expect(process.status == 0 && process.output == "The settings of a are complete.\n")
    }

    @Test(arguments: [("info", 0), ("loud", 1)] as [(String, Int32)])
    func unknownNamesInTheEnvironmentAreReported(level: String, status: Int32) async throws {
        let environment = [
            "HTTP_PUBLIC_TRUSTED_PROXY": "127.0.0.1", "FEED_PORT": "tcp://10.0.0.1:80", "LOG_LEVEL": level,
        ]
        let process = try ChildProcess("score-server", ["check-config", "--env", "none"], environment: environment)
        try await process.ended()
        // Kubernetes sets the second name for a service that is named feed: the settings remain usable.
        #expect(process.status == status, "\(process.output)")
        for name in ["HTTP_PUBLIC_TRUSTED_PROXY", "FEED_PORT"] {
            let warning = "Warning: environment: \(name) is not a key of this server.\n"
            #expect(process.output.contains(warning), "\(process.output)")
        }
    }

    @Test func unknownNamesInTheEnvironmentAreLoggedAtTheStart() async throws {
        // No database listens on the port: the server waits for one.
        let environment = [
            "DATABASE_URL": "postgresql://score@127.0.0.1:1/score", "HTTP_PUBLIC_TRUSTED_PROXY": "127.0.0.1",
            "FEED_ULR": "https://feed.example",
        ]
        let process = try ChildProcess("score-server", ["serve", "--env", "none"], environment: environment)
        defer { process.signal(SIGKILL) }
        try await eventually("the server waits for its database") {
            process.output.contains("PostgreSQL does not answer") || !process.isRunning
        }
        let lines = process.output.split(separator: "\n").filter { $0.contains("environment.names.unknown") }
        #expect(lines.count == 1, "\(process.output)")
        #expect(lines.allSatisfy { $0.contains("FEED_ULR, HTTP_PUBLIC_TRUSTED_PROXY") }, "\(process.output)")
    }

    @Test(arguments: [
        "postgresql://score@db.example/score?sslmode=verify-full", "host=/run/postgresql dbname=score sslmode=disable",
        "postgresql://score@127.0.0.1:5432/score?sslmode=disable",
    ])
    func aVerifiedOrLocalDatabasePasses(address: String) throws {
        let settings = try ConfigurationLoader.load(
            environment: ["DATABASE_URL": address],
            file: ConfigurationLoader.noFile
        )
        try settings.checkFiles()
    }

    @Test func anUnverifiedDatabaseNeedsASetting() throws {
        let environment = [
            "DATABASE_URL": "postgresql://score@db.example/score?sslmode=disable", "DATABASE_UNVERIFIED": "true",
        ]
        try ConfigurationLoader.load(environment: environment, file: ConfigurationLoader.noFile).checkFiles()
    }

    @Test func theSettingsOfTheSimulatorsPageAreComplete() throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        let page = try String(contentsOf: root.appending(path: "docs/simulators.md"), encoding: .utf8)
        let text = try #require(page.firstMatch(of: /<!-- settings: simulators -->\n```\n((?s).*?)```/)?.1)
        let file = FileManager.default.temporaryDirectory.appending(path: "simulators-\(UUID().uuidString).env")
        defer { try? FileManager.default.removeItem(at: file) }
        try Data(text.utf8).write(to: file)
        let settings = try ConfigurationLoader.load(environment: [:], file: file.path)
        #expect(settings.feeds.map(\.url) == ["http://127.0.0.1:8090"] && settings.clockSpeed == 20)
        let endpoints = try #require(settings.push.environments[.sandbox])
        #expect(endpoints.push.port == 8443 && endpoints.broadcast == endpoints.push)
        #expect(endpoints.management.host == "127.0.0.1" && endpoints.management.port == 8444)
    }

    @Test func broadcastsUseThePortForPushesUnlessTheyHaveTheirOwn() throws {
        var variables = ["APNS_PUSH_HOST": "127.0.0.1", "APNS_PUSH_PORT": "8443"]
        func endpoints() throws -> DispatcherConfiguration.Endpoints {
            let settings = try ConfigurationLoader.load(environment: variables, file: ConfigurationLoader.noFile)
            return try #require(settings.push.environments[.sandbox])
        }
        #expect(try endpoints().broadcast == endpoints().push && endpoints().push.port == 8443)
        variables["APNS_BROADCAST_PORT"] = "9443"
        #expect(try endpoints().broadcast.port == 9443 && endpoints().broadcast.host == "127.0.0.1")
    }
}
