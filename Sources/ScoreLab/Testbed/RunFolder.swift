// The files of one run: database, keys and log.

import Foundation

/// A new folder of one run.
struct RunFolder: Sendable {
    let url: URL

    var postgres: String { url.appending(path: "postgres").path }
    var log: String { url.appending(path: "serve.log").path }

    /// Makes a folder below /var/tmp, which user postgres can reach and whose path is short enough for a socket.
    static func make() throws(LabError) -> RunFolder {
        let name = "score-lab-\(String(UInt32.random(in: 0...UInt32.max), radix: 36))"
        let folder = RunFolder(url: URL(filePath: "/var/tmp").appending(path: name))
        do {
            // Other users may pass through, as the database's user does, but not list the folder.
            try FileManager.default.createDirectory(
                at: folder.url,
                withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o711]
            )
        } catch {
            throw .noFolder(path: folder.url.path)
        }
        return folder
    }

    /// Opens the log of the servers for writing.
    func openLog() throws(LabError) -> FileHandle {
        _ = FileManager.default.createFile(atPath: log, contents: nil)
        guard let handle = FileHandle(forWritingAtPath: log) else { throw .noFolder(path: log) }
        return handle
    }

    func remove() { try? FileManager.default.removeItem(at: url) }
}
