// Chooses the form of the log once, at start.

import Foundation
import Logging
import ScoreTypes

/// The log of the process.
enum LogOutput {
    /// A factory of handlers for `LoggingSystem.bootstrap`; lines go to standard error in one write each.
    static func factory(
        format: ServerConfiguration.LogFormat,
        level: Logger.Level,
        node: String,
        clock: ServiceClock
    ) -> @Sendable (String) -> any LogHandler {
        { label in
            switch format {
            case .json: JSONLogHandler(label: label, node: node, clock: clock, write: toStandardError, logLevel: level)
            case .text: TextLogHandler(label: label, clock: clock, write: toStandardError, logLevel: level)
            }
        }
    }

    private static let toStandardError: @Sendable ([UInt8]) -> Void = { line in
        // A line that cannot be written is lost; there is no other output.
        _ = line.withUnsafeBytes { Foundation.write(STDERR_FILENO, $0.baseAddress, $0.count) }
    }
}
