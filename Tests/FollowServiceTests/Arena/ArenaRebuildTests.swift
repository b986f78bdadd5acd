// A node that missed changes cannot know which; it has to read all again, after any number of failures.

import Postgres
import ScoreTypes
import Synchronization
import TestSupport
import Testing

@testable import FollowService

@Suite struct ArenaRebuildTests {
    private let half = Bucket.all.filter { $0.number < 512 }

    @Test func aLongGapCausesARebuildEvenAfterAFailure() async throws {
        let store = try await Store()
        let running = RunningIndex(store, clock: store.time.clock())
        try await running.index.own(half)
        try await running.index.open(.final)
        try await register(0..<40, in: store)
        let first = try await tableContents(store, of: .final, buckets: half)
        try await eventually("the arena is filled") { running.contents(of: .final) == first }

        // For longer than changes are kept neither the tail nor a build finds the table.
        let before = try await store.number(Self.tail)
        try await store.script("alter table activity rename to elsewhere")
        try await eventually("the tail has failed") {
            let now = try await store.number(Self.tail)
            return now != 0 && now != before
        }
        // The change of this one is deleted; it is before the first build, whose snapshot would miss it for good.
        try await store.script("update elsewhere set gen = gen + 1")
        try await dropAllChanges(on: store.pool)
        try await eventually("what may be wrong is not held") { running.contents(of: .final).isEmpty }
        try await store.script("alter table elsewhere rename to activity")

        let second = try await tableContents(store, of: .final, buckets: half)
        #expect(!second.isEmpty && second != first)
        try await eventually("the arena agrees with the table") { running.contents(of: .final) == second }
        await running.stop()
    }

    @Test func aBuildThatWaitsDuringAGapIsRepeated() async throws {
        let store = try await Store()
        let running = RunningIndex(store)
        try await running.index.own(half)
        try await running.index.open(.final)
        try await register(0..<80, in: store)
        let held = try await tableContents(store, of: .final, buckets: half)
        try await eventually("the arena is filled") { running.contents(of: .final) == held }

        // The tail waits, and the buckets of another node are read meanwhile.
        let locker = try await Connection.open(store.info, name: "locker")
        try await locker.script(
            "set idle_in_transaction_session_timeout = 0; begin; lock table change_dropped in access exclusive mode"
        )
        try await eventually("the tail waits") { try await store.number(Self.waitingTails) == 1 }
        let taking = Task { try await running.index.own(Bucket.all) }
        try await eventually("so does the build") { running.index.pendingBuilds.withLock { $0.first != nil } }
        try await store.script("update activity set gen = gen + 1")
        let next = try await store.number(Self.nextTransaction)
        try await locker.execute(ArenaStatements.prune, [.int(next), .int(5_000)])
        try await locker.script("commit")

        try await taking.value
        let taken = try await tableContents(store, of: .final, buckets: Bucket.all.filter { $0.number >= 512 })
        #expect(!taken.isEmpty && taken.isSubset(of: running.contents(of: .final)), "an installed build can be walked")
        let all = try await tableContents(store, of: .final)
        try await eventually("the arena agrees with the table") { running.contents(of: .final) == all }
        await running.stop()
    }

    @Test func changesAreDeletedAfterHalfAnHour() async throws {
        let store = try await Store()
        let running = RunningIndex(store, clock: store.time.clock())
        try await running.index.own(Bucket.all)
        // Installed by a turn, which records how far it has read.
        try await running.index.open(.final)
        let first = try await store.number(Self.nextTransaction)
        try await register(0..<5, in: store)
        let old = try await store.number(Self.nextTransaction)
        // Read after all older ones, however long another transaction delays the tail.
        try await register(10..<11, in: store)
        try await eventually("it is seen") { running.has(device(10), of: .final) }
        store.time.advance(by: .seconds(60))
        // A turn that began after the first one's reads the second, hence at this time; what it passed is recorded.
        for number in 11..<13 as Range<UInt64> {
            try await register(number..<number + 1, in: store)
            try await eventually("it is seen") { running.has(device(number), of: .final) }
        }
        store.time.advance(by: .seconds(30 * 60 - 1))
        let young = try await store.number(Self.nextTransaction)
        for number in 13..<15 as Range<UInt64> {
            try await register(number..<number + 1, in: store)
            try await eventually("it is seen") { running.has(device(number), of: .final) }
        }
        #expect(try await store.number(Self.changesBefore, [.int(old)]) == 5)
        #expect(try await store.number(Self.droppedBelow) <= first)
        store.time.advance(by: .seconds(1))
        try await eventually("they are dropped") { try await store.number(Self.changesBefore, [.int(old)]) == 0 }
        let rest = try await store.number(Self.changesBefore, [.int(.max)])
        let restOfOlder = try await store.number(Self.changesBefore, [.int(young)])
        #expect(rest - restOfOlder == 2, "newer ones stay")
        #expect(try await store.number(Self.droppedBelow) >= old, "a reader that is behind can detect it")
        #expect(running.contents(of: .final).count == 10, "the node that deleted them has missed nothing")
        await running.stop()
    }

    @Test("P14: the mark of a restored table is replaced") func theMarkOfARestoredTableIsReplaced() async throws {
        let store = try await Store()
        try await store.script("update change_dropped set below = '9000000000000000000'")
        let next = try await store.number(Self.nextTransaction)
        try await store.pool.execute(ArenaStatements.prune, [.int(next), .int(5_000)])
        #expect(try await store.number(Self.droppedBelow) == next)
    }

    @Test func missedChangesAreDetectedByDeletedChanges() {
        func horizon(_ next: Int64, droppedBelow: Int64) -> ChangeTail.Horizon {
            ChangeTail.Horizon(oldest: next, next: next, droppedBelow: droppedBelow)
        }
        var tail = TailPosition()
        #expect(!tail.hasMissed(horizon(900, droppedBelow: 800)), "a node that has read nothing has missed nothing")
        tail.advance(from: 100, to: 200, next: 200, at: .zero)
        #expect(!tail.hasMissed(horizon(900, droppedBelow: 100)))
        #expect(tail.hasMissed(horizon(900, droppedBelow: 101)), "it may be deleted between the statements of the read")
        #expect(!tail.hasMissed(horizon(200, droppedBelow: 0)))
        #expect(tail.hasMissed(horizon(199, droppedBelow: 0)), "a number that was read is used again")
        #expect(!tail.hasMissed(horizon(900, droppedBelow: 901)), "a restored table belongs to another server")
        tail.reset()
        #expect(!tail.hasMissed(horizon(150, droppedBelow: 140)))
        let first = [tail.changesServer(to: "a"), tail.changesServer(to: "a")]
        #expect(first == [false, false])
        tail.reset()
        let second = tail.changesServer(to: "b")
        #expect(second)
    }

    private func register(_ numbers: Range<UInt64>, in store: Store) async throws {
        for number in numbers { try await store.register(number, seq: 1, route: .token(token(number))) }
    }

    /// Deletes as another node does that has read them all half an hour ago.
    private func dropAllChanges(on pool: Pool) async throws {
        let next = try await pool.query(Self.nextTransaction) { try $0.int(0) }
        try await pool.execute(ArenaStatements.prune, [.int(try #require(next.first)), .int(5_000)])
    }

    private static let nextTransaction = Statement("select pg_snapshot_xmax(pg_current_snapshot())::text::bigint")
    private static let changesBefore = Statement("select count(*) from change where xid::text::bigint < $1")
    private static let droppedBelow = Statement("select below::text::bigint from change_dropped")

    /// The process that serves the tail; 0 for none.
    private static let tail = Statement(
        """
        select coalesce(max(pid), 0) from pg_stat_activity
        where application_name = 'arena-tail' and datname = current_database()
        """
    )

    /// How many of them wait for a lock.
    private static let waitingTails = Statement(
        """
        select count(*) from pg_stat_activity
        where application_name = 'arena-tail' and datname = current_database() and wait_event_type = 'Lock'
        """
    )
}
