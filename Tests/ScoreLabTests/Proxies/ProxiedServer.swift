// The shipped configurations run in Debian's nginx and HAProxy before the real server; curl is the client.

import Foundation
import ScoreTypes
import TestSupport
import Testing

@testable import ScoreLab

/// A proxy with a shipped configuration.
enum Proxy: String, CaseIterable, CustomTestStringConvertible {
    case nginx, haproxy

    var testDescription: String { rawValue }

    private static let haproxyFile = URL(filePath: "/usr/sbin/haproxy")
    static let curl = URL(filePath: "/usr/bin/curl")

    /// Whether all programs of the tests are installed.
    static let areInstalled = [ShippedNginx.executable, haproxyFile, curl].allSatisfy {
        FileManager.default.isExecutableFile(atPath: $0.path)
    }

    private static let project = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    /// Starts the proxy in a folder; the ports are its own and those of the server.
    ///
    /// - `others`: The ports of further nodes behind nginx; one that repeats counts as a node of its own.
    /// - `edits`: Texts of the configuration and their replacements.
    func start(
        in folder: URL,
        port: Int,
        server: (publicPort: Int, internalPort: Int),
        others: [Int] = [],
        edits: [String: String] = [:],
        isTLS: Bool
    ) throws -> ChildProcess {
        switch self {
        case .nginx:
            var nginx = try ShippedNginx(
                Self.project.appending(path: ShippedNginx.path).path,
                in: folder,
                port: port,
                server: server.publicPort,
                isTLS: isTLS,
                // Each worker counts the failures of a node for itself.
                workers: others.isEmpty ? "auto" : "1"
            )
            try nginx.configuration.add(others, beside: server.publicPort)
            for (shipped, own) in edits { try nginx.configuration.replace(shipped, by: own) }
            return try ChildProcess(ShippedNginx.executable.path, nginx.arguments())
        case .haproxy:
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            let identity = try ShippedConfiguration.writeIdentity(to: folder)
            var text = try ShippedConfiguration(Self.project.appending(path: "deploy/haproxy.cfg").path)
            try text.replace("    user haproxy\n    group haproxy\n", by: "")
            try text.replace("maxconn 60000", by: "maxconn 1000")
            let bind = ":443 ssl crt /etc/haproxy/score-server.pem alpn h2,http/1.1"
            let address = "\(Testbed.host):\(port)"
            try text.replace(bind, by: isTLS ? "\(address) ssl crt \(identity.both) alpn h2,http/1.1" : address)
            try text.replace("127.0.0.1:8080", by: "\(Testbed.host):\(server.publicPort)")
            try text.replace("check port 9090", by: "check port \(server.internalPort)")
            for (shipped, own) in edits { try text.replace(shipped, by: own) }
            let file = try text.write(to: folder, name: "haproxy.cfg")
            return try ChildProcess(Self.haproxyFile.path, ["-db", "-f", file])
        }
    }
}

extension ShippedConfiguration {
    /// Repeats the lines of a node for others.
    fileprivate mutating func add(_ others: [Int], beside first: Int) throws {
        let node = "server \(Testbed.host):\(first) "
        for line in Set(text.split(separator: "\n").filter { $0.contains(node) }.map(String.init)) {
            let added = others.map { line.replacingOccurrences(of: node, with: "server \(Testbed.host):\($0) ") }
            try replace(line, by: ([line] + added).joined(separator: "\n"))
        }
    }
}

/// A server with a proxy before it, and a feed when the test needs a match.
final class ProxiedServer {
    let proxy: Proxy
    private let isTLS: Bool
    private let folder = URL(filePath: "/var/tmp/score-proxy-\(UInt32.random(in: 0...UInt32.max))")
    private let server: (publicPort: Int, internalPort: Int)
    /// The port of the proxy.
    let port: Int
    private var processes: [ChildProcess] = []
    private var settings: [String: String] = [:]

    init(_ proxy: Proxy, isTLS: Bool) throws {
        (self.proxy, self.isTLS) = (proxy, isTLS)
        server = (try FreePort.find(), try FreePort.find())
        port = try FreePort.find()
    }

    /// The host name that the proxy serves.
    var host: String { isTLS || proxy == .haproxy ? ShippedConfiguration.host : Testbed.host }

    /// Starts all parts, and waits until the server answers through the proxy.
    ///
    /// - `isTwice`: Whether the server stands for two nodes: nginx counts no failures of a single one.
    func start(feedSpeed: Int? = nil, settings: [String: String] = [:], isTwice: Bool = false) async throws {
        var settings = settings.merging([
            "NODE_ID": "proxied", "DATA_DIR": folder.appending(path: "data").path,
            "HTTP_PUBLIC_PORT": "\(server.publicPort)", "HTTP_INTERNAL_PORT": "\(server.internalPort)",
            "HTTP_PUBLIC_TRUSTED_PROXIES": "127.0.0.1",
        ]) { own, _ in own }
        if let feedSpeed {
            let feed = try ChildProcess("score-lab", ["simulate-feed", "--port", "0", "--speed", "\(feedSpeed)"])
            processes.append(feed)
            try await eventually("the feed listens") { feed.output.contains("feed: ") || !feed.isRunning }
            let address = try #require(feed.output.firstMatch(of: #/http:\/\/127\.0\.0\.1:\d+/#)).output
            settings["FEED_URL"] = String(address)
            settings["FEED_PLAIN_HTTP_HOSTS"] = "127.0.0.1"
            settings["CLOCK_SPEED"] = "\(feedSpeed)"
            settings["SIMULATION_ALLOWED"] = "true"
        }
        self.settings = settings
        let process = try ChildProcess("score-server", ["serve", "--env", "none"], environment: settings)
        processes.append(process)
        try await eventually("the server is ready: \(process.output)") {
            (try? curl(["-f", "http://\(Testbed.host):\(server.internalPort)/readyz"])) != nil || !process.isRunning
        }
        let gate = try proxy.start(
            in: folder.appending(path: "proxy"),
            port: port,
            server: server,
            others: isTwice ? [server.publicPort] : [],
            isTLS: isTLS
        )
        processes.append(gate)
        try await eventually("the proxy answers: \(gate.output)") {
            (try? get("/v1/client-config")) != nil || !gate.isRunning
        }
        try #require(process.isRunning && gate.isRunning, "\(process.output)\n\(gate.output)")
    }

    /// Switches a part of the service off, and waits until the server has applied that.
    func switchOff(_ flag: String) async throws {
        let words = ["admin", "tokens", "create", "--env", "none", "--name", "test", "--role", "admin"]
        let command = try ChildProcess("score-server", words, environment: settings)
        try await command.ended()
        let token = try #require(command.output.firstMatch(of: #/ssa1\.\S+/#), "\(command.output)").output
        let headers = ["-H", "Authorization: Bearer \(token)", "-H", "Content-Type: application/json"]
        let body = ["-X", "PUT", "-d", #"{"value": false, "reason": "a test"}"#]
        let place = "http://\(Testbed.host):\(server.internalPort)/admin/api/v1/flags/\(flag)"
        _ = try curl(["-f"] + headers + body + [place])
        try await eventually("the switch is applied") {
            processes.contains { $0.output.contains("switch applied") }
        }
    }

    /// Ends the feed, whose match then stays as it is.
    func stopFeed() async throws { try await end(processes.removeFirst()) }

    /// Ends the server, which is then the first process.
    func stopServer() async throws { try await end(processes.removeFirst()) }

    private func end(_ process: ChildProcess) async throws {
        process.signal(SIGTERM)
        try await process.ended()
    }

    /// Ends all processes, the proxy first, and removes the folder.
    func stop() async throws {
        for process in processes.reversed() where process.isRunning { try await end(process) }
        remove()
    }

    /// Ends what a failed test has left, and removes the folder.
    func remove() {
        for process in processes where process.isRunning { process.signal(SIGKILL) }
        try? FileManager.default.removeItem(at: folder)
    }

    /// The output of curl; throws when it fails.
    func curl(_ arguments: [String]) throws -> String {
        let command = PinnedCommand(Proxy.curl, ["-sS", "-m", "20"] + arguments, core: nil)
        return try ChildOutput.read(command, within: .seconds(60))
    }

    /// The arguments by which curl reaches the proxy.
    var client: [String] {
        let authority = folder.appending(path: "proxy/certificate.pem").path
        return ["--cacert", authority, "--resolve", "\(host):\(port):\(Testbed.host)", "--noproxy", "*"]
    }

    /// A URL of the proxy.
    func url(_ path: String) -> String { "\(isTLS ? "https" : "http")://\(host):\(port)\(path)" }

    /// Status line, headers and body of an answer through the proxy; header names are in lower case.
    @discardableResult
    func get(_ path: String, _ options: [String] = []) throws -> ProxiedAnswer {
        ProxiedAnswer(try curl(client + ["-D", "-"] + options + [url(path)]))
    }

    /// The body of the server's own answer.
    func direct(_ path: String) throws -> String {
        try curl(["http://\(Testbed.host):\(server.publicPort)\(path)"])
    }

    /// A stream that curl reads, through the proxy or directly.
    func stream(_ path: String, direct: Bool = false, _ options: [String] = []) throws -> ChildProcess {
        let place = direct ? ["http://\(Testbed.host):\(server.publicPort)\(path)"] : client + [url(path)]
        return try ChildProcess(Proxy.curl.path, ["-sSN", "-D", "-"] + options + place)
    }

    /// The requests of a route that reached the server, of one status or of all.
    func received(_ route: String, code: Int? = nil) throws -> Int {
        let metrics = try curl(["http://\(Testbed.host):\(server.internalPort)/metrics"])
        return metrics.split(separator: "\n").filter { line in
            line.hasPrefix("score_http_requests_total{") && line.contains("listener=\"public\"")
                && line.contains("route=\"\(route)\"") && (code.map { line.contains("code=\"\($0)\"") } ?? true)
        }.compactMap { $0.split(separator: " ").last.flatMap { Int($0) } }.reduce(0, +)
    }
}

/// An answer as curl prints it.
struct ProxiedAnswer {
    /// The protocol version and the status of the last answer, such as `2` and `200`.
    let version: String
    let status: Int
    private let headers: [String: String]
    let body: String

    init(_ text: String) {
        let text = text.replacingOccurrences(of: "\r\n", with: "\n")
        let parts = text.components(separatedBy: "\n\n")
        let lines = (parts.first ?? "").split(separator: "\n")
        let words = (lines.first ?? "").split(separator: " ")
        version = words.first.map { $0.replacingOccurrences(of: "HTTP/", with: "") } ?? ""
        status = words.count > 1 ? Int(words[1]) ?? 0 : 0
        let fields = lines.dropFirst().map { $0.split(separator: ":", maxSplits: 1).map(String.init) }
        headers = Dictionary(
            fields.map { ($0[0].lowercased(), $0.count > 1 ? String($0[1].dropFirst()) : "") }
        ) { first, _ in first }
        body = parts.dropFirst().joined(separator: "\n\n")
    }

    subscript(name: String) -> String? { headers[name] }
}
