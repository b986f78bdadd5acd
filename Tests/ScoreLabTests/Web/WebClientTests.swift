// score.js follows matches in a real browser, against scripted streams and against the real server.

import Foundation
import ScoreTypes
import Synchronization
import TestSupport
import Testing

@testable import ScoreLab

@Suite(
    .serialized,
    .timeLimit(.minutes(5)),
    .enabled(if: ChromiumPage.executable != nil, "SKIPPED: Chromium is not installed, so score.js is not tested")
)
struct WebClientTests {
    @Test func streamsAreFollowedToTheirEnd() async throws {
        let streams = ScriptedStreams()
        let api = try streams.server()
        let page = try ChromiumPage(module: "scenarios.js") { api.url }
        defer {
            for _ in 0..<20 { streams.over.signal() }
            api.stop()
            page.server.stop()
        }
        let seen = try await page.open(as: [String: [String]].self)
        #expect(seen["split"] == ["connected", "state m E.1 Zoë 🏏", "end m won", "done"])
        let resumed = ["connected", "state m E.5 -", "waiting", "connected"]
        #expect(seen["resume"] == resumed + ["state m E.6 -", "end m won", "done"])
        #expect(seen["older"] == resumed + ["state m E.7 -", "end m won", "done"])
        #expect(seen["epoch"] == resumed + ["reset m F.1 -", "end m won", "done"])
        #expect(seen["bye"] == ["connected", "waiting", "connected", "state m E.8 -", "end m won", "done"])
        #expect(seen["over"] == ["state m E.9 over", "end m won", "done"], "the last state is read when it was missed")
        #expect(seen["gone"] == ["error 404 not-found false"])
        #expect(seen["polled"] == ["waiting", "waiting", "polling", "state m E.9 over", "end m won", "done"])
        let polled = ["waiting", "waiting", "polling", "state m E.9 over"]
        #expect(seen["proven"] == polled + ["held true", "held false", "end m won", "done"], "the feed states the end")
        #expect(seen["buffered"] == ["polling", "state m E.9 over", "end m won", "done"])
        let silent = ["connected", "state m E.1 -", "waiting", "connected", "state m E.8 -", "end m won", "done"]
        #expect(seen["silent"] == silent)
        let held = ["connected", "state m E.1 -", "held true", "waiting", "connected", "held false"]
        #expect(seen["held"] == held + ["state m E.8 -", "end m won", "done"])
        let both = ["connected", "state m E.1 -", "state n E.2 -", "end m won", "waiting", "connected"]
        #expect(seen["two"] == both + ["state n E.3 -", "end n won", "done"])
        let rest = ["state m E.7 over", "end n null", "waiting", "connected", "state m E.8 -", "end m won", "done"]
        #expect(seen["removed"] == rest, "one removed match of two")
        #expect(seen["left"] == ["connected", "state m E.1 -", "done"])
        #expect(streams.left.await(seconds: 30), "leaving the loop closes the connection")
        #expect(seen["aborted"] == ["connected", "error TimeoutError"])
        #expect(seen["wrong"] == ["error RangeError"])
        #expect(seen["parsed"] == ["message|a\nb|start", "message||7", "message|c|7"])
        let opened = streams.opened.withLock { $0 }
        #expect(opened["resume"] == ["", "lastEventId=E.5"])
        #expect(opened["two"]?.first == "matches=m%2Cn")
        #expect(opened["two"]?.last?.hasPrefix("matches=n&") == true, "a match that is over is not requested again")
        #expect(opened["removed"] == ["matches=m%2Cn", "matches=m"])
    }

    private struct Seen: Decodable, Sendable {
        let match: String
        let epochs: [String]
        let revisions: [Int]
        let connections: [String]
        let lines: [String]
        let end: String?
        let last: Int
    }

    @Test func aMatchOfTheRealServerIsFollowedThroughARestart() async throws {
        let run = try RealServer()
        defer { run.remove() }
        let page = try ChromiumPage(module: "live.js") { [api = run.api] in api }
        defer { page.server.stop() }
        try await run.start(origin: page.server.url)
        let seen = try await page.open(as: Seen.self) {
            await page.server.received { $0.path == "/shown" || $0.path == "/report" }
            try await run.restart()
        }
        try await run.stop()
        #expect(Set(seen.epochs).count == 1 && seen.revisions == seen.revisions.sorted())
        #expect(Set(seen.revisions).count == seen.revisions.count, "no state is delivered twice")
        #expect(seen.revisions.last == seen.last && seen.revisions.count > 20)
        #expect(seen.connections.filter { $0 == "connected" }.count >= 2, "\(seen.connections)")
        #expect(seen.end?.isEmpty == false && seen.lines.allSatisfy { !$0.isEmpty })
    }
}

/// A server and a simulated feed as processes.
private final class RealServer {
    private let folder = URL(filePath: "/var/tmp/score-web-\(UInt32.random(in: 0...UInt32.max))").path
    private let port: Int
    private var feed: ChildProcess?
    private var server: ChildProcess?
    private var settings: [String: String] = [:]
    private static let speed = "300"

    init() throws { port = try FreePort.find() }

    var api: String { "http://127.0.0.1:\(port)" }

    /// Starts the feed and the server, whose API pages of the origin may read.
    func start(origin: String) async throws {
        let feed = try ChildProcess("score-lab", ["simulate-feed", "--port", "0", "--speed", Self.speed])
        self.feed = feed
        try await eventually("the feed listens: \(feed.output)") { feed.output.contains("feed: ") || !feed.isRunning }
        let address = try #require(feed.output.firstMatch(of: #/http:\/\/127\.0\.0\.1:\d+/#)).output
        settings = [
            "NODE_ID": "web", "DATA_DIR": folder, "HTTP_PUBLIC_PORT": "\(port)", "HTTP_INTERNAL_PORT": "0",
            "HTTP_PUBLIC_ORIGINS": origin, "FEED_URL": String(address), "FEED_PLAIN_HTTP_HOSTS": "127.0.0.1",
            "CLOCK_SPEED": Self.speed, "SIMULATION_ALLOWED": "true",
        ]
        try serve()
    }

    private func serve() throws {
        server = try ChildProcess("score-server", ["serve", "--env", "none"], environment: settings)
    }

    /// Kills the server and starts it again.
    func restart() async throws {
        server?.signal(SIGKILL)
        try await server?.ended()
        try serve()
    }

    /// Ends both processes.
    func stop() async throws {
        for process in [server, feed].compactMap(\.self) where process.isRunning {
            process.signal(SIGTERM)
            try await process.ended()
        }
    }

    /// Ends what a failed test has left, and removes the folder.
    func remove() {
        for process in [server, feed].compactMap(\.self) where process.isRunning { process.signal(SIGKILL) }
        try? FileManager.default.removeItem(atPath: folder)
    }
}
