// Figures of two programs compare only when each has one core of its own.

import Foundation

/// A command that runs on one core.
struct PinnedCommand: Sendable {
    let executable: URL
    let arguments: [String]

    /// Makes the command; without a core it runs on any.
    init(_ executable: URL, _ arguments: [String], core: Int?) {
        guard let core else {
            (self.executable, self.arguments) = (executable, arguments)
            return
        }
        self.executable = URL(filePath: "/usr/bin/taskset")
        self.arguments = ["--cpu-list", "\(core)", executable.path] + arguments
    }
}
