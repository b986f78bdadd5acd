// Tests of slow readers use a socket that nothing reads, and the kernel's state of the other end.

import Foundation
import Glibc

/// A connected TCP socket of 127.0.0.1.
final class PlainSocket: Sendable {
    private let descriptor: Int32
    private let port: UInt16
    private let own: UInt16

    /// Connects; `receiveBytes` is the kernel's receive buffer.
    init(port: Int, receiveBytes: Int32? = nil) throws {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        if var bytes = receiveBytes {
            setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &bytes, socklen_t(MemoryLayout<Int32>.size))
        }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(UInt16(port).bigEndian)
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isConnected = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
                connect(descriptor, generic, length) == 0 && getsockname(descriptor, generic, &length) == 0
            }
        }
        guard isConnected else {
            close(descriptor)
            throw WireError.closed
        }
        (self.descriptor, self.port, own) = (descriptor, UInt16(port), UInt16(bigEndian: address.sin_port))
    }

    deinit { close(descriptor) }

    /// Sends text, as much as fits.
    func send(_ text: String) throws {
        let bytes = Array(text.utf8)
        guard Glibc.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL)) > 0 else {
            throw WireError.closed
        }
    }

    /// Whether the server's end of the connection is established.
    var isOpenAtServer: Bool {
        // The kernel writes the table in pieces; `String(contentsOfFile:)` reads only the first one.
        let file = FileHandle(forReadingAtPath: "/proc/net/tcp")
        guard let table = try? file?.readToEnd() else { return false }
        let ends = String(format: "0100007F:%04X 0100007F:%04X 01 ", port, own)
        return String(decoding: table, as: UTF8.self).contains(ends)
    }
}
