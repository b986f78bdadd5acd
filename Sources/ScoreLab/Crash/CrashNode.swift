// A real server process that is killed or stopped in the middle of its work, and started again.

import Foundation
import ScoreTypes
import Synchronization

/// One `score-server serve` of a rehearsal.
final class CrashNode: Sendable {
    let name: NodeID
    let internalPort: Int
    private let environment: [String: String]
    private let log: FileHandle
    private let process = Mutex<Process?>(nil)

    init(name: NodeID, internalPort: Int, environment: [String: String], log: FileHandle) {
        self.name = name
        self.internalPort = internalPort
        self.environment = environment
        self.log = log
    }

    var isRunning: Bool { process.withLock { $0?.isRunning ?? false } }

    /// Starts the process, unless it runs.
    func start() throws {
        guard !isRunning else { return }
        let next = Process()
        next.executableURL = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
        next.arguments = ["serve", "--env", "none"]
        next.environment = environment
        next.standardInput = FileHandle.nullDevice
        next.standardOutput = log
        next.standardError = log
        do { try next.run() } catch { throw DemoError.cannotStartServer(reason: "\(error)") }
        process.withLock { $0 = next }
    }

    /// Sends a signal to the process, if there is one.
    func signal(_ number: Int32) {
        guard let id = process.withLock({ $0?.processIdentifier }) else { return }
        kill(id, number)
    }

    /// Ends it: in order first, then at once.
    func stop() async {
        guard isRunning else { return }
        signal(SIGCONT)
        signal(SIGTERM)
        let deadline = ContinuousClock.now + ServeChild.stopWait
        while isRunning && ContinuousClock.now < deadline { try? await Task.sleep(for: .milliseconds(20)) }
        signal(SIGKILL)
    }
}
