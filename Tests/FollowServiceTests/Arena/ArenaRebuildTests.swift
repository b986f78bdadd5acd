// A node that heard nothing for long cannot know what it missed; it has to read all again, however often that fails.

import FollowService
import Postgres
import ScoreTypes
import Testing
import Waiting

@Suite struct ArenaRebuildTests {
    @Test func afterALongGapAllIsReadAgainEvenWhenTheFirstAttemptFails() async throws {
        let store = try await Store()
        let running = RunningIndex(store, clock: store.time.clock)
        let half = Bucket.all.filter { $0.number < 512 }
        try await running.index.own(half)
        try await running.index.open(.final)
        for number in 0..<40 as Range<UInt64> { try await register(number, in: store) }
        let first = try await tableContents(store, of: .final, buckets: half)
        try await eventually("the arena is filled") { running.contents(of: .final) == first }

        // Neither the tail nor a build finds the table for a while, which is longer than changes are kept.
        let before = try await store.number(Self.tail)
        try await store.script("alter table activity rename to elsewhere")
        try await eventually("the tail has failed") {
            let now = try await store.number(Self.tail)
            return now != 0 && now != before
        }
        // Of this nobody tells any more; it happens before the first build, whose snapshot would miss it for good.
        try await store.script("update elsewhere set gen = gen + 1; delete from change")
        store.time.advance(by: .seconds(21 * 60))
        try await eventually("what may be wrong is not held") { running.contents(of: .final).isEmpty }
        try await store.script("alter table elsewhere rename to activity")

        let second = try await tableContents(store, of: .final, buckets: half)
        #expect(!second.isEmpty && second != first)
        try await eventually("the arena agrees with the table") { running.contents(of: .final) == second }
        await running.stop()
    }

    private func register(_ number: UInt64, in store: Store) async throws {
        _ = try await store.activities.register(
            ActivityRegistration(
                device: device(number),
                match: .final,
                activityID: ActivityID(unchecked: "A"),
                environment: .sandbox,
                route: .token(token(number)),
                startedAt: store.time.now,
                clientSeq: 1
            )
        )
    }

    /// The process that serves the tail; 0 for none.
    private static let tail = Statement(
        """
        select coalesce(max(pid), 0) from pg_stat_activity
        where application_name = 'arena-tail' and datname = current_database()
        """
    )
}
