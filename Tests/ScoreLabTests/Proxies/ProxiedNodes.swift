// Scripted nodes behind a shipped proxy show which of them a request reaches.

import Foundation
import TestSupport
import Testing

@testable import ScoreLab

/// A proxy before scripted nodes, in plain HTTP/1.1; HAProxy has one node.
final class ProxiedNodes {
    private let proxy: Proxy
    private let nodes: [ScriptedServer]
    private let folder = URL(filePath: "/var/tmp/score-proxy-\(UInt32.random(in: 0...UInt32.max))")
    private let gate: ChildProcess
    /// The port of the proxy.
    let port: Int

    /// Starts the proxy, and waits until it answers.
    init(_ proxy: Proxy, _ nodes: [ScriptedServer], edits: [String: String] = [:]) async throws {
        let (first, port) = (try #require(nodes.first).port, try FreePort.find())
        (self.proxy, self.nodes, self.port) = (proxy, nodes, port)
        gate = try proxy.start(
            in: folder,
            port: port,
            server: (publicPort: first, internalPort: first),
            others: nodes.dropFirst().map(\.port),
            edits: edits,
            isTLS: false
        )
        try await eventually("the proxy answers: \(gate.output)") {
            (try? get("/"))?.status == 404 || !gate.isRunning
        }
        try #require(gate.isRunning, "\(gate.output)")
    }

    /// An answer through the proxy.
    func get(_ path: String, _ options: [String] = []) throws -> ProxiedAnswer {
        let host = proxy == .haproxy ? ShippedConfiguration.host : Testbed.host
        let place = ["--resolve", "\(host):\(port):\(Testbed.host)", "--noproxy", "*", "http://\(host):\(port)\(path)"]
        let command = PinnedCommand(Proxy.curl, ["-sS", "-m", "20", "-D", "-"] + options + place, core: nil)
        return ProxiedAnswer(try ChildOutput.read(command, within: .seconds(60)))
    }

    /// Ends the proxy and the nodes.
    func stop() async throws {
        gate.signal(SIGTERM)
        try await gate.ended()
        remove()
    }

    /// Ends what a failed test has left, and removes the folder.
    func remove() {
        if gate.isRunning { gate.signal(SIGKILL) }
        for node in nodes { node.stop() }
        try? FileManager.default.removeItem(at: folder)
    }
}
