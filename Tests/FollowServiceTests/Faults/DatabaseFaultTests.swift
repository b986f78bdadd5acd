import Foundation
import ScoreTypes
import TestSupport
import Testing

@testable import FollowService
@testable import Postgres

/// Faults of a database server that stays available.
@Suite(.serialized) struct DatabaseFaultTests {
    private func registration(_ store: Store, _ phone: UInt64, seq: Int64) throws -> ActivityRegistration {
        ActivityRegistration(
            device: device(phone),
            match: .final,
            activityID: ActivityID(unchecked: "A"),
            environment: .production,
            route: .token(try token(phone << 32 | UInt64(seq))),
            startedAt: store.time.now,
            clientSequence: seq
        )
    }

    /// Registers many phones at once; those that were refused.
    private func register(_ phones: Range<UInt64>, seq: Int64, in store: Store) async -> [FollowError] {
        await withTaskGroup(of: FollowError?.self) { group in
            for phone in phones {
                group.addTask {
                    guard let call = try? registration(store, phone, seq: seq) else { return .stopped }
                    do throws(FollowError) {
                        _ = try await store.activities.register(call)
                        return nil
                    } catch {
                        return error
                    }
                }
            }
            return await group.reduce(into: []) { if let error = $1 { $0.append(error) } }
        }
    }

    @Test("P6: while a table is locked, calls are refused in bounded time, and memory still serves")
    func aLockedTableRefusesCallsInBoundedTime() async throws {
        let limit = Duration.milliseconds(300)
        let patient = try await Store()
        let store = Store(on: patient.info, bounds: .init(statementTimeout: limit))
        let running = RunningIndex(patient)
        try await running.index.own(Bucket.all)
        try await running.index.open(.final)
        #expect(await register(0..<50, seq: 1, in: patient).isEmpty)
        try await eventually("fifty tokens are in memory") { running.contents(of: .final).count == 50 }

        let locker = try await Connection.open(store.info, name: "locker")
        try await locker.script(
            "set idle_in_transaction_session_timeout = 0; begin; lock table activity in access exclusive mode"
        )
        let start = ContinuousClock.now
        let refused = await register(0..<500, seq: 2, in: store)
        let waited = ContinuousClock.now - start
        #expect(refused.count == 500)
        for error in refused {
            guard case .unavailable(let cause) = error, cause.kind == .timeout || cause.kind == .poolFull else {
                Issue.record("\(error)")
                continue
            }
        }
        // 500 calls are five batches of two writers, and each batch may wait for the limit.
        #expect(waited < .seconds(30), "\(waited)")
        #expect(running.contents(of: .final).count == 50, "the fan-out continues from memory")
        try await locker.script("rollback")
        #expect(await register(0..<500, seq: 2, in: patient).isEmpty)
        try await eventually("all are in memory") { running.contents(of: .final).count == 500 }
        await running.stop()
    }

    @Test("P9: the next read of changes finds a registration on another node without a notification")
    func changesAreReadWithoutNotifications() async throws {
        let store = try await Store()
        let running = RunningIndex(store)
        try await running.index.own(Bucket.all)
        try await running.index.open(.final)
        var waits: [Duration] = []
        for seq in 1...9 as ClosedRange<Int64> {
            let start = ContinuousClock.now
            #expect(await register(1..<2, seq: seq, in: store).isEmpty)
            try await eventually("it is seen") {
                running.index.token(of: .final, device: device(1), generation: Int32(seq)) != nil
            }
            waits.append(ContinuousClock.now - start)
        }
        // The limit is a second; open transactions of other tests in the same cluster delay the reads as well.
        #expect(waits.sorted()[4] < .seconds(10), "\(waits)")
        await running.stop()
    }

    @Test("P11: two nodes that write the same rows in any order never deadlock") func twoNodesNeverDeadlock()
        async throws
    {
        let store = try await Store()
        let other = Store(on: store.info)
        var generator = SplitMix64.printed("P11")
        for round in 1...5 as ClosedRange<Int64> {
            let orders = [store, other].map { node in
                (node, Array(0..<400 as Range<UInt64>).shuffled(using: &generator))
            }
            let failures = await withTaskGroup(of: [FollowError].self) { group in
                for (index, (node, order)) in orders.enumerated() {
                    for phone in order {
                        group.addTask { await register(phone..<phone + 1, seq: round * 2 + Int64(index), in: node) }
                    }
                }
                return await group.reduce(into: []) { $0 += $1 }
            }
            #expect(failures.isEmpty)
        }
        let deadlocks = Statement("select deadlocks from pg_stat_database where datname = current_database()")
        #expect(try await store.number(deadlocks) == 0)
        #expect(try await store.number(Statement("select count(*) from activity where client_seq = 11")) == 400)
    }

    @Test("P12: a reader of changes that waits for an open transaction reports it after seconds")
    func aLateReaderReportsIt() async throws {
        let store = try await Store()
        let running = RunningIndex(store, clock: store.time.clock())
        try await running.index.own(Bucket.all)
        try await running.index.open(.final)
        #expect(await running.index.trouble() == nil)
        let sleeper = try await Connection.open(store.info, name: "sleeper")
        try await sleeper.script("begin; insert into feed (feed_id, provider) values ('held', 'back')")
        #expect(await register(0..<10, seq: 1, in: store).isEmpty)
        try await eventually("it is late") {
            store.time.advance(by: FollowLimits.changeLagMax)
            if case .late = await running.index.trouble() { return true }
            return false
        }
        try await sleeper.script("rollback")
        try await eventually("it is not late any more") { await running.index.trouble() == nil }
        await sleeper.close()
        await running.stop()
    }

    @Test("P12: an open transaction delays the tail, is reported, and causes no loss")
    func anOpenTransactionDelaysTheTail() async throws {
        let store = try await Store()
        let running = RunningIndex(store)
        try await running.index.own(Bucket.all)
        try await running.index.open(.final)
        #expect(await register(0..<100, seq: 1, in: store).isEmpty)
        try await eventually("a hundred are seen") { running.contents(of: .final).count == 100 }
        let sleeper = try await Connection.open(store.info, name: "sleeper")
        try await sleeper.script(
            """
            set idle_in_transaction_session_timeout = 0;
            begin;
            insert into feed (feed_id, provider) values ('held', 'back')
            """
        )
        #expect(await register(0..<2_000, seq: 2, in: store).isEmpty, "writes continue")
        try await eventually("the lag shows it") { running.index.status.lag > .milliseconds(500) }
        #expect(running.contents(of: .final).count == 100, "nothing is applied out of order")
        try await expectSteadyPlan(store)
        // The server's own limit for idle transactions ends it; the test does not wait ten seconds for that.
        try await store.script(
            """
            select pg_terminate_backend(pid) from pg_stat_activity
            where application_name = 'sleeper' and datname = current_database() and state = 'idle in transaction'
            """
        )
        let expected = try await tableContents(store, of: .final)
        #expect(expected.count == 2_000)
        try await eventually("all is caught up") { running.contents(of: .final) == expected }
        try await eventually("the lag is zero") { running.index.status.lag < .milliseconds(500) }
        let limit = Statement(
            "select setting::bigint from pg_settings where name = 'idle_in_transaction_session_timeout'"
        )
        #expect(try await store.number(limit) == 10_000)
        await running.stop()
    }

    /// The index finds waiting rows however many dead rows lie beside them, and each row of it by its key.
    private func expectSteadyPlan(_ store: Store) async throws {
        // No dead row can be removed while the transaction is open.
        try await store.script(
            """
            insert into change (match_id, buckets, devices)
            select 'other-1', array[1::smallint], array[gen_random_uuid()] from generate_series(1, 50000);
            delete from change where match_id = 'other-1';
            """
        )
        let own = try await Connection.open(store.info, name: "planner")
        try await own.script(embedded: "prepare tail as \(ArenaStatements.changes.sql)")
        for mode in ["force_custom_plan", "force_generic_plan"] {
            for settings in ["reset all", ArenaStatements.planning] {
                try await own.script(embedded: "\(settings); set plan_cache_mode = \(mode)")
                let plan = try await own.query(Self.explained) { try $0.text(0) }
                #expect(plan.contains { $0.contains("change_by_xid") }, "\(mode), \(settings): \(plan)")
                #expect(plan.contains { $0.contains("Index Cond: ((xid >= ") }, "\(mode), \(settings): \(plan)")
                #expect(!plan.contains { $0.contains("Seq Scan on change") }, "\(mode), \(settings): \(plan)")
            }
            // The tail itself reads with the last of the settings.
            let plan = try await own.query(Self.explained) { try $0.text(0) }
            let lookups = plan.filter { $0.contains("Scan using activity_") }
            #expect(lookups.count == 8 && lookups.allSatisfy { $0.contains("_pkey") }, "\(mode): \(plan)")
            let keys = plan.filter { $0.contains("Index Cond: ((bucket = d.bucket) AND (device_id = d.device_id))") }
            #expect(keys.count == 8, "each by its device: \(mode): \(plan)")
        }
        await own.close()
    }

    private static let explained = Statement(
        """
        explain execute tail (
            pg_snapshot_xmin(pg_current_snapshot()), pg_snapshot_xmax(pg_current_snapshot()),
            '{final-2025}', '{1,2,3}', 20000)
        """
    )
}
