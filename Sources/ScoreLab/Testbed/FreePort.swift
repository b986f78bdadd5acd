// A server gets its port before its start, so that it has the same port after a restart.

import CLinux
import Glibc
import Synchronization

/// A port of 127.0.0.1 that no program listens on.
enum FreePort {
    /// The ports that this process has drawn: a server listens seconds later, and not while it restarts.
    private static let drawn = Mutex<Set<Int>>([])
    /// The share of the ports that this process draws from, so that others seldom draw the same.
    private static let share: Range<Int> = {
        let count = LabLimits.ports.count / LabLimits.portShares
        let start = LabLimits.ports.lowerBound + Int(getpid()) % LabLimits.portShares * count
        return start..<(start + count)
    }()

    /// Draws ports until one is free; no port is drawn twice.
    ///
    /// The system chooses no such port for a connection, so that it stays free while its server restarts.
    static func find() throws(LabError) -> Int {
        for _ in 0..<LabLimits.portDraws {
            let port = Int.random(in: share)
            if isFree(port), drawn.withLock({ $0.insert(port).inserted }) { return port }
        }
        throw .noPort
    }

    private static func isFree(_ port: Int) -> Bool {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        address.sin_port = UInt16(clamping: port).bigEndian
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
                bind(descriptor, generic, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
    }
}
