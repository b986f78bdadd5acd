// A service manager such as systemd reads what a process reports from a socket for datagrams.

import Foundation
import Glibc

/// The socket of a service manager.
public final class NotifySocket: Sendable {
    /// Its path, for `NOTIFY_SOCKET`.
    public let path: String
    private let descriptor: Int32

    /// Opens a socket in the folder for temporary files.
    ///
    /// - Throws: `CocoaError` when it cannot be opened.
    public init() throws {
        // The path of a socket has at most 107 bytes.
        path = "/tmp/score-notify-\(getpid())-\(UInt32.random(in: 0 ... .max))"
        descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { [path] in $0.copyBytes(from: path.utf8) }
        let isBound = withUnsafePointer(to: &address) { [descriptor] pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                bind(descriptor, pointer, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
            }
        }
        guard isBound else { throw CocoaError(.fileWriteUnknown) }
    }

    /// Takes the messages that wait.
    public func messages() -> [String] {
        var messages: [String] = []
        var bytes = [UInt8](repeating: 0, count: 256)
        while case let count = recv(descriptor, &bytes, bytes.count, 0), count > 0 {
            messages.append(String(decoding: bytes.prefix(count), as: UTF8.self))
        }
        return messages
    }

    /// Closes it and removes its file.
    public func end() {
        close(descriptor)
        unlink(path)
    }
}
