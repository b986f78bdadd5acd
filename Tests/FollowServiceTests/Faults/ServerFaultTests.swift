import FollowService
import Foundation
import Postgres
import ScoreTypes
import TestSupport
import Testing

/// What happens to phones and arenas when the server goes away under them, in whatever manner.
@Suite(.serialized) struct ServerFaultTests {
    /// Promised are five seconds; a busy machine may take three times as long.
    private static let backMax = Duration.seconds(15)

    /// Phones register throughout, an arena follows, the server ends and comes back; nothing is lost or done twice.
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
        #expect(storm.wrongRefusals.isEmpty, "every refusal is one to come back after")
        try await storm.check()
        let expected = try await tableContents(store, of: .final)
        try await eventually("the arena equals the table") { running.contents(of: .final) == expected }
        await running.stop()
        await store.pool.close()
        await server.remove()
    }

    @Test("P1: a clean restart costs seconds and loses nothing") func cleanRestart() async throws {
        try await survive([.fast, .fast])
    }

    @Test("P2: a killed server recovers with all that was answered") func killedServer() async throws {
        try await survive([.killed, .killed])
    }

    @Test("P3: a commit cut off in the middle is there once or not at all") func cutOffCommits() async throws {
        try await survive([.immediate, .immediate, .immediate])
    }

    @Test("P4: a call whose backend is killed under it is made again, and is done once")
    func killedInTheMiddle() async throws {
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
        // Another connection, since inside of a transaction what others do is seen as it was at its first look.
        let killer = try await Connection.open(store.info, name: "killer")
        try await eventually("its backend is killed") { try await killer.query(kill) { try $0.bool(0) } == [true] }
        try await locker.script("rollback")
        #expect(try await calling.value == .registered(generation: 1))
        #expect(try await store.number(Statement("select count(*) from activity where gen = 1")) == 1)
        #expect(try await store.number(Statement("select count(*) from change")) == 1)
        for connection in [locker, killer] { await connection.close() }
    }

    @Test("P4: killed backends are replaced and their calls made again") func killedBackends() async throws {
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
        #expect(storm.refusalCount <= 40 * 64, "a batch is refused at most, never all that wait")
        #expect(storm.wrongRefusals.isEmpty)
        try await storm.check()
        await killer.close()
    }
}
