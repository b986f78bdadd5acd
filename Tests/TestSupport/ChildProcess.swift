// Tests of signals need real processes: this starts an executable of the build and finds its children.

import Foundation
import ScoreTypes
import Synchronization
import Testing

/// A child process of the test with its output.
public final class ChildProcess: Sendable {
    private let process: Process
    private let pipe = Pipe()
    private let bytes = Mutex<[UInt8]>([])

    /// Starts an executable with the search path of the tests.
    ///
    /// - Parameters:
    ///   - executable: Its absolute path, or its file name in the folder of the test bundle.
    ///   - arguments: Its arguments.
    ///   - environment: Its other variables.
    /// - Throws: When it cannot be started.
    public init(_ executable: String, _ arguments: [String], environment: [String: String] = [:]) throws {
        let folder = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
        process = Process()
        process.executableURL = URL(filePath: executable, relativeTo: folder)
        process.arguments = arguments
        let path = ProcessInfo.processInfo.environment["PATH"]
        process.environment = environment.merging(["PATH": path ?? "/usr/bin:/bin"]) { own, _ in own }
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = pipe
        process.standardError = pipe
        let reading = pipe.fileHandleForReading.fileDescriptor
        _ = fcntl(reading, F_SETFL, O_NONBLOCK)
        try process.run()
        // Not a `readabilityHandler`: libdispatch crashed when a handle was released after its last event.
        OwnedThread.start(name: "child output") { [self] in
            var event = pollfd(fd: reading, events: Int16(POLLIN), revents: 0)
            while !drain() { poll(&event, 1, -1) }
        }
    }

    /// Its process id.
    public var id: Int32 { process.processIdentifier }
    /// The output so far, on both streams.
    public var output: String { bytes.withLock { String(decoding: $0, as: UTF8.self) } }
    /// Whether it is still running.
    public var isRunning: Bool { process.isRunning }

    /// The exit status, or the signal that ended the process; valid once it has ended.
    public var status: Int32 { process.terminationStatus }

    /// Sends a signal.
    public func signal(_ number: Int32) { kill(id, number) }

    /// Waits until the process has ended, and reads its last output.
    ///
    /// - Throws: Cancellation.
    public func ended() async throws {
        try await eventually("process \(id) has ended: \(output)") { !isRunning }
        drain()
    }

    /// Reads the output that is there; returns whether all writers have closed it.
    @discardableResult private func drain() -> Bool {
        bytes.withLock { bytes in
            var part = [UInt8](repeating: 0, count: 65_536)
            while true {
                let count = read(pipe.fileHandleForReading.fileDescriptor, &part, part.count)
                guard count > 0 else { return count == 0 }
                bytes += part.prefix(count)
            }
        }
    }
}

/// The processes of this machine, from /proc.
public enum ProcessTable {
    /// Ids of running processes whose command line holds a text.
    public static func running(_ text: String) -> [Int32] {
        ids.filter { commandLine(of: $0).contains(text) }
    }

    /// Ids of the children of a process.
    public static func children(of parent: Int32) -> [Int32] {
        ids.filter { id in
            guard let status = try? String(contentsOfFile: "/proc/\(id)/status", encoding: .utf8) else { return false }
            return status.contains("PPid:\t\(parent)\n")
        }
    }

    /// The arguments of a process, separated by spaces; empty for one that has ended.
    public static func commandLine(of id: Int32) -> String { words(of: id, "cmdline").joined(separator: " ") }

    /// The value of an environment variable of a process.
    public static func variable(_ name: String, of id: Int32) -> String? {
        words(of: id, "environ").first { $0.hasPrefix(name + "=") }.map { String($0.dropFirst(name.count + 1)) }
    }

    private static var ids: [Int32] {
        ((try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []).compactMap { Int32($0) }
    }

    private static func words(of id: Int32, _ file: String) -> [String] {
        guard let handle = FileHandle(forReadingAtPath: "/proc/\(id)/\(file)") else { return [] }
        defer { try? handle.close() }
        let data = (try? handle.readToEnd()) ?? Data()
        return data.split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
    }
}
