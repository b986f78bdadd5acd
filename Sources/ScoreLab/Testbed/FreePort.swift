// A server gets its port before its start, so that it has the same port after a restart.

import CLinux
import Glibc

/// A port of 127.0.0.1 that no program listens on.
enum FreePort {
    /// Binds a port that the system chooses, and releases it.
    static func find() throws(LabError) -> Int {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
                bind(descriptor, generic, length) == 0 && getsockname(descriptor, generic, &length) == 0
            }
        }
        guard descriptor >= 0, isBound else { throw .noPort }
        return Int(UInt16(bigEndian: address.sin_port))
    }
}
