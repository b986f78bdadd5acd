import FollowService
import ScoreTypes
import TestSupport
import Testing

@Suite struct ProgressTests {
    private let buckets = [3, 1, 2].compactMap { Bucket($0) }

    @Test func whatABucketOwesIsKeptUntilItsNextRecord() async throws {
        let store = try await Store()
        let progress = ProgressRecords(pool: store.pool, clock: store.time.clock())
        let devices = (1...3 as ClosedRange<UInt64>).map { device($0) }
        let buckets = Set(devices.map { Bucket(of: $0) }).sorted()
        try await store.own(buckets, Term(5))
        _ = try await progress.resume(.final, term: Term(5), buckets: buckets)
        func record(_ revision: Int64, owed: [DeviceID], in some: [Bucket]) async throws {
            let at = store.time.now
            let outcome = try await progress.record(
                .final,
                term: Term(5),
                buckets: some,
                revision: revision,
                owed: owed,
                at: at
            )
            #expect(outcome == .recorded)
        }
        func owed() async throws -> Set<DeviceID> { Set(try await progress.owed(.final, buckets: buckets)) }
        try await record(10, owed: devices, in: buckets)
        #expect(try await owed() == Set(devices))
        try await record(9, owed: [], in: buckets)
        #expect(try await owed() == Set(devices), "what is older says nothing of it")
        let one = Bucket(of: devices[0])
        try await record(11, owed: [], in: [one])
        #expect(try await owed() == Set(devices.filter { Bucket(of: $0) != one }))
        try await record(11, owed: [devices[1]], in: [Bucket(of: devices[1])])
        #expect(try await owed().contains(devices[1]))
        #expect(try await progress.owed(.other, buckets: buckets).isEmpty)
    }

    @Test func aNewerTermFencesTheOlder() async throws {
        let store = try await Store()
        let progress = ProgressRecords(pool: store.pool, clock: store.time.clock())
        func record(_ term: Int64, _ revision: Int64, _ some: [Bucket]? = nil) async throws -> ProgressOutcome {
            try await progress.record(
                .final,
                term: Term(term),
                buckets: some ?? buckets,
                revision: revision,
                at: store.time.now
            )
        }
        #expect(try await progress.resume(.final, term: Term(5), buckets: buckets).isEmpty, "nobody's yet")
        try await store.own(buckets, Term(5))
        let fresh = try await progress.resume(.final, term: Term(5), buckets: buckets)
        #expect(fresh == Dictionary(uniqueKeysWithValues: buckets.map { ($0, 0) }))
        #expect(try await record(5, 10) == .recorded)
        #expect(try await record(5, 10) == .recorded, "the same again is not a fence")
        #expect(try await record(5, 7) == .recorded, "late, but its own")
        let one = Array(buckets.prefix(1))
        try await store.own(one, Term(6))
        #expect(try await progress.resume(.final, term: Term(6), buckets: one) == [buckets[0]: 10])
        #expect(try await record(5, 11) == .fenced)
        #expect(try await record(6, 12, one) == .recorded)
        #expect(
            try await progress.resume(.final, term: Term(5), buckets: one).isEmpty,
            "who owns nothing takes nothing"
        )
        try await store.own(one, Term(4))
        #expect(
            try await progress.resume(.final, term: Term(4), buckets: one) == [buckets[0]: 12],
            "an owner that has lived longer takes over from a younger one"
        )
        #expect(try await record(6, 13, one) == .fenced)
        try await store.own(buckets, Term(7))
        let all = try await progress.resume(.final, term: Term(7), buckets: buckets)
        #expect(all[buckets[0]] == 12)
        #expect(all[buckets[1]] == 11, "the fenced report still told the truth about its own buckets")
    }
}
