// Proves the arithmetic of sharing for any number of nodes.
import ScoreTypes
import Testing

@testable import Postgres

struct BucketShareTests {
    @Test func aLoneNodeTakesEverything() {
        let share = BucketShare(owned: [], withheld: [], sharers: 1, isSharer: true)
        #expect(share.claimsMax == 1024 && share.release.isEmpty && share.withhold.isEmpty)
    }

    @Test func aSurplusIsWithheldFirstAndReleasedWithTheNextCall() {
        let all = Set(Bucket.all)
        let first = BucketShare(owned: all, withheld: [], sharers: 2, isSharer: true)
        #expect(first.withhold.count == 512 && first.release.isEmpty && first.claimsMax == 0)
        let second = BucketShare(owned: all, withheld: first.withhold, sharers: 2, isSharer: true)
        #expect(second.release == first.withhold && second.withhold.isEmpty)
    }

    @Test func whatIsNoLongerSurplusComesBack() {
        let all = Set(Bucket.all)
        let first = BucketShare(owned: all, withheld: [], sharers: 2, isSharer: true)
        let second = BucketShare(owned: all, withheld: first.withhold, sharers: 1, isSharer: true)
        #expect(second.release.isEmpty && second.withhold.isEmpty)
    }

    @Test func aNodeThatWantsNoShareGivesAllAway() {
        let all = Set(Bucket.all)
        let share = BucketShare(owned: all, withheld: all, sharers: 3, isSharer: false)
        #expect(share.release == all && share.claimsMax == 0)
        #expect(BucketShare(owned: [], withheld: [], sharers: 0, isSharer: false).claimsMax == 0)
    }

    @Test(arguments: 1...40)
    func sharesOfAllNodesCoverAllBuckets(nodes: Int) {
        let share = BucketShare(owned: [], withheld: [], sharers: nodes, isSharer: true).claimsMax
        #expect(share * nodes >= Bucket.count && (share - 1) * nodes < Bucket.count)
    }
}
