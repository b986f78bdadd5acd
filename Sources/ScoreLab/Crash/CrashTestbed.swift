// A crash test adds a second server and very many phones to the shared test bed.

import FollowService
import Postgres
import ScoreTypes
import Simulators

/// The parts of a crash test.
struct CrashTestbed: Sendable {
    /// Connections of one node to APNs; each has so many requests under way as APNs allows.
    static let connections = 2
    /// Ordinary balls of one match are sent ten seconds of match time apart; this shortens the wait.
    static let speed = 10
    /// Registrations under way at once while the phones register.
    private static let callers = 12_000
    /// Connections of the pool that registers the phones and writes the balls.
    private static let poolConnections = 8
    private static let seriesOfPhones: UInt64 = 9

    let bed: Testbed
    let nodes: [ServeProcess]
    let deliveries: PhoneDeliveries

    var pool: Pool { bed.pool }

    /// Starts everything but the nodes, and registers the phones.
    static func build(
        activities: Int,
        keepsFolder: Bool,
        say: @escaping @Sendable (String) -> Void,
        undoneBy teardown: Teardown
    ) async throws -> CrashTestbed {
        let bed = try await Testbed.build(
            connections: poolConnections,
            keepsFolder: keepsFolder,
            say: say,
            undoneBy: teardown
        )
        try await Migrations.apply(to: bed.cluster.connectionInfo)
        let settings = [
            "APNS_ENVIRONMENT": PushEnvironment.production.rawValue, "APNS_CONNECTIONS": "\(connections)",
        ]
        let nodes = try ["node-a", "node-b"].map { try bed.server($0, speed: speed, settings: settings) }
        let crash = CrashTestbed(bed: bed, nodes: nodes, deliveries: PhoneDeliveries(phones: activities))
        try await crash.register(activities)
        return crash
    }

    private func register(_ count: Int) async throws {
        let clock = ServiceClock()
        let series = Self.seriesOfPhones
        let followers = BenchFollowers(series: series, startedAt: clock.wall, matches: [CrashMatch.match])
        let calls = followers.registrations(count, round: 1)
        for (number, call) in calls.enumerated() {
            guard case .token(let token) = call.route else { continue }
            bed.apns.register(token: token, kind: .activity) { [deliveries] push in
                guard let revision = push.revision else { return }
                deliveries.record(revision, timestamp: push.timestamp, to: number)
            }
        }
        let load = RegistrationLoad(
            activities: FollowService.Activities(pool: pool, clock: clock),
            followers: followers
        )
        _ = try await load.registerAll(calls, callers: Self.callers)
    }
}
