import ScoreTypes
import TestSupport
import Testing

@testable import FollowService

@Suite struct ProgressTests {
    private let buckets = [3, 1, 2].compactMap { Bucket($0) }

    @Test func owedTokensAreStoredUntilTheNextRecord() async throws {
        let store = try await Store()
        let progress = store.progress(Term(5))
        let devices = (1...3 as ClosedRange<UInt64>).map { device($0) }
        let buckets = Set(devices.map { Bucket(of: $0) }).sorted()
        try await store.own(buckets, Term(5))
        _ = try await progress.resume(.final, buckets: buckets)
        func record(_ revision: Int64, owed: [DeviceID], in some: [Bucket]) async throws {
            let at = store.time.now
            #expect(try await progress.record(match: .final, buckets: some, revision: revision, owed: owed, at: at))
        }
        func owed() async throws -> Set<DeviceID> { Set(try await progress.owed(.final, buckets: buckets)) }
        try await record(10, owed: devices, in: buckets)
        #expect(try await owed() == Set(devices))
        try await record(9, owed: [], in: buckets)
        #expect(try await owed() == Set(devices), "an older record does not change it")
        let one = Bucket(of: devices[0])
        try await record(11, owed: [], in: [one])
        #expect(try await owed() == Set(devices.filter { Bucket(of: $0) != one }))
        try await record(11, owed: [devices[1]], in: [Bucket(of: devices[1])])
        #expect(try await owed().contains(devices[1]))
        #expect(try await progress.owed(.other, buckets: buckets).isEmpty)
    }

    @Test func aNodeWithoutATermRecordsNothing() async throws {
        let store = try await Store()
        try await store.own(buckets, Term(5))
        let progress = store.progress(nil)
        #expect(try await progress.resume(.final, buckets: buckets).isEmpty)
        #expect(try await progress.record(match: .final, buckets: buckets, revision: 1, at: store.time.now) == false)
    }

    @Test func aNewerTermFencesTheOlderOne() async throws {
        let store = try await Store()
        func record(_ term: Int64, _ revision: Int64, _ some: [Bucket]? = nil) async throws -> Bool {
            let at = store.time.now
            return try await store.progress(Term(term))
                .record(match: .final, buckets: some ?? buckets, revision: revision, at: at)
        }
        func resume(_ term: Int64, _ some: [Bucket]) async throws -> [Bucket: Int64] {
            try await store.progress(Term(term)).resume(.final, buckets: some)
        }
        #expect(try await resume(5, buckets).isEmpty, "nobody's yet")
        try await store.own(buckets, Term(5))
        let fresh = try await resume(5, buckets)
        #expect(fresh == Dictionary(uniqueKeysWithValues: buckets.map { ($0, 0) }))
        #expect(try await record(5, 10))
        #expect(try await record(5, 10), "a repeated record is not fenced")
        #expect(try await record(5, 7), "late, but its own")
        let one = Array(buckets.prefix(1))
        try await store.own(one, Term(6))
        #expect(try await resume(6, one) == [buckets[0]: 10])
        #expect(try await record(5, 11) == false)
        #expect(try await record(6, 12, one))
        #expect(
            try await resume(5, one).isEmpty,
            "a node without buckets receives none"
        )
        try await store.own(one, Term(4))
        #expect(
            try await resume(4, one) == [buckets[0]: 12],
            "an owner with a longer life takes over from a newer one"
        )
        #expect(try await record(6, 13, one) == false)
        try await store.own(buckets, Term(7))
        let all = try await resume(7, buckets)
        #expect(all[buckets[0]] == 12)
        #expect(all[buckets[1]] == 11, "the fenced report was correct for its own buckets")
    }
}
