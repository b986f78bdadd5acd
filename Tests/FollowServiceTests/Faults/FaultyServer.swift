// A Postgres server of one test that is killed and restarted in place; durable, since its guarantees are tested.

import Foundation
import Postgres
import Synchronization
import Testing

/// A server that can be ended in any way and started again.
final class FaultyServer: Sendable {
    /// The ways to end a server.
    enum End: String, CaseIterable, Sendable {
        /// As `pg_ctl restart -m fast` does.
        case fast
        /// As `pg_ctl stop -m immediate` does: no checkpoint, the next start recovers.
        case immediate
        /// With SIGKILL.
        case killed
    }

    let directory: String
    let info: ConnectionInfo
    private let cluster: Mutex<PrivateCluster>

    init() async throws {
        directory = "/tmp/score-fault-\(getpid())-\(String(UInt32.random(in: 0 ... .max), radix: 36))"
        let started = try await PrivateCluster.start(directory: directory, lifetime: .endsWithOwner, durable: true)
        info = started.connectionInfo
        cluster = Mutex(started)
        try await Migrations.apply(to: info)
    }

    /// The server's main process.
    var processID: pid_t {
        get throws {
            let file = try String(contentsOfFile: directory + "/data/postmaster.pid", encoding: .utf8)
            return try #require(pid_t(file.prefix { $0.isNumber }))
        }
    }

    /// Ends the server and starts it again at once.
    func restart(_ end: End) async throws {
        switch end {
        case .fast: break
        case .immediate: kill(try processID, SIGQUIT)
        case .killed: kill(try processID, SIGKILL)
        }
        await cluster.withLock { $0 }.stop()
        let deadline = ContinuousClock.now + .seconds(60)
        while true {
            do {
                let next = try await PrivateCluster.start(
                    directory: directory,
                    lifetime: .endsWithOwner,
                    durable: true
                )
                return cluster.withLock { $0 = next }
            } catch {
                // Processes of a killed server hold its memory until they notice.
                guard ContinuousClock.now < deadline else { throw error }
            }
        }
    }

    /// Stops it for good.
    func remove() async {
        await cluster.withLock { $0 }.stop()
        try? FileManager.default.removeItem(atPath: directory)
    }
}
