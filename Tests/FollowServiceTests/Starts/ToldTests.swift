import FollowService
import ScoreTypes
import Testing

/// Moments are told by notification once in each bucket, whoever dies in between.
@Suite struct ToldTests {
    private let buckets = [7, 3, 5].compactMap { Bucket($0) }

    @Test func aBucketIsToldOnceAndItsNextOwnerGoesOn() async throws {
        let store = try await Store()
        let audience = AlertAudience(pool: store.pool, clock: store.time.clock)
        let (old, new) = (Term(5), Term(6))
        try await store.own(buckets, old)
        #expect(try await audience.untold(.final, revision: 10, term: old, of: buckets) == buckets.sorted())
        #expect(try await audience.recordTold(.final, revision: 10, term: old, of: [buckets[0]]))
        #expect(try await audience.untold(.final, revision: 10, term: old, of: buckets) == [buckets[1], buckets[2]])
        try await store.own(buckets, new)
        #expect(
            try await audience.untold(.final, revision: 10, term: new, of: buckets) == [buckets[1], buckets[2]],
            "the next owner tells what is left"
        )
        #expect(
            try await audience.recordTold(.final, revision: 10, term: old, of: [buckets[1]]) == false,
            "and the old one learns that it is none any more"
        )
        #expect(try await audience.untold(.final, revision: 10, term: old, of: buckets).isEmpty)
        #expect(try await audience.recordTold(.final, revision: 10, term: new, of: [buckets[1], buckets[2]]))
        #expect(try await audience.untold(.final, revision: 10, term: new, of: buckets).isEmpty)
        #expect(try await audience.untold(.final, revision: 11, term: new, of: buckets).count == 3)
        let progress = ProgressRecords(pool: store.pool, clock: store.time.clock)
        let sent = try await progress.resume(.final, term: new, buckets: buckets)
        #expect(sent.values.allSatisfy { $0 == 0 }, "what was told is not what was sent")
    }
}
