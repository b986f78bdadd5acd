// Runs a PostgreSQL server in a folder, reachable through a Unix socket only, when no database is configured.

internal import Glibc
internal import ScoreTypes

/// A PostgreSQL server owned by this program.
public actor PrivateCluster {
    /// The fate of the server when this process ends.
    public enum Lifetime: Sendable, Hashable {
        /// The server is stopped, also when this process is killed.
        case endsWithOwner
        /// The server continues to run, and the next owner adopts it.
        case outlivesOwner
    }

    /// Connection to the cluster's database `score`.
    public nonisolated let connectionInfo: ConnectionInfo
    /// The same as libpq text, for another process on this machine; it holds no secret, the folder's mode restricts
    /// access.
    public nonisolated let connectionText: String
    /// The absolute path of the folder.
    public nonisolated let directory: String

    private let executor: ThreadExecutor
    private let folder: ClusterFolder
    private let plan: Plan
    private var state = State.stopped

    /// The thread that starts and stops the server: both block while processes start and end.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// Starts the cluster in a folder, and creates it on first use; adopts a running server that outlives its owners.
    ///
    /// When this process is root, the server runs as user postgres. It never listens on TCP.
    ///
    /// - Parameters:
    ///   - directory: The folder, created if necessary with mode 0700; its absolute path may have up to 92 bytes.
    ///   - lifetime: The fate of the server when this process ends.
    ///   - durable: False only for data that may be lost in a power failure.
    /// - Returns: The cluster, ready for connections.
    /// - Throws: `ClusterError`, whose description includes the remedy.
    public static func start(
        directory: String,
        lifetime: Lifetime,
        durable: Bool
    ) async throws(ClusterError) -> PrivateCluster {
        try await start(directory: directory, plan: Plan(lifetime: lifetime, durable: durable))
    }

    /// Starts a cluster for tests, whose folder is removed when this process ends.
    ///
    /// - Parameters:
    ///   - directory: The folder, as in `start`.
    ///   - connectionsMax: Most connections to the server.
    /// - Returns: The cluster, ready for connections.
    /// - Throws: `ClusterError`, whose description includes the remedy.
    package static func startDisposable(
        directory: String,
        connectionsMax: Int
    ) async throws(ClusterError) -> PrivateCluster {
        try await start(
            directory: directory,
            plan: Plan(lifetime: .endsWithOwner, durable: false, connectionsMax: connectionsMax, isDisposable: true)
        )
    }

    static func start(directory: String, plan: Plan) async throws(ClusterError) -> PrivateCluster {
        let cluster = PrivateCluster(folder: try ClusterFolder(directory), plan: plan)
        try await cluster.launch()
        return cluster
    }

    /// Stops the server, also an adopted one: connections are closed, committed data are kept.
    public func stop() {
        let process: ServerProcess?
        var watcher: ClusterWatcher?
        switch state {
        case .stopped: return
        case .adopted: process = nil
        case .running(let own, let watching):
            process = own
            watcher = watching
        }
        state = .stopped
        if let server = folder.runningServer { end(server, child: process) }
        // A former owner may have stopped the server; a child that is not waited for remains a zombie.
        if let process { _ = wait(upTo: PostgresLimits.serverStop) { process.hasEnded } }
        watcher?.dismiss()
    }

    /// Stops the server if this process started it; one that ran already may serve another process and runs on.
    public func stopIfStarted() {
        if case .running = state { stop() }
    }

    /// The options of a cluster.
    struct Plan: Sendable {
        var lifetime: Lifetime
        /// Whether a committed transaction survives a power failure.
        var durable: Bool
        var connectionsMax = PostgresLimits.serverConnections
        /// Whether the folder is removed when the cluster ends with its owner.
        var isDisposable = false
        /// Longest wait for a server of a former owner that is stopping.
        var handoverMax = PostgresLimits.serverHandover

        /// By it another owner recognises whether it may adopt the server.
        var clusterName: String { lifetime == .outlivesOwner ? "score outlives owner" : "score ends with owner" }
    }

    private enum State {
        case stopped
        case adopted
        case running(ServerProcess, ClusterWatcher?)
    }

    private static let databaseName = "score"

    private init(folder: ClusterFolder, plan: Plan) {
        self.folder = folder
        self.plan = plan
        directory = folder.path
        connectionText = "host='\(folder.path)' port=5432 user=score dbname=\(Self.databaseName)"
        connectionInfo = ConnectionInfo(connectionText)
        executor = ThreadExecutor(name: "cluster")
    }

    isolated deinit {
        if case .running(_, let watcher) = state { watcher?.release() }
        executor.stop()
    }

    private func launch() throws(ClusterError) {
        let account = try ClusterAccount.find()
        try folder.prepare(for: account)
        let lock = try takeLock(account)
        defer { close(lock) }
        if try adoptRunning() { return }

        let programs = try findPrograms()
        if folder.majorOfData == nil { try initialise(programs, account) }
        try boot(programs, account)
    }

    /// Serialises programs that start in the same folder; the lock ends when the descriptor is closed.
    private func takeLock(_ account: ClusterAccount) throws(ClusterError) -> Int32 {
        let descriptor = try folder.openLock(for: account)
        let free = wait(upTo: PostgresLimits.serverStart) { flock(descriptor, LOCK_EX | LOCK_NB) == 0 }
        guard free else {
            close(descriptor)
            throw .inUse(folder: folder.path)
        }
        return descriptor
    }

    private func adoptRunning() throws(ClusterError) -> Bool {
        guard folder.runningServer != nil else { return false }
        if plan.lifetime == .outlivesOwner, nameOfRunning() == plan.clusterName {
            state = .adopted
            try makeDatabase()
            return true
        }
        guard wait(upTo: plan.handoverMax, until: { folder.runningServer == nil }) else {
            throw .inUse(folder: folder.path)
        }
        return false
    }

    private func nameOfRunning() -> String? {
        var name: String?
        // A server that recovers or stops refuses connections; one that stops disappears.
        _ = wait(upTo: plan.handoverMax) {
            let session = try? Session(maintenanceInfo, name: "cluster", statementTimeout: nil)
            name = try? session?.run("show cluster_name").text(row: 0, column: 0)
            return name != nil || folder.runningServer == nil
        }
        return name
    }

    private func findPrograms() throws(ClusterError) -> ServerPrograms {
        guard let major = folder.majorOfData else {
            guard let programs = ServerPrograms.find(major: nil) else { throw .programsMissing }
            return programs
        }
        guard let programs = ServerPrograms.find(major: Int(major) ?? 0) else {
            throw ServerPrograms.find(major: nil) == nil
                ? .programsMissing : .versionMissing(major: major, folder: folder.path)
        }
        return programs
    }

    private func initialise(_ programs: ServerPrograms, _ account: ClusterAccount) throws(ClusterError) {
        var command = [
            programs.initdb, "-D", folder.unfinishedData, "-U", "score", "--auth=trust", "--no-locale", "-E", "UTF8",
        ]
        if !plan.durable { command.append("--no-sync") }
        let run: (status: Int32, output: String)
        do throws(ServerProcess.SpawnError) {
            _ = try ServerProcess.run(["/bin/rm", "-rf", folder.unfinishedData])
            run = try ServerProcess.run(account.command(command))
        } catch {
            throw .initFailed(folder: folder.path, reason: error.reason)
        }
        guard run.status == 0 else {
            let lines = run.output.split(whereSeparator: \.isNewline)
            let reason = lines.first { $0.contains("error:") } ?? lines.last ?? "no output"
            throw .initFailed(folder: folder.path, reason: String(reason))
        }
        guard rename(folder.unfinishedData, folder.data) == 0 else { throw folder.notWritable() }
    }

    private func boot(_ programs: ServerPrograms, _ account: ClusterAccount) throws(ClusterError) {
        let log = try folder.openLog(for: account)
        defer { close(log) }
        let process: ServerProcess
        do throws(ServerProcess.SpawnError) {
            // The watcher starts first, so that the death of this process never leaves a server behind.
            let watcher =
                plan.lifetime == .endsWithOwner
                ? try ClusterWatcher(folder, account: account, removesFolder: plan.isDisposable, log: log) : nil
            let command = account.command([programs.postgres] + plan.arguments(folder: folder))
            process = try ServerProcess(command, output: log)
            state = .running(process, watcher)
        } catch {
            throw .startFailed(folder: folder.path, reason: error.reason)
        }
        do throws(ClusterError) {
            try awaitReady(process, log: log)
            try makeDatabase()
        } catch {
            stop()
            throw error
        }
    }

    private func awaitReady(_ process: ServerProcess, log: Int32) throws(ClusterError) {
        var isReady = false
        _ = wait(upTo: PostgresLimits.serverStart) {
            isReady = (try? Session(maintenanceInfo, name: "cluster", statementTimeout: nil)) != nil
            return isReady || process.hasEnded
        }
        guard isReady else { throw .startFailed(folder: folder.path, reason: ClusterFolder.lastLine(ofLog: log)) }
    }

    private func makeDatabase() throws(ClusterError) {
        do {
            let session = try Session(maintenanceInfo, name: "cluster", statementTimeout: nil)
            let found = try session.run("select 1 from pg_database where datname = '\(Self.databaseName)'")
            if found.rowCount == 0 { _ = try session.run("create database \(Self.databaseName)") }
        } catch {
            throw .startFailed(folder: folder.path, reason: error.message)
        }
    }

    private var maintenanceInfo: ConnectionInfo { connectionInfo.database("postgres") }

    private func end(_ server: pid_t, child: ServerProcess?) {
        for signal in [SIGINT, SIGQUIT] {
            kill(server, signal)
            let ended = wait(upTo: PostgresLimits.serverStop) {
                child.map { $0.hasEnded } ?? (folder.runningServer == nil)
            }
            if ended { return }
        }
    }

    /// Polls every 20 ms, since the processes send no notification.
    private func wait(upTo limit: Duration, until condition: () -> Bool) -> Bool {
        let deadline = ContinuousClock.now + limit
        while !condition() {
            guard ContinuousClock.now < deadline else { return false }
            usleep(PostgresLimits.processCheckMicroseconds)
        }
        return true
    }
}
