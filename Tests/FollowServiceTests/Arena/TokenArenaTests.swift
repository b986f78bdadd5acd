import ScoreTypes
import Testing

@testable import FollowService

@Suite struct TokenArenaTests {
    private func put(
        _ arena: inout TokenArena,
        _ number: UInt64,
        generation: Int32 = 1,
        registeredAt: UInt32 = 100,
        token bytes: [UInt8]? = nil
    ) -> TokenArena.Effect {
        let bytes = bytes ?? Array(repeating: UInt8(truncatingIfNeeded: number), count: 80)
        let activity = HeldActivity(
            device: device(number),
            generation: generation,
            startedAt: 50,
            registeredAt: registeredAt,
            environment: number.isMultiple(of: 2) ? .sandbox : .production,
            variant: number.isMultiple(of: 3) ? .portable : .own,
            wish: AlertWish(rawValue: UInt8(truncatingIfNeeded: number))
        )
        return bytes.withUnsafeBytes { arena.put(ArenaEntry(activity, token: $0)) }
    }

    @Test func aNewerGenerationReplacesAndAnOlderOneDoesNot() {
        var arena = TokenArena()
        let effects = [
            put(&arena, 1, generation: 2), put(&arena, 1, generation: 2), put(&arena, 1, generation: 1),
            put(&arena, 1, generation: 3, token: [9]),
        ]
        #expect(effects == [.added, .unchanged, .outdated, .replaced])
        let held = arena.find(device(1)) { ($0.activity.generation, Array($0.token)) }
        #expect(held?.0 == 3)
        #expect(held?.1 == [9])
        let count = arena.count
        #expect(count == 1)
    }

    @Test("A11: a removal applies to no newer generation and to no later registration")
    func removalIsGuardedByGenerationAndTimeOfRegistration() {
        var arena = TokenArena()
        _ = put(&arena, 1, generation: 5, registeredAt: 1000)
        let older = arena.remove(device(1), upTo: 4)
        let before = arena.remove(device(1), upTo: 5, registeredBy: Instant(milliseconds: 999_999))
        let after = arena.remove(device(1), upTo: 5, registeredBy: Instant(milliseconds: 1_000_000))
        let again = arena.remove(device(1), upTo: 5)
        #expect([older, before, after, again] == [false, false, true, false])
    }

    @Test func fieldsAreStoredIncludingTheLongestToken() {
        var arena = TokenArena()
        for number in 1...40 as ClosedRange<UInt64> { _ = put(&arena, number) }
        let longest = (0..<256).map { UInt8($0) }
        _ = put(&arena, 41, token: longest)
        let held = arena.find(device(41)) { (activity: $0.activity, token: Array($0.token)) }
        #expect(held?.token == longest)
        #expect(held?.activity.environment == .production)
        #expect(held?.activity.variant == .own)
        #expect(held?.activity.startedAt == 50)
        for number in 1...40 as ClosedRange<UInt64> {
            let entry = arena.find(device(number)) { (activity: $0.activity, token: Array($0.token)) }
            #expect(entry?.activity.wish == AlertWish(rawValue: UInt8(number)))
            #expect(entry?.token == Array(repeating: UInt8(number), count: 80))
            #expect(entry?.activity.environment == (number.isMultiple(of: 2) ? .sandbox : .production))
            #expect(entry?.activity.variant == (number.isMultiple(of: 3) ? .portable : .own))
        }
    }

    @Test func theArenaEqualsADictionaryAfterRandomChanges() {
        var generator = SplitMix64.printed("arena against dictionary")
        var arena = TokenArena()
        var model: [UInt64: Int32] = [:]
        for step in 0..<20_000 {
            let number = UInt64.random(in: 0..<400, using: &generator)
            let generation = Int32.random(in: 1...1000, using: &generator)
            if Int.random(in: 0..<5, using: &generator) < (step / 2000) % 5 {
                let removed = arena.remove(device(number), upTo: generation)
                #expect(removed == (model[number].map { $0 <= generation } ?? false))
                if removed { model[number] = nil }
            } else {
                let effect = put(&arena, number, generation: generation)
                let held = model[number]
                #expect((effect == .outdated) == (held.map { $0 > generation } ?? false))
                if effect != .outdated { model[number] = generation }
            }
        }
        let count = arena.count
        #expect(count == model.count)
        for number in 0..<400 as Range<UInt64> {
            let generation = arena.find(device(number)) { $0.activity.generation }
            #expect(generation == model[number])
        }
    }

    @Test func aWalkDuringRemovalsSkipsNoToken() {
        var generator = SplitMix64.printed("walk during removal")
        for _ in 0..<200 {
            var arena = TokenArena()
            let all = (1...UInt64.random(in: 1...900, using: &generator))
            for number in all { _ = put(&arena, number) }
            var staying = Set(all)
            var seen: Set<DeviceID> = []
            var cursor = Int.max
            while let (slice, next) = arena.slice(before: cursor, max: .random(in: 1...300, using: &generator)) {
                slice.forEach { seen.insert($0.activity.device) }
                cursor = next
                for _ in 0..<Int.random(in: 0...100, using: &generator) {
                    guard let gone = staying.randomElement(using: &generator) else { break }
                    staying.remove(gone)
                    _ = arena.remove(device(gone), upTo: .max)
                }
            }
            let skipped = staying.filter { !seen.contains(device($0)) }
            #expect(skipped.isEmpty)
        }
    }

    @Test("j: a walk of one environment sees all its tokens, and reads none of a bucket without them")
    func aWalkOfOneEnvironment() {
        var arena = TokenArena()
        for number in 1...1000 as ClosedRange<UInt64> { _ = put(&arena, number) }
        for number in stride(from: 1, through: 999, by: 4) { _ = arena.remove(device(UInt64(number)), upTo: .max) }
        var (cursor, slices) = (Int.max, 0)
        var seen: [DeviceID] = []
        while let (slice, next) = arena.slice(before: cursor, max: 256, of: .production) {
            slice.forEach { seen.append($0.activity.device) }
            (cursor, slices) = (next, slices + 1)
        }
        // Odd numbers are of production, and every other one is gone.
        let expected = Set(stride(from: 3, through: 999, by: 4).map { device(UInt64($0)) })
        #expect(seen.count == 250 && Set(seen) == expected)
        #expect(slices <= 2)
        for number in stride(from: 3, through: 999, by: 4) { _ = arena.remove(device(UInt64(number)), upTo: .max) }
        let none = arena.slice(before: .max, max: 256, of: .production) == nil
        let all = arena.slice(before: .max, max: 256, of: .sandbox)?.slice.count
        #expect(none && all == 256)
    }

    @Test func aTokenTakesAtMostOneHundredAndThirtyBytes() {
        for count in [700, 977, 1100, 3333] as [UInt64] {
            var arena = TokenArena()
            for number in 1...count { _ = put(&arena, number) }
            arena.trim()
            let built = arena.byteCount / arena.count
            // The worst case: right after the arena had to grow.
            _ = put(&arena, count + 1)
            let grown = arena.byteCount / arena.count
            #expect(built <= 130 && grown <= 130, "\(count) tokens: \(built) and \(grown) bytes each")
        }
    }
}
