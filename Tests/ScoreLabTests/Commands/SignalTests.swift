// SIGTERM and SIGINT end all processes that a command has started, and remove its folder.

import Foundation
import TestSupport
import Testing

@Suite(.serialized, .timeLimit(.minutes(5))) struct SignalTests {
    /// Waits until as many servers run below a process as wanted.
    ///
    /// - Returns: Their process ids, and the folder of the run.
    private static func servers(of lab: ChildProcess, count: Int) async throws -> (ids: [Int32], folder: String) {
        var ids: [Int32] = []
        try await eventually("\(count) servers run: \(lab.output)") {
            ids = ProcessTable.children(of: lab.id).filter { ProcessTable.commandLine(of: $0).contains(" serve ") }
            return ids.count == count || !lab.isRunning
        }
        try #require(ids.count == count, "\(lab.output)")
        let authority = try #require(ProcessTable.variable("APNS_CA_FILE", of: ids[0]))
        return (ids, URL(filePath: authority).deletingLastPathComponent().path)
    }

    private static func expectNoProcessesLeft(of folder: String) async throws {
        // The shell that watches the cluster ends a moment after it.
        try await eventually("no process of \(folder) runs") { ProcessTable.running(folder).isEmpty }
        #expect(!FileManager.default.fileExists(atPath: folder))
    }

    @Test(arguments: [SIGTERM, SIGINT]) func aSignalEndsTheDemoWithItsChildren(signal: Int32) async throws {
        let lab = try ChildProcess("score-lab", ["demo", "--followers", "4"])
        let (ids, folder) = try await Self.servers(of: lab, count: 1)
        try await eventually("the demo runs: \(lab.output)") { lab.output.contains("play begins") || !lab.isRunning }
        #expect(ProcessTable.running("\(folder)/postgres").count > 1)
        lab.signal(signal)
        try await lab.ended()
        #expect(lab.status == 128 + signal, "\(lab.output)")
        #expect(ProcessTable.commandLine(of: ids[0]).isEmpty)
        try await Self.expectNoProcessesLeft(of: folder)
    }

    @Test func aSignalDuringTheSetUpEndsTheDemo() async throws {
        let lab = try ChildProcess("score-lab", ["demo", "--followers", "4"])
        var folder: String?
        try await eventually("the cluster is being made: \(lab.output)") {
            let texts = ProcessTable.children(of: lab.id).map(ProcessTable.commandLine)
            let path = texts.lazy.compactMap { $0.firstMatch(of: #/(\S+)\/postgres/data/#) }.first
            folder = path.map { String($0.1) }
            return folder != nil || !lab.isRunning
        }
        lab.signal(SIGTERM)
        try await lab.ended()
        #expect(lab.status == 128 + SIGTERM, "\(lab.output)")
        try await Self.expectNoProcessesLeft(of: try #require(folder))
    }

    @Test func aSignalEndsTheCrashTestWithItsServers() async throws {
        let lab = try ChildProcess("score-lab", ["crash", "--activities", "5000", "--seeds", "1"])
        let (ids, folder) = try await Self.servers(of: lab, count: 2)
        // A stopped server must not survive either.
        kill(ids[1], SIGSTOP)
        lab.signal(SIGTERM)
        try await lab.ended()
        #expect(lab.status == 128 + SIGTERM, "\(lab.output)")
        #expect(ids.allSatisfy { ProcessTable.commandLine(of: $0).isEmpty })
        try await Self.expectNoProcessesLeft(of: folder)
    }

    @Test func aSignalEndsABenchmarkWithItsDatabase() async throws {
        let lab = try ChildProcess("score-lab", ["bench", "arena", "--rows", "1000000"])
        var folder: String?
        try await eventually("the database runs: \(lab.output)") {
            let texts = ProcessTable.children(of: lab.id).map(ProcessTable.commandLine)
            folder = texts.lazy.compactMap { $0.firstMatch(of: #/-D (\S+)/data/#) }.first.map { String($0.1) }
            return folder != nil || !lab.isRunning
        }
        lab.signal(SIGTERM)
        try await lab.ended()
        #expect(lab.status == 128 + SIGTERM, "\(lab.output)")
        try await Self.expectNoProcessesLeft(of: try #require(folder))
    }

    @Test func aSignalEndsTheSinkOfABenchmark() async throws {
        let lab = try ChildProcess("score-lab", ["bench", "fanout", "--tokens", "1000000", "--rounds", "1000"])
        var sinks: [Int32] = []
        try await eventually("the sink runs: \(lab.output)") {
            sinks = ProcessTable.children(of: lab.id).filter { ProcessTable.commandLine(of: $0).contains(" --sink ") }
            return !sinks.isEmpty || !lab.isRunning
        }
        lab.signal(SIGTERM)
        try await lab.ended()
        #expect(lab.status == 128 + SIGTERM, "\(lab.output)")
        #expect(sinks.allSatisfy { ProcessTable.commandLine(of: $0).isEmpty })
        try await Self.expectNoProcessesLeft(of: "score-sink-\(lab.id)")
    }
}
