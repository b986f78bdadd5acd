// The activities of a match are counted and read in parts: no part is left out, and none is taken twice.

import Postgres
import ScoreTypes
import TestSupport
import Testing

@testable import FollowService

@Suite struct ActiveTests {
    private static let numbers: ClosedRange<UInt64> = 1...40

    /// Forty devices with activities in many buckets: each fourth on a channel in use, each fourth on a retired one.
    private func store() async throws -> Store {
        let store = try await Store()
        let channels = ChannelRecords(pool: store.pool, clock: store.time.clock())
        let (used, retired) = (try #require(ChannelID("dXNlZA==")), try #require(ChannelID("cmV0aXJlZA==")))
        for (generation, name) in [used, retired].enumerated() {
            _ = try await channels.save(store.channelRecord(name, generation: Int32(generation + 1)))
        }
        for number in Self.numbers {
            try await store.registerDevice(number)
            _ = try await store.follows.put(FollowSettings(match: .final), of: device(number), clientSequence: 1)
            switch number % 4 {
            case 0: try await store.register(number, seq: 1, route: .channel(used))
            case 1: try await store.register(number, seq: 1, route: .channel(retired))
            default: try await store.register(number, seq: 1, route: .token(token(number)))
            }
        }
        try await channels.retire(retired, in: .sandbox, at: store.time.now)
        return store
    }

    @Test func everyBucketIsCountedOnce() async throws {
        let store = try await store()
        let parts = Set(Self.numbers.map { Int(Bucket(of: device($0)).number) / FollowLimits.bucketsCounted })
        #expect(parts.count > 8 && Bucket.count % FollowLimits.bucketsCounted == 0, "they are in many parts")
        let counts = try await store.activities.counts(of: .final)
        let number = Int64(Self.numbers.count)
        #expect(counts.follows == number)
        #expect(counts.activitiesOnTokens == number / 2 && counts.activitiesOnChannels == number / 2)
        #expect(try await store.activities.activeCount(of: .final) == number)
        let accepted = try await store.activities.accepted([.final: 1], in: Bucket.all)
        #expect(accepted == [.final: AcceptedCounts(active: number, onChannels: number / 2)])
        #expect(try await store.activities.accepted([.final: 1], in: []).isEmpty)
    }

    @Test(arguments: [1, 7, 100]) func activitiesOutsideChannelsInUseAreReadOnce(limit: Int) async throws {
        let store = try await store()
        var devices: [DeviceID] = []
        var cursor: AudienceCursor? = .start
        while let after = cursor {
            let page = try await store.activities.activeOutsideChannels(of: .final, after: after, limit: limit)
            #expect(page.members.count <= limit)
            devices += page.members
            cursor = page.next
        }
        let expected = Self.numbers.filter { $0 % 4 != 0 }.map { device($0) }
        #expect(devices.count == expected.count && Set(devices) == Set(expected))
    }
}
