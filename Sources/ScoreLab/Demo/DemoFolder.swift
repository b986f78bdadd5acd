// Where a demo keeps its database, keys and log; gone at the end unless somebody wants to look.

import Foundation
import HTTP2

/// A folder of one demo.
struct DemoFolder: Sendable {
    let url: URL

    /// Makes a new folder below /var/tmp, which user postgres can reach and whose path is short enough for a socket.
    static func make() throws -> DemoFolder {
        let name = "score-server-demo-\(String(UInt32.random(in: 0...UInt32.max), radix: 36))"
        let folder = DemoFolder(url: URL(filePath: "/var/tmp").appending(path: name))
        do {
            // Others may pass through to their own part, as the database's user does, but not look around.
            try FileManager.default.createDirectory(
                at: folder.url,
                withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o711]
            )
        } catch {
            throw DemoError.noFolder(path: folder.url.path)
        }
        return folder
    }

    var postgres: String { url.appending(path: "postgres").path }
    var keyFile: String { url.appending(path: "apns.p8").path }
    var authorityFile: String { url.appending(path: "authority.pem").path }
    var log: String { url.appending(path: "serve.log").path }

    /// Writes the signing key, readable by its owner alone, and the authority that the simulated Apple is signed by.
    func write(_ key: DemoKeyPair, _ identity: TLSIdentity) throws {
        for (path, bytes) in [(keyFile, key.privatePEM), (authorityFile, identity.certificatePEM)] {
            let isWritten = FileManager.default.createFile(
                atPath: path,
                contents: Data(bytes),
                attributes: [.posixPermissions: 0o600]
            )
            guard isWritten else { throw DemoError.noFolder(path: path) }
        }
    }

    /// The log of the server, open for writing.
    func openLog() throws -> FileHandle {
        _ = FileManager.default.createFile(atPath: log, contents: nil)
        guard let handle = FileHandle(forWritingAtPath: log) else { throw DemoError.noFolder(path: log) }
        return handle
    }

    func remove() { try? FileManager.default.removeItem(at: url) }
}
