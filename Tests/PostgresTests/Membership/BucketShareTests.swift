// The arithmetic of sharing buckets among any number of nodes.
import ScoreTypes
import Testing

@testable import Postgres

struct BucketShareTests {
    @Test func aLoneNodeTakesEverything() {
        let share = BucketShare(owned: [], withheld: [], nodeCount: 1)
        #expect(share.claimsMax == 1024 && share.release.isEmpty && share.withhold.isEmpty)
    }

    @Test func aSurplusIsWithheldBeforeItsRelease() {
        let all = Set(Bucket.all)
        let first = BucketShare(owned: all, withheld: [], nodeCount: 2)
        #expect(first.withhold.count == 512 && first.release.isEmpty && first.claimsMax == 0)
        let second = BucketShare(owned: all, withheld: first.withhold, nodeCount: 2)
        #expect(second.release == first.withhold && second.withhold.isEmpty)
    }

    @Test func withheldBucketsReturnWhenTheyAreNoSurplus() {
        let all = Set(Bucket.all)
        let first = BucketShare(owned: all, withheld: [], nodeCount: 2)
        let second = BucketShare(owned: all, withheld: first.withhold, nodeCount: 1)
        #expect(second.release.isEmpty && second.withhold.isEmpty)
    }

    @Test(arguments: 1...40)
    func sharesOfAllNodesCoverAllBuckets(nodes: Int) {
        let share = BucketShare(owned: [], withheld: [], nodeCount: nodes).claimsMax
        #expect(share * nodes >= Bucket.count && (share - 1) * nodes < Bucket.count)
    }
}
