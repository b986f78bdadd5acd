// The sink runs as a process of its own on the other core, so that the dispatcher's figures are the dispatcher's alone.

import Foundation
import ScoreTypes

/// Where pushes go during a measurement: a child of this process, or a sink that was started elsewhere.
struct BenchSink: Sendable {
    let host: String
    let port: UInt16
    /// The certificate to trust, PEM.
    let authority: [UInt8]
    /// Where a child writes its certificate and its count; nil for a sink that was started elsewhere.
    private let folder: URL?

    /// Starts a sink, pinned to a core if there is one.
    ///
    /// - `roundTrip`: Time from a request to its answer.
    static func start(
        core: Int?,
        roundTrip: Duration = .zero,
        undoneBy teardown: Teardown
    ) throws -> BenchSink {
        let name = "score-sink-\(getpid())-\(Int(roundTrip.inMilliseconds))"
        let folder = FileManager.default.temporaryDirectory.appending(path: name)
        let process = Process()
        let binary = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
        let delay = RoundTripText(roundTrip).text
        let words = ["simulate-apns", "--sink", "--port", "0", "--folder", folder.path, "--round-trip", delay]
        if let core {
            process.executableURL = URL(filePath: "/usr/bin/taskset")
            process.arguments = ["-c", String(core), binary.path] + words
        } else {
            process.executableURL = binary
            process.arguments = words
        }
        let output = Pipe()
        process.standardOutput = output
        process.standardInput = FileHandle.nullDevice
        try process.run()
        teardown.add {
            process.terminate()
            process.waitUntilExit()
            try? FileManager.default.removeItem(at: folder)
        }
        let port = try port(from: output)
        let path = folder.appending(path: "authority.pem").path
        guard let authority = FileManager.default.contents(atPath: path) else {
            throw MeasurementFailure("the sink wrote no certificate to \(path)")
        }
        return BenchSink(host: "127.0.0.1", port: port, authority: Array(authority), folder: folder)
    }

    /// A sink that listens already, with the file of its certificate.
    static func elsewhere(host: String, port: UInt16, authorityFile: String) throws -> BenchSink {
        guard let authority = FileManager.default.contents(atPath: authorityFile) else {
            throw MeasurementFailure("cannot read \(authorityFile)")
        }
        return BenchSink(host: host, port: port, authority: Array(authority), folder: nil)
    }

    /// Requests that the sink has answered by its own count; nil for one that was started elsewhere.
    var answered: Int? {
        guard let path = folder?.appending(path: "answered").path,
            let data = FileManager.default.contents(atPath: path)
        else { return nil }
        return Int(String(decoding: data, as: UTF8.self).filter(\.isNumber))
    }

    /// Reads the port in the first line of a child's output.
    private static func port(from output: Pipe) throws -> UInt16 {
        var seen = Data()
        while !seen.contains(UInt8(ascii: "\n")) {
            let more = output.fileHandleForReading.availableData
            guard !more.isEmpty else { throw MeasurementFailure("the sink did not start") }
            seen += more
        }
        let digits = String(decoding: seen, as: UTF8.self).split(separator: "\n").first?.split(separator: ":").last
        guard let digits, let port = UInt16(digits) else { throw MeasurementFailure("the sink names no port") }
        return port
    }
}
