// systemd restarts a node that hangs: a process whose threads are all blocked does not end by itself.

import Glibc
import ScoreTypes

/// Reports to systemd that the node serves, works and stops (sd_notify(3)).
///
/// A report comes from a task on the shared threads, so that none comes when all of them are blocked.
struct SystemdWatchdog: Sendable {
    /// The path of systemd's socket; `@` begins an abstract one.
    private let socketPath: String
    /// Time between two reports.
    private let interval: Duration

    /// Reads `NOTIFY_SOCKET`, `WATCHDOG_USEC` and `WATCHDOG_PID`; nil when systemd expects no reports of this process.
    init?(environment: [String: String], process: pid_t = getpid()) {
        guard let path = environment["NOTIFY_SOCKET"], path.hasPrefix("/") || path.hasPrefix("@"),
            path.utf8.count < MemoryLayout.size(ofValue: sockaddr_un().sun_path)
        else { return nil }
        socketPath = path
        let isOurs = environment["WATCHDOG_PID"].map { $0 == "\(process)" } ?? true
        let limit = environment["WATCHDOG_USEC"].flatMap { Int64($0) }.flatMap { $0 > 0 && isOurs ? $0 : nil }
        // Half of the limit, as sd_watchdog_enabled(3) recommends.
        interval = limit.map { .microseconds($0 / 2) } ?? ServerLimits.watchdogIdle
    }

    /// Reports the start once the node serves, then works until it is cancelled, and reports the stop.
    func run(serving: () async throws -> Void) async {
        guard (try? await serving()) != nil else { return }
        report("READY=1")
        while !Task.isCancelled {
            report("WATCHDOG=1")
            try? await Task.sleep(for: interval)
        }
        report("STOPPING=1")
    }

    private func report(_ message: String) {
        let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        var path = Array(socketPath.utf8)
        // An abstract name begins with a zero byte.
        if path.first == UInt8(ascii: "@") { path[0] = 0 }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path) }
        let size = socklen_t(MemoryLayout<sa_family_t>.size + path.count)
        _ = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                sendto(descriptor, message, message.utf8.count, Int32(MSG_NOSIGNAL), pointer, size)
            }
        }
    }
}
