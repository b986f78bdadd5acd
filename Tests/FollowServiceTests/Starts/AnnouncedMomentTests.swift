import Postgres
import ScoreTypes
import TestSupport
import Testing

@testable import FollowService

/// Each moment is announced by notification once in each bucket, whichever node fails.
@Suite struct AnnouncedMomentTests {
    private let buckets = [7, 3, 5].compactMap { Bucket($0) }

    @Test func aBucketIsAnnouncedOnceAndItsNextOwnerContinues() async throws {
        let store = try await Store()
        let audience = AlertAudience(pool: store.pool, clock: store.time.clock())
        let (old, new) = (Term(5), Term(6))
        try await store.own(buckets, old)
        #expect(
            try await audience.unannounced(.final, revision: 10, term: old, of: buckets).keys.sorted()
                == buckets.sorted()
        )
        #expect(try await audience.recordAnnounced(.final, revision: 10, term: old, of: [buckets[0]]))
        #expect(
            try await audience.unannounced(.final, revision: 10, term: old, of: buckets).keys.sorted()
                == [buckets[1], buckets[2]]
        )
        try await store.own(buckets, new)
        #expect(
            try await audience.unannounced(.final, revision: 10, term: new, of: buckets).keys.sorted()
                == [buckets[1], buckets[2]],
            "the next owner announces the rest"
        )
        #expect(
            try await audience.recordAnnounced(.final, revision: 10, term: old, of: [buckets[1]]) == false,
            "the old owner learns that its term is over"
        )
        #expect(try await audience.unannounced(.final, revision: 10, term: old, of: buckets).isEmpty)
        #expect(try await audience.recordAnnounced(.final, revision: 10, term: new, of: [buckets[1], buckets[2]]))
        #expect(try await audience.unannounced(.final, revision: 10, term: new, of: buckets).isEmpty)
        let next = try await audience.unannounced(.final, revision: 11, term: new, of: buckets)
        #expect(next.count == 3 && next.values.allSatisfy { $0 == 10 }, "each with the revision announced there")
        let sent = try await store.progress(new).resume(.final, buckets: buckets)
        #expect(sent.values.allSatisfy { $0 == 0 }, "announced is not sent")
    }

    @Test func announcingAndRecordingLockRowsForOneStatement() async throws {
        let store = try await Store()
        // A node that is stopped between two statements of a transaction keeps its locks. The trigger's current query
        // is "commit" at the end of an explicit transaction, and the statement at the end of a single one.
        try await store.script(
            """
            create table ended_by (statement text);
            create function note_end() returns trigger language plpgsql as $$
            begin
                insert into ended_by values (coalesce(current_query(), ''));
                return null;
            end $$;
            create constraint trigger note_end after insert or update on fanout_0
                deferrable initially deferred for each row execute function note_end();
            """
        )
        let audience = AlertAudience(pool: store.pool, clock: store.time.clock())
        let term = Term(5)
        let progress = store.progress(term)
        try await store.own(buckets, term)
        _ = try await audience.unannounced(.final, revision: 10, term: term, of: buckets)
        _ = try await audience.recordAnnounced(.final, revision: 10, term: term, of: buckets)
        _ = try await progress.resume(.other, buckets: buckets)
        _ = try await progress.record(match: .other, buckets: buckets, revision: 3, at: store.time.now)
        let written = try await store.number(Statement("select count(*) from ended_by"))
        #expect(written == 12, "each of the four wrote three rows")
        let together = Statement("select count(*) from ended_by where statement ilike 'commit%'")
        #expect(try await store.number(together) == 0)
        // The trigger detects an explicit transaction.
        try await store.pool.transaction { connection in
            _ = try connection.execute(Statement("update fanout set sent_rev = sent_rev where bucket = 3"))
        }
        #expect(try await store.number(together) == 2)
    }
}
