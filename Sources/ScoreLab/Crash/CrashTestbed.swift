// A crash test adds a second server and very many phones to the shared test bed.

import FollowService
import Postgres
import ScoreTypes
import Simulators

/// The parts of a crash test.
struct CrashTestbed: Sendable {
    /// Ordinary balls of one match are sent ten seconds of match time apart; this shortens the wait.
    static let speed = 10
    /// Registrations under way at once while the phones register.
    private static let callers = 12_000
    /// Connections of the pool that registers the phones and writes the balls.
    private static let poolConnections = 8
    private static let seriesOfPhones: UInt64 = 9

    let bed: Testbed
    let nodes: [ServeProcess]
    /// The phones without a client.
    let phones: CrashPhones
    /// The tokens of their activities.
    let tokens: [PushToken]
    /// The phones with the client library of apps, which use the first node.
    let clients: PhoneFleet

    var pool: Pool { bed.pool }

    /// Starts everything but the nodes, and registers the phones without a client.
    ///
    /// - `activities`: Phones without a client.
    /// - `clients`: Phones with one.
    static func build(
        activities: Int,
        clients: Int,
        keepsFolder: Bool,
        say: @escaping @Sendable (String) -> Void,
        undoneBy teardown: Teardown
    ) async throws -> CrashTestbed {
        let clock = ServiceClock(speed: speed)
        let bed = try await Testbed.build(
            clock: clock,
            connections: poolConnections,
            bounds: LabLimits.transfersOfPhones(clients),
            keepsFolder: keepsFolder,
            say: say,
            undoneBy: teardown
        )
        try await Migrations.apply(to: bed.cluster.connectionInfo)
        let connections = "\(LabLimits.connections)"
        let nodes = try ["node-a", "node-b"].map { name in
            let settings = ["APNS_CONNECTIONS": connections, "APNS_CONNECTIONS_MAX": connections]
            return try bed.server(name, speed: speed, settings: settings)
        }
        let phones = try await CrashPhones(activities, network: bed.apns, clock: clock, undoneBy: teardown)
        let registrations = try await phones.registrations()
        try await register(registrations, bed.pool)
        let tokens = registrations.compactMap { if case .token(let token) = $0.route { token } else { nil } }
        guard tokens.count == activities else {
            throw MeasurementFailure("\(tokens.count) of \(activities) phones have a token")
        }
        let fleet = PhoneFleet(
            PhoneFleetPlan(count: clients, channelShare: 0.5, seed: seriesOfPhones),
            match: CrashMatch.match,
            server: PhoneServer(host: Testbed.host, port: nodes[0].publicPort, driver: bed.driver),
            network: bed.apns,
            clock: clock
        )
        let apps = Task { await fleet.run() }
        teardown.add { apps.cancel() }
        return CrashTestbed(bed: bed, nodes: nodes, phones: phones, tokens: tokens, clients: fleet)
    }

    /// Lets the phones with a client follow the match; returns when each of them shows a revision.
    ///
    /// - Throws: `PhoneError`, and `MeasurementFailure` when that takes longer than `LabLimits.crashWait`.
    func enrollClients(showing revision: Int64) async throws {
        let deadline = ContinuousClock.now + LabLimits.crashWait
        func wait(_ what: () -> String, until isDone: () async -> Bool) async throws {
            while !(await isDone()) {
                guard ContinuousClock.now < deadline else { throw MeasurementFailure(what()) }
                try await Task.sleep(for: LabLimits.demoPoll)
            }
        }
        try await wait({ "\(nodes[0].name) is not ready" }, until: { await bed.isReady(nodes[0]) })
        try await clients.enroll()
        clients.beginMatch()
        let behind = { "clients without the match: \(clients.phonesWithFaults(newest: revision))" }
        try await wait(behind) {
            let report = clients.report(newest: revision)
            return report.atNewest == report.phones
        }
    }

    private static func register(_ registrations: [ActivityRegistration], _ pool: Pool) async throws {
        let clock = ServiceClock()
        let load = RegistrationLoad(
            activities: FollowService.Activities(pool: pool, clock: clock),
            followers: BenchFollowers(series: seriesOfPhones, startedAt: clock.wall, matches: [CrashMatch.match])
        )
        _ = try await load.registerAll(registrations, callers: callers)
    }
}
