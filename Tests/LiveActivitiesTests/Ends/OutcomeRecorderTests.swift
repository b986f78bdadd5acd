// The answers of APNs are recorded, also when the store fails at first.

import FollowService
import MatchSamples
import Postgres
import ScoreTypes
import Synchronization
import TestSupport
import Testing

@testable import LiveActivities
@testable import PushDispatcher

@Suite(.timeLimit(.minutes(2))) struct OutcomeRecorderTests {
    @Test("the mark of a start that was not sent is removed later if the store fails")
    func aFailedReleaseIsRepeated() async throws {
        let setup = try await PushSetup()
        let node = try await setup.node("a")
        try await node.phone(1, startToken: 101)
        let page = try await node.follow.starts.page(
            of: Samples.match,
            buckets: Bucket.all[0]...Bucket.all[Bucket.count - 1],
            scope: .neutrals,
            since: Instant(milliseconds: 0),
            limit: 10
        )
        let target = try #require(page.members.first?.target)
        let marks = Statement("select count(*) from follow where start_sent_at is not null")
        #expect(try await setup.number(marks) == 1)

        // This pool has no connection yet.
        let (pool, clock) = (Pool(setup.info, size: 1, name: "recorder"), ServiceClock())
        let stores = FollowerStores(pool: pool, clock: clock, arenas: node.follow.arenas)
        let recorder = OutcomeRecorder(stores: stores, clock: clock)
        try await setup.acceptConnections(false)
        await recorder.settled([DirectedOutcome(.start, of: Samples.match, to: target, .failed(.server))])
        #expect(try await setup.number(marks) == 1)
        try await setup.acceptConnections(true)
        try await eventually("the mark is removed") {
            await recorder.repeatReleases()
            return try await setup.number(marks) == 0
        }
        await pool.close()
        await setup.stop(node)
    }

    @Test("the end of a large channel delays no other answer of APNs")
    func theEndOfAChannelIsRecordedBesideOtherAnswers() async throws {
        let setup = try await PushSetup()
        let node = try await setup.node("a")
        let recorder = OutcomeRecorder(stores: node.follow, clock: ServiceClock())
        let channels = try ["Zmlyc3Q=", "c2Vjb25k"].map { try #require(ChannelID($0)) }
        let (opened, opening) = AsyncStream.makeStream(of: Void.self)
        let recorded = Mutex<[ChannelID]>([])
        for channel in channels {
            recorder.awaitEnd(of: channel) {
                for await _ in opened {}
                recorded.withLock { $0.append(channel) }
            }
            await recorder.ended(ChannelEndOutcome(channel: channel, environment: .sandbox, isOver: true))
        }
        #expect(recorded.withLock { $0 }.isEmpty, "both answers were taken while the first end is recorded")
        opening.finish()
        try await eventually("both are recorded") { recorded.withLock { Set($0) } == Set(channels) }
        await setup.stop(node)
    }
}
