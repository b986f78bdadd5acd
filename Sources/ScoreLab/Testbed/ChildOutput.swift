// Measurements run programs that print their figures and end.

import Foundation
import Synchronization

/// The output of a child process.
enum ChildOutput {
    /// Runs a command to its end and returns what it printed.
    ///
    /// Throws `MeasurementFailure` when it fails or takes longer.
    static func read(_ command: PinnedCommand, within limit: Duration) throws -> String {
        let (process, pipe) = (Process(), Pipe())
        (process.executableURL, process.arguments) = (command.executable, command.arguments)
        (process.standardOutput, process.standardError) = (pipe, pipe)
        process.standardInput = FileHandle.nullDevice
        try process.run()
        let overdue = DispatchWorkItem { process.terminate() }
        DispatchQueue.global().asyncAfter(deadline: .now() + .seconds(Int(limit.components.seconds)), execute: overdue)
        let data = try pipe.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        overdue.cancel()
        let text = String(decoding: data, as: UTF8.self)
        guard process.terminationStatus == 0 else {
            throw MeasurementFailure("\(command.arguments.joined(separator: " ")) failed:\n\(text)")
        }
        return text
    }
}
