// A real server as a child process: configured like a production server, killed or stopped by tests, started again.

import Foundation
import ScoreTypes
import Synchronization

/// One `score-server serve`.
final class ServeProcess: Sendable {

    let name: NodeID
    let publicPort: Int
    let internalPort: Int
    private let executable: URL
    private let arguments: [String]
    private let environment: [String: String]
    private let log: FileHandle
    private let state = Mutex(State())
    private let exits: AsyncStream<Int32>
    private let exited: AsyncStream<Int32>.Continuation

    private struct State {
        var process: Process?
        var restartTimes: [Instant] = []
        var isStopping = false
    }

    /// Describes a server; it does not run yet.
    ///
    /// With `core` it runs on this core alone.
    init(
        name: NodeID,
        ports: (publicPort: Int, internalPort: Int),
        executable: URL,
        core: Int? = nil,
        environment: [String: String],
        log: FileHandle
    ) {
        self.name = name
        (publicPort, internalPort) = ports
        let command = PinnedCommand(executable, ["serve", "--env", "none"], core: core)
        (self.executable, arguments) = (command.executable, command.arguments)
        self.environment = environment
        self.log = log
        // One exit can wait: the next one needs a start in between.
        (exits, exited) = AsyncStream.makeStream(of: Int32.self, bufferingPolicy: .bufferingNewest(1))
    }

    var isRunning: Bool { state.withLock { $0.process?.isRunning ?? false } }

    /// The id of the process; nil while it does not run.
    ///
    /// With a core it is the server's, too, since taskset becomes the server.
    var processID: Int32? { state.withLock { $0.process.flatMap { $0.isRunning ? $0.processIdentifier : nil } } }

    /// When `keepRunning` has started it again, on the wall clock.
    var restartTimes: [Instant] { state.withLock { $0.restartTimes } }

    /// Starts the process, unless it runs or `stop` was called.
    func start() throws(LabError) {
        let failure = state.withLock { state -> LabError? in
            guard !state.isStopping, !(state.process?.isRunning ?? false) else { return nil }
            let process = Process()
            process.executableURL = executable
            process.arguments = arguments
            process.environment = environment
            process.standardInput = FileHandle.nullDevice
            process.standardOutput = log
            process.standardError = log
            process.terminationHandler = { [exited] ended in exited.yield(ended.terminationStatus) }
            do { try process.run() } catch { return .cannotStartServer(reason: "\(error)") }
            state.process = process
            return nil
        }
        if let failure { throw failure }
    }

    /// Starts the process, and starts it again whenever it ends; returns when its task is cancelled or after `stop`.
    func keepRunning() async throws(LabError) {
        try start()
        for await status in exits {
            let restarts = state.withLock { state -> Int in
                guard !state.isStopping else { return 0 }
                state.restartTimes.append(ServiceClock().wall)
                return state.restartTimes.count
            }
            guard restarts > 0 else { return }
            guard restarts <= LabLimits.restarts else { throw .serverKeepsDying(status: status) }
            try start()
        }
    }

    /// Sends a signal to the process, if it runs.
    func signal(_ number: Int32) {
        state.withLock { state in
            guard let process = state.process, process.isRunning else { return }
            kill(process.processIdentifier, number)
        }
    }

    /// Ends the process for good: SIGTERM, and SIGKILL when it does not end in time.
    func stop() async {
        state.withLock { $0.isStopping = true }
        // A stopped process gets its SIGTERM only when it goes on.
        signal(SIGCONT)
        signal(SIGTERM)
        await waitForExit(atMost: LabLimits.serverStop)
        signal(SIGKILL)
        await waitForExit(atMost: LabLimits.serverKill)
        exited.finish()
    }

    private func waitForExit(atMost limit: Duration) async {
        let deadline = ContinuousClock.now + limit
        while isRunning && ContinuousClock.now < deadline { try? await Task.sleep(for: LabLimits.exitPoll) }
    }
}
