// The lab links no server: it starts the `score-server` that was built or installed beside it.

import Foundation

/// The executable of the server.
enum ServerExecutable {
    private static let name = "score-server"

    /// Finds the executable in the folder of the running program.
    static func locate() throws(LabError) -> URL {
        let own = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
        let server = own.deletingLastPathComponent().appending(path: name)
        guard FileManager.default.isExecutableFile(atPath: server.path) else { throw .noServer(path: server.path) }
        return server
    }
}
