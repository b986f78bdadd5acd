// A bucket that is released for any reason is found again by the next comparison, although the array is the same.

import ScoreTypes
import Testing

@testable import PushDispatcher

@Suite struct ServedBucketsTests {
    private let all = Array(Bucket.all.prefix(8))

    private func taken(_ buckets: [Bucket]) -> [Bucket: Int64] {
        Dictionary(uniqueKeysWithValues: buckets.map { ($0, 7) })
    }

    @Test func anUnchangedArrayHasNoDifference() {
        var served = ServedBuckets()
        #expect(served.difference(from: []) == nil)
        #expect(served.difference(from: all)?.fresh == Set(all))
        served.take(taken(all))
        #expect(served.difference(from: all) == nil)
        #expect(served.difference(from: all) == nil)
        let gone = served.difference(from: Array(all.prefix(3)))?.gone
        #expect(gone == Set(all.dropFirst(3)))
    }

    @Test func aReleasedBucketIsTakenOverAgain() {
        var served = ServedBuckets()
        served.take(taken(all))
        #expect(served.difference(from: all) == nil)
        served.release([all[2]])
        #expect(served.difference(from: all)?.fresh == [all[2]], "tokens were lost, and are back in the same buckets")
        served.take([all[2]: 9])
        #expect(served.difference(from: all) == nil && served.revisions[all[2]] == 9)
        served.release(all[4...])
        #expect(served.difference(from: all)?.fresh == Set(all[4...]), "claimed again before another look")
    }

    @Test func aRevisionIsRecordedForServedBucketsOnly() {
        var served = ServedBuckets()
        served.take(taken(Array(all.prefix(2))))
        served.record(8, of: Array(all.prefix(3)))
        #expect(served.revisions == [all[0]: 8, all[1]: 8])
    }
}
