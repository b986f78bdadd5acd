import Foundation
import Postgres
import ScoreTypes
import TestSupport
import Testing

@testable import FollowService

/// Phones and arenas when the server fails, in each way.
@Suite(.serialized) struct ServerFaultTests {
    /// The limit is five seconds; a busy machine may take three times as long.
    private static let backMax = Duration.seconds(15)

    /// Phones register throughout, an arena follows, the server ends and restarts; nothing is lost or done twice.
    private func survive(_ ends: [FaultyServer.End]) async throws {
        let server = try await FaultyServer()
        let store = Store(on: server.info)
        let running = RunningIndex(store)
        try await running.index.own(Bucket.all)
        try await running.index.open(.final)
        let storm = RegistrationStorm(store)
        let waited = try await storm.run {
            for end in ends { try await server.restart(end) }
        }
        print(
            "\(ends.map(\.rawValue)): \(storm.answeredCount) answered, \(storm.refusalCount) refused, back in \(waited)"
        )
        #expect(waited < Self.backMax)
        #expect(storm.wrongRefusals.isEmpty, "every refusal permits a retry")
        try await storm.check()
        let expected = try await tableContents(store, of: .final)
        try await eventually("the arena equals the table") { running.contents(of: .final) == expected }
        await running.stop()
        await store.pool.close()
        await server.remove()
    }

    @Test("P1: a clean restart costs seconds and loses nothing") func aCleanRestartLosesNothing() async throws {
        try await survive([.fast, .fast])
    }

    @Test("P2: a killed server recovers all answered calls") func aKilledServerLosesNothing() async throws {
        try await survive([.killed, .killed])
    }

    @Test("P3: an interrupted commit is applied once or not at all") func anInterruptedCommitIsAppliedOnceOrNever()
        async throws
    {
        try await survive([.immediate, .immediate, .immediate])
    }

    @Test("P4: a call whose backend is killed is repeated, and applied once")
    func aCallOfAKilledBackendIsRepeatedOnce() async throws {
        let store = try await Store()
        let locker = try await Connection.open(store.info, name: "locker")
        try await locker.script("begin; lock table activity in access exclusive mode")
        let calling = Task {
            try await store.activities.register(
                ActivityRegistration(
                    device: device(1),
                    match: .final,
                    activityID: ActivityID(unchecked: "A"),
                    environment: .production,
                    route: .token(token(1)),
                    startedAt: store.time.now,
                    clientSequence: 1
                )
            )
        }
        let kill = Statement(
            """
            select pg_terminate_backend(pid) from pg_stat_activity
            where datname = current_database() and application_name = 'follow-test' and wait_event_type = 'Lock'
            """
        )
        // Another connection, since a transaction sees the rows of its first statement.
        let killer = try await Connection.open(store.info, name: "killer")
        try await eventually("its backend is killed") { try await killer.query(kill) { try $0.bool(0) } == [true] }
        try await locker.script("rollback")
        #expect(try await calling.value == .registered(generation: 1))
        #expect(try await store.number(Statement("select count(*) from activity where gen = 1")) == 1)
        #expect(try await store.number(Statement("select count(*) from change")) == 1)
        for connection in [locker, killer] { await connection.close() }
    }

    @Test("P4: killed backends are replaced and their calls repeated") func killedBackendsAreReplaced() async throws {
        let store = try await Store()
        let killer = try await Connection.open(store.info, name: "killer")
        let victim = Statement(
            """
            select pg_terminate_backend(pid) from pg_stat_activity
            where datname = current_database() and application_name = 'follow-test' order by random() limit 1
            """
        )
        let storm = RegistrationStorm(store)
        _ = try await storm.run {
            var killed = 0
            try await eventually("forty were killed") {
                killed += try await killer.query(victim) { try $0.bool(0) }.count
                return killed >= 40
            }
        }
        print("40 killed: \(storm.answeredCount) answered, \(storm.refusalCount) refused")
        #expect(storm.refusalCount <= 40 * 64, "one batch at most is refused, never all that wait")
        #expect(storm.wrongRefusals.isEmpty)
        try await storm.check()
        await killer.close()
    }
}
