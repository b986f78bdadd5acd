// Tests of decompression bounds need bodies that grow a thousandfold.

import Foundation

/// Bodies compressed by the system's own program.
enum Gzip {
    /// Compresses zeros.
    ///
    /// - Parameter count: The number of zero bytes.
    /// - Returns: The gzip stream.
    /// - Throws: The error of a shell that cannot be run.
    static func zeros(count: Int) throws -> [UInt8] {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        process.arguments = ["-c", "head -c \(count) /dev/zero | gzip -6"]
        let pipe = Pipe()
        process.standardOutput = pipe
        try process.run()
        let bytes = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return Array(bytes)
    }
}
