// wrk measures all servers alike: one thread on a core of its own, connections that stay open.

import Foundation
import ScoreTypes

/// A program that sends as many requests as a server answers.
struct LoadGenerator: Sendable {
    private static let executable = URL(filePath: "/usr/bin/wrk")

    /// Connections, each with one request at a time.
    let connections: Int
    let seconds: Int
    /// The core that it runs on.
    let core: Int
    /// The paths that are read in turn, in a script for wrk.
    private let script: URL

    /// Prepares the requests; throws `MeasurementFailure` when wrk is not installed.
    init(_ name: String, paths: [String], connections: Int, seconds: Int, core: Int, folder: URL) throws {
        guard FileManager.default.isExecutableFile(atPath: Self.executable.path) else {
            throw MeasurementFailure("wrk is not installed; install Debian's packages wrk and nginx-light")
        }
        (self.connections, self.seconds, self.core) = (connections, seconds, core)
        script = folder.appending(path: "\(name).lua")
        let list = paths.map { "\"\($0)\"" }.joined(separator: ",")
        let lua = """
            local paths, requests, turn = {\(list)}, {}, 0
            function init(args)
              for place, path in ipairs(paths) do
                requests[place] = wrk.format("GET", path, args[1] and { ["If-None-Match"] = args[1] } or nil)
              end
            end
            function request()
              turn = turn % #paths + 1
              return requests[turn]
            end
            """
        try Data(lua.utf8).write(to: script)
    }

    /// The answers per second of a server; with a tag the requests are conditional.
    ///
    /// Throws `MeasurementFailure` when a request failed.
    func answersPerSecond(port: Int, tag: String? = nil) throws -> Double {
        let arguments = [
            "-t", "1", "-c", "\(connections)", "-d", "\(seconds)s", "-s", script.path,
            "http://\(Testbed.host):\(port)",
        ]
        let command = PinnedCommand(Self.executable, arguments + (tag.map { ["--", $0] } ?? []), core: core)
        let text = try ChildOutput.read(command, within: .seconds(seconds) + LabLimits.loadGeneratorEnd)
        // wrk counts only statuses from 400 as errors, and reports them on lines of their own.
        guard !text.contains("Non-2xx"), !text.contains("Socket errors"),
            let rate = text.firstMatch(of: #/Requests\/sec: +([0-9.]+)/#).flatMap({ Double($0.1) })
        else { throw MeasurementFailure("requests failed:\n\(text)") }
        return rate
    }
}
