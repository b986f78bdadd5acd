// The real server as a child process, configured as a production start would be, and started again when it dies.

import Foundation
import ScoreTypes
import Synchronization

/// Keeps one `score-server serve` running until it is stopped.
final class ServeChild: Sendable {
    /// Restarts in a row that are tried before the demo gives up: a child that cannot start will not start at the 21st.
    static let restartsWithoutHealthMax = 20
    /// How long a child may take to finish after SIGTERM before it is killed.
    static let stopWait = Duration.seconds(15)

    private let executable: URL
    private let arguments: [String]
    private let environment: [String: String]
    private let log: FileHandle
    private let state = Mutex(State())
    private let exits: AsyncStream<Int32>
    private let exited: AsyncStream<Int32>.Continuation

    private struct State {
        var process: Process?
        var restarts = 0
        var isStopping = false
    }

    init(executable: URL, arguments: [String], environment: [String: String], log: FileHandle) {
        self.executable = executable
        self.arguments = arguments
        self.environment = environment
        self.log = log
        // One exit can wait; more cannot happen before the next start.
        (exits, exited) = AsyncStream.makeStream(of: Int32.self, bufferingPolicy: .bufferingNewest(1))
    }

    /// How often the child died and was started again.
    var restarts: Int { state.withLock { $0.restarts } }

    /// The child's process id, when it runs.
    var processID: Int32? { state.withLock { $0.process?.processIdentifier } }

    /// Starts the child and watches it until `stop`; throws when it dies too often.
    func run() async throws {
        try start()
        var failures = 0
        for await status in exits {
            if state.withLock({ $0.isStopping }) { return }
            failures += 1
            guard failures <= Self.restartsWithoutHealthMax else {
                throw DemoError.serverKeepsDying(status: status)
            }
            state.withLock { $0.restarts += 1 }
            try start()
        }
    }

    /// Ends the child in order: SIGTERM, then SIGKILL when it does not finish.
    func stop() async {
        let process = state.withLock { state -> Process? in
            state.isStopping = true
            return state.process
        }
        guard let process, process.isRunning else { return exited.finish() }
        process.terminate()
        let deadline = ContinuousClock.now + Self.stopWait
        while process.isRunning && ContinuousClock.now < deadline {
            try? await Task.sleep(for: .milliseconds(20))
        }
        if process.isRunning { kill(process.processIdentifier, SIGKILL) }
        exited.finish()
    }

    private func start() throws {
        let process = Process()
        process.executableURL = executable
        process.arguments = arguments
        process.environment = environment
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = log
        process.standardError = log
        process.terminationHandler = { [exited] ended in exited.yield(ended.terminationStatus) }
        do { try process.run() } catch { throw DemoError.cannotStartServer(reason: "\(error)") }
        state.withLock { $0.process = process }
    }
}

/// Why a demo could not run; each text is one sentence with the way out.
enum DemoError: Error, CustomStringConvertible {
    case serverKeepsDying(status: Int32)
    case cannotStartServer(reason: String)
    case notReady(log: String)
    case noFolder(path: String)
    case noRandomness
    case noPort

    var description: String {
        switch self {
        case .serverKeepsDying(let status):
            """
            The server ended \(ServeChild.restartsWithoutHealthMax) times (last status \(status)); run with --keep and \
            read serve.log.
            """
        case .cannotStartServer(let reason): "The server process cannot be started: \(reason)."
        case .notReady(let log): "The server was not ready within a minute; its log is \(log)."
        case .noFolder(let path): "\(path) cannot be written; make /var/tmp writable for this user."
        case .noRandomness: "OpenSSL could not make a key; check that /dev/urandom can be read."
        case .noPort: "No free port on 127.0.0.1; end some of the programs that listen there."
        }
    }
}
