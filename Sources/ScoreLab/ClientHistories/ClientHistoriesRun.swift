// Many histories run at once against one server, so that ten thousand take minutes.

import Foundation
import MatchJournal
import Postgres
import ScoreClient
import ScoreTypes

/// Runs histories with consecutive seeds.
struct ClientHistoriesRun: Sendable {
    /// Histories at once; each waits for the network most of the time.
    private static let workers = 96
    /// Sessions that they share; a session has six connections.
    private static let sessions = 16

    private let transports: [URLSessionTransport]

    /// Uses a server on this machine.
    init(port: Int) throws {
        guard let base = URL(string: "http://\(Testbed.host):\(port)") else { throw LabError.noPort }
        transports = (0..<Self.sessions).map { _ in URLSessionTransport(base: base) }
    }

    /// Starts a server with the matches of the histories, and waits until it is ready.
    static func startServer(
        keepsFolder: Bool,
        say: @escaping @Sendable (String) -> Void,
        undoneBy teardown: Teardown
    ) async throws -> ServeProcess {
        let bed = try await Testbed.build(
            isDurable: false,
            keepsFolder: keepsFolder,
            say: say,
            undoneBy: teardown
        )
        try await Migrations.apply(to: bed.cluster.connectionInfo)
        try await HistoryMatches.enter(in: Journal(pool: bed.pool))
        // Requests that arrive after an erasure carry a credential that is not valid any more.
        let server = try bed.server(
            "histories",
            speed: 1,
            settings: ["LIMITS_DEVICE_LOGIN": LabLimits.requestsOfPhones]
        )
        try server.start()
        let deadline = ContinuousClock.now + LabLimits.serverReady
        while !(await bed.isReady(server)) {
            guard ContinuousClock.now < deadline else { throw LabError.notReady(log: bed.folder.log) }
            try await Task.sleep(for: LabLimits.demoPoll)
        }
        return server
    }

    /// Runs so many histories, and reports each as it ends.
    func run(
        _ histories: Int,
        from seed: UInt64,
        ended: @escaping @Sendable (HistoryOutcome) -> Void = { _ in }
    ) async throws -> ClientHistoriesReport {
        let started = ContinuousClock.now
        var report = ClientHistoriesReport(firstSeed: seed)
        try await withThrowingTaskGroup(of: HistoryOutcome.self) { group in
            var next = 0
            func add() {
                guard next < histories else { return }
                let (seed, transport) = (seed &+ UInt64(next), transports[next % transports.count])
                next += 1
                group.addTask {
                    var history = ClientHistory(seed: seed, transport: transport)
                    return try await history.run()
                }
            }
            for _ in 0..<Self.workers { add() }
            while let outcome = try await group.next() {
                report.add(outcome)
                ended(outcome)
                add()
            }
        }
        report.time = ContinuousClock.now - started
        return report
    }
}
