// Activity tokens in memory, as the tests' token source.

import ScoreTypes
import Synchronization

@testable import PushDispatcher

/// Tokens by bucket; a removal moves the last one into the gap, like the real arena.
final class MemoryTokens: TokenSource {
    struct Entry {
        var device: DeviceID
        var generation: Int32
        var environment: PushEnvironment
        var token: PushToken
        var wish = AlertWish.all
        var variant = ActivityVariant.own
    }

    struct State {
        var buckets: [Int: [Entry]] = [:]
        var served = Set(Bucket.all)
        var builds: [Bucket: Int] = [:]
        var rejections: [RejectedToken] = []
    }

    let state = Mutex(State())

    init(count: Int, environment: PushEnvironment = .sandbox) {
        for number in 0..<count { add(number, environment: environment) }
    }

    func add(
        _ number: Int,
        environment: PushEnvironment = .sandbox,
        generation: Int32 = 1,
        wish: AlertWish = .all,
        variant: ActivityVariant = .own
    ) {
        let device = Fixture.device(number)
        let entry = Entry(
            device: device,
            generation: generation,
            environment: environment,
            token: Fixture.token(number),
            wish: wish,
            variant: variant
        )
        state.withLock { $0.buckets[Int(Bucket(of: device).number), default: []].append(entry) }
    }

    func remove(_ device: DeviceID) {
        state.withLock { state in
            let bucket = Int(Bucket(of: device).number)
            guard let index = state.buckets[bucket]?.firstIndex(where: { $0.device == device }) else { return }
            let last = state.buckets[bucket]?.removeLast()
            if let last, index < state.buckets[bucket]?.count ?? 0 { state.buckets[bucket]?[index] = last }
        }
    }

    var rejections: [RejectedToken] { state.withLock { $0.rejections } }

    func buckets(of match: MatchID) -> [Bucket] { state.withLock { $0.served.sorted() } }

    func copyTokens(
        of match: MatchID,
        bucket: Bucket,
        environment: PushEnvironment,
        before cursor: WalkCursor,
        into slice: inout TokenSlice
    ) -> WalkCursor? {
        state.withLock { state in
            let build = state.builds[bucket] ?? 1
            guard state.served.contains(bucket), cursor == .start || cursor.build == build else { return nil }
            let entries = state.buckets[Int(bucket.number)] ?? []
            var index = min(cursor.place, entries.count)
            while index > 0, !slice.isFull {
                index -= 1
                let entry = entries[index]
                guard entry.environment == environment else { continue }
                entry.token.bytes.withUnsafeBytes {
                    _ = slice.append(
                        device: entry.device,
                        generation: entry.generation,
                        variant: entry.variant.rawValue,
                        wish: entry.wish,
                        token: $0
                    )
                }
            }
            return WalkCursor(build: build, place: index)
        }
    }

    func token(of match: MatchID, device: DeviceID, generation: Int32) -> PushToken? {
        state.withLock { state in
            state.buckets[Int(Bucket(of: device).number)]?
                .first { $0.device == device && $0.generation == generation }?.token
        }
    }

    func newest(of match: MatchID, device: DeviceID) -> LateToken? {
        state.withLock { state in
            state.buckets[Int(Bucket(of: device).number)]?.first { $0.device == device }.map {
                LateToken(
                    match: match,
                    device: device,
                    generation: $0.generation,
                    environment: $0.environment,
                    variant: $0.variant
                )
            }
        }
    }

    func evict(_ rejected: RejectedToken) {
        // Published last: a test that sees the eviction may rely on the removal.
        remove(rejected.device)
        state.withLock { $0.rejections.append(rejected) }
    }
}

/// Two matches, each with its own audience.
struct MatchTokens: TokenSource {
    let small: MatchID
    let final = MemoryTokens(count: 0)
    let smallMatch = MemoryTokens(count: 0)

    private func tokens(of match: MatchID) -> MemoryTokens { match == small ? smallMatch : final }

    func buckets(of match: MatchID) -> [Bucket] { tokens(of: match).buckets(of: match) }

    func copyTokens(
        of match: MatchID,
        bucket: Bucket,
        environment: PushEnvironment,
        before cursor: WalkCursor,
        into slice: inout TokenSlice
    ) -> WalkCursor? {
        tokens(of: match).copyTokens(
            of: match,
            bucket: bucket,
            environment: environment,
            before: cursor,
            into: &slice
        )
    }

    func token(of match: MatchID, device: DeviceID, generation: Int32) -> PushToken? {
        tokens(of: match).token(of: match, device: device, generation: generation)
    }

    func newest(of match: MatchID, device: DeviceID) -> LateToken? {
        tokens(of: match).newest(of: match, device: device)
    }

    func evict(_ rejected: RejectedToken) { final.evict(rejected) }
}
