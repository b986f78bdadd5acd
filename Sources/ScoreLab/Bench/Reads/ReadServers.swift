// The servers of the benchmark of reads are processes on one core each, and answer with the same bytes.

import CurlTransfer
import Foundation
import MatchEngine
import MatchJournal
import Postgres
import Providers
import ScoreTypes
import Simulators

/// One server of the benchmark.
struct ReadServer: Sendable {
    /// The names of the servers in the figures.
    enum Name: String, Sendable, CaseIterable {
        case own, bare, nginx, cached
        /// The list of matches of our server.
        case list
    }

    let name: Name
    let port: Int
    /// The tag of its representation.
    let tag: String
    /// The paths that are read in turn.
    let paths: [String]
}

/// The servers, and the matches that they serve.
struct ReadServers: Sendable {
    private static let list = "/v1/matches"

    let bed: Testbed
    private let paths: [String]
    private let core: Int
    /// The shipped configuration of nginx.
    private let nginxFile: String
    private let teardown: Teardown

    /// Starts the parts that servers need, and writes the matches to the journal.
    init(matches: Int, core: Int, nginxFile: String, undoneBy teardown: Teardown) async throws {
        bed = try await Testbed.build(keepsFolder: false, say: { _ in }, undoneBy: teardown)
        (self.core, self.nginxFile, self.teardown) = (core, nginxFile, teardown)
        try await BenchDatabase.prepare(bed.cluster.connectionInfo)
        let ids = (1...matches).map { MatchID(unchecked: "bench-\($0)") }
        paths = ids.map { "/v1/matches/\($0)" }
        let snapshot = try CricsheetAdapter().snapshot(of: CricsheetDocument(json: DemoMatch.document))
        let (feed, clock) = (FeedID(unchecked: "bench"), ServiceClock())
        for id in ids {
            let journal = Journal(pool: bed.pool)
            let writer = MatchWriter(
                match: id,
                feed: feed,
                journal: journal,
                fence: { BenchDatabase.fence },
                clock: clock
            )
            let reply = SeenReply(snapshot, seenAt: clock.wall, source: JournalSource(.cricsheet, feed))
            guard case .applied = try await writer.accept(reply) else {
                throw MeasurementFailure("the match was not written")
            }
        }
        try await BenchDatabase.leave(bed.cluster.connectionInfo)
    }

    /// Starts all servers; each answers when this returns.
    func start() async throws -> [ReadServer] {
        let own = try bed.server("bench-node", speed: 1, core: core, settings: [:])
        try own.start()
        let (body, tag) = try await representation(own.publicPort, paths[0])
        let (_, listTag) = try await representation(own.publicPort, Self.list)
        let file = bed.folder.url.appending(path: "match.json")
        try Data(body).write(to: file)
        let bare = try await startBareRoute(file, tag: tag)
        let nginx = try await startNginx(body)
        let cached = try await startCache(before: own.publicPort, tag: tag)
        return [
            ReadServer(name: .own, port: own.publicPort, tag: tag, paths: paths), bare, nginx, cached,
            ReadServer(name: .list, port: own.publicPort, tag: listTag, paths: [Self.list]),
        ]
    }

    /// Starts nginx with the shipped configuration before our server, in plain text like the others.
    private func startCache(before server: Int, tag: String) async throws -> ReadServer {
        let port = try FreePort.find()
        let folder = bed.folder.url.appending(path: "cache")
        let nginx = try ShippedNginx(nginxFile, in: folder, port: port, server: server, isTLS: false, workers: "1")
        try start(PinnedCommand(ShippedNginx.executable, nginx.arguments(), core: core))
        _ = try await representation(port, paths[0])
        return ReadServer(name: .cached, port: port, tag: tag, paths: paths)
    }

    private func startBareRoute(_ file: URL, tag: String) async throws -> ReadServer {
        let port = try FreePort.find()
        let program = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
        let arguments = ["bench", "bare-route", "--port", "\(port)", "--body", file.path, "--tag", tag]
        try start(PinnedCommand(program, arguments, core: core))
        _ = try await representation(port, paths[0])
        return ReadServer(name: .bare, port: port, tag: tag, paths: paths)
    }

    private func startNginx(_ body: [UInt8]) async throws -> ReadServer {
        let (port, folder) = (try FreePort.find(), bed.folder.url.appending(path: "nginx"))
        let root = folder.appending(path: "v1/matches")
        try FileManager.default.createDirectory(at: root, withIntermediateDirectories: true)
        for path in paths { try Data(body).write(to: folder.appending(path: path)) }
        let settings = """
            worker_processes 1; daemon off; pid nginx.pid; error_log error.log; events { worker_connections 1024; }
            http {
              access_log off; sendfile on; tcp_nopush on; keepalive_requests 100000000; default_type application/json;
              client_body_temp_path body; proxy_temp_path proxy; fastcgi_temp_path fastcgi;
              uwsgi_temp_path uwsgi; scgi_temp_path scgi;
              open_file_cache max=2000; open_file_cache_valid 60s;
              server { listen \(Testbed.host):\(port); root \(folder.path); }
            }
            """
        let file = folder.appending(path: "nginx.conf")
        try Data(settings.utf8).write(to: file)
        let nginx = ShippedNginx.executable
        guard FileManager.default.isExecutableFile(atPath: nginx.path) else {
            throw MeasurementFailure("nginx is not installed; install Debian's packages wrk and nginx-light")
        }
        try start(PinnedCommand(nginx, ["-e", "error.log", "-p", folder.path, "-c", file.path], core: core))
        let (_, tag) = try await representation(port, paths[0])
        return ReadServer(name: .nginx, port: port, tag: tag, paths: paths)
    }

    private func start(_ command: PinnedCommand) throws {
        let process = Process()
        (process.executableURL, process.arguments) = (command.executable, command.arguments)
        (process.standardInput, process.standardOutput) = (FileHandle.nullDevice, FileHandle.nullDevice)
        process.standardError = FileHandle.nullDevice
        try process.run()
        teardown.add {
            process.terminate()
            process.waitUntilExit()
        }
    }

    /// A representation of a server and its tag, once the server answers.
    private func representation(_ port: Int, _ path: String) async throws -> (body: [UInt8], tag: String) {
        let deadline = ContinuousClock.now + LabLimits.readServerStart
        while ContinuousClock.now < deadline {
            let url = "http://\(Testbed.host):\(port)\(path)"
            let reply = try? await bed.driver.perform(Transfer(url: url, security: .local([Testbed.host])))
            if let reply, reply.status == 200, let tag = reply.head.etag { return (reply.body, tag) }
            try await Task.sleep(for: LabLimits.demoPoll)
        }
        throw MeasurementFailure("a server on port \(port) did not answer")
    }
}
