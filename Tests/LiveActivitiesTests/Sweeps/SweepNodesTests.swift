// The sweep with two nodes: the one that sweeps ends silent activities in all buckets.

import FollowService
import MatchJournal
import MatchSamples
import Postgres
import PushDispatcher
import ScoreTypes
import Simulators
import TestSupport
import Testing

@testable import LiveActivities

@Suite(.timeLimit(.minutes(2))) struct SweepNodesTests {
    /// Two nodes that share the buckets, and phones in both halves.
    private func share(_ first: PushNode, _ second: PushNode) async throws {
        try await eventually("each has half of the buckets") {
            try await first.ownership.claim()
            try await second.ownership.claim()
            return first.ownership.buckets.count == 512 && second.ownership.buckets.count == 512
        }
    }

    @Test func oneNodeEndsSilentActivitiesOfAllBuckets() async throws {
        let setup = try await PushSetup()
        let (first, second) = (try await setup.node("a"), try await setup.node("b"))
        let numbers = Array(1...24)
        let screens = numbers.map { setup.screen($0) }
        for number in numbers {
            try await first.phone(number)
            try await first.activity(number)
        }
        try await share(first, second)
        try await first.report()
        second.publisher.wake(Samples.match)
        try await eventually("every phone shows the match, whosever it is") { screens.allSatisfy { !$0.all.isEmpty } }
        try await eventually("all of it is recorded") {
            try await setup.number(Statement("select count(*) from fanout where sent_rev > 0")) == Int64(Bucket.count)
        }
        let theirs = Set(second.ownership.buckets)
        let foreign = numbers.filter { theirs.contains(Bucket(of: PushSetup.device($0))) }
        #expect(!foreign.isEmpty && foreign.count < numbers.count, "phones in both halves")

        try await silence(setup)
        for node in [first, second] {
            try await eventually("recovered") { node.publications.isRecovered }
        }
        for node in [first, second] {
            let look = try await node.push.sweep.count(limit: 1000)
            #expect(look.count == numbers.count && !look.hasMore)
        }
        #expect(try await setup.number(Statement("select count(*) from activity where state <> 1")) == 0)
        #expect(try await first.push.sweep.sweep(limit: 1000).count == numbers.count)
        try await eventually("every phone ended, also the other node's") {
            screens.allSatisfy { $0.all.last?.event == .end }
        }
        #expect(screens.allSatisfy { $0.all.count { $0.event == .end } == 1 })
        try await eventually("the store has it") {
            try await setup.number(Statement("select count(*) from activity where state = 3")) == Int64(numbers.count)
        }
        #expect(try await second.push.sweep.sweep(limit: 1000).count == 0, "nothing is left for the other node")
        await setup.stop(first, second)
    }

    @Test func anotherNodeSweepsAllBucketsAfterTheFirstFails() async throws {
        let setup = try await PushSetup()
        let (first, second) = (try await setup.node("a"), try await setup.node("b"))
        let screens = (1...6).map { setup.screen($0) }
        for number in 1...6 {
            try await first.phone(number)
            try await first.activity(number)
        }
        try await share(first, second)
        try await first.report()
        second.publisher.wake(Samples.match)
        try await eventually("every phone shows the match") { screens.allSatisfy { !$0.all.isEmpty } }
        try await eventually("all of it is recorded") {
            try await setup.number(Statement("select count(*) from fanout where sent_rev > 0")) == Int64(Bucket.count)
        }
        _ = try await first.push.sweep.sweep(limit: 1000)
        #expect(screens.allSatisfy { $0.all.last?.event == .update }, "no activity is silent yet")
        await first.stop()
        try await silence(setup)
        #expect(try await second.push.sweep.sweep(limit: 1000).count == 6)
        try await eventually("every phone ended") { screens.allSatisfy { $0.all.last?.event == .end } }
        await setup.stop(second)
    }

    /// A registration was concurrent with the erasure, and the node that was to check again is gone.
    @Test func activitiesOfAnErasedPhoneAreEnded() async throws {
        let setup = try await PushSetup()
        let node = try await setup.node("a")
        let screens = (1...2).map { setup.screen($0) }
        for number in 1...2 {
            try await node.phone(number)
            try await node.activity(number)
        }
        try await eventually("it has the buckets") {
            try await node.ownership.claim()
            return node.ownership.buckets.count == Bucket.count
        }
        try await node.report()
        try await eventually("both phones show the match") { screens.allSatisfy { !$0.all.isEmpty } }
        let erase = Statement("update device set erased_at = now(), access_at = now() where device_id = $1")
        try await setup.pool.execute(erase, [.uuid(PushSetup.device(1))])
        try await eventually("recovered") { node.publications.isRecovered }
        #expect(try await node.push.sweep.sweep(limit: 1000).count == 1)
        let left = Statement("select count(*) from activity where state <> 3 or token <> ''")
        #expect(try await setup.number(left) == 1, "the token is removed at once")
        try await eventually("the erased phone's card ends") { screens[0].all.last?.event == .end }
        #expect(screens[1].all.allSatisfy { $0.event == .update })
        await setup.stop(node)
    }

    /// Forty minutes pass without any push.
    private func silence(_ setup: PushSetup) async throws {
        try await setup.pool.execute(Statement("update fanout set sent_at = now() - interval '40 minutes'"))
        try await setup.pool.execute(Statement("update activity set started_at = now() - interval '1 hour'"))
    }
}
