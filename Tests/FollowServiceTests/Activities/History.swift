// Random calls of a few phones, made to the store and to the model.

import Postgres
import ScoreTypes
import TestSupport
import Testing

@testable import FollowService

/// A history: the store, the model, and the ends that the server has begun.
struct History {
    static let matches = [MatchID.final, .other]
    let store: Store
    let index: ArenaIndex
    var generator: SplitMix64
    var model = NaiveActivities()
    var ending: [EndingActivity] = []

    mutating func any<T>(_ choices: [T]) -> T { choices[Int.random(in: choices.indices, using: &generator)] }

    mutating func key() -> NaiveActivities.DeviceMatch {
        .init(device: device(.random(in: 1...4, using: &generator)), match: any(Self.matches))
    }

    /// Apps count upwards, but calls overtake one another and are repeated.
    mutating func seq(_ step: Int) -> Int64 { Int64(max(1, step + .random(in: -6...2, using: &generator))) }

    /// Makes the phones.
    func begin() async throws {
        for number in 1...4 as ClosedRange<UInt64> {
            let made = try await store.devices.register(
                NewDevice(
                    device: device(number),
                    environment: .production,
                    bundleID: "app",
                    abilities: [.activities, .frequentPushes, .alerts],
                    credentialHash: [1]
                )
            )
            #expect(made)
        }
    }

    mutating func step(_ number: Int) async throws {
        store.time.advance(by: .seconds(.random(in: 0...20, using: &generator)))
        switch Int.random(in: 0..<26, using: &generator) {
        case 0..<9: try await register(number)
        case 9..<11: try await end(number)
        case 11..<13: try await evict()
        case 13..<15: try await beginEnd()
        case 15: try await finishEnd()
        case 16..<20: try await follow(number)
        case 20: try await list(number)
        case 21: try await reconcile(number)
        case 22: try await setQuietHours()
        default: try await burst(number)
        }
    }

    private mutating func register(_ number: Int) async throws {
        let key = key()
        let isOnChannel = Int.random(in: 0..<5, using: &generator) == 0
        let call = ActivityRegistration(
            device: key.device,
            match: key.match,
            activityID: ActivityID(unchecked: "\(key.match)-\(Int.random(in: 0..<3, using: &generator))"),
            environment: .production,
            route: isOnChannel
                ? .channel(try #require(ChannelID("dGVzdA=="))) : .token(try token(generator.next())),
            startedAt: store.time.now,
            clientSequence: seq(number)
        )
        let expected = model.register(call, at: store.time.now)
        let outcome = try await store.activities.register(call)
        #expect(outcome == expected, "step \(number)")
    }

    private mutating func end(_ number: Int) async throws {
        let key = key()
        let call = ActivityEnd(
            device: key.device,
            activityID: ActivityID(unchecked: "\(key.match)-\(Int.random(in: 0..<3, using: &generator))"),
            reason: any([.ended, .dismissed, .stale, .unfollowed]),
            clientSequence: seq(number)
        )
        let expected = model.end(call)
        #expect(try await store.activities.end(call) == expected, "step \(number)")
    }

    private mutating func evict() async throws {
        let key = key()
        let eviction = RejectedToken(
            match: key.match,
            device: key.device,
            generation: (model.rows[key]?.generation ?? 1) - Int32.random(in: 0...1, using: &generator),
            deadAt: Bool.random(using: &generator)
                ? nil : store.time.now + .seconds(.random(in: -30...0, using: &generator))
        )
        model.evict(eviction)
        try await index.write(eviction)
    }

    private mutating func beginEnd() async throws {
        let key = key()
        let generation = any([nil, model.rows[key]?.generation, 1])
        let reason: EndReason = any([.silent, .over, .expired, .unfollowed])
        let expected = model.beginEnd(key, generation: generation, reason: reason)
        let row = DeviceMatchKey(match: key.match, device: key.device)
        let begun = try await store.activities.beginEnd([(row, generation)], reason: reason).first
        #expect(begun?.generation == expected)
        if let begun { ending.append(begun) }
    }

    private mutating func finishEnd() async throws {
        guard !ending.isEmpty else { return }
        let one = ending.remove(at: .random(in: ending.indices, using: &generator))
        let key = NaiveActivities.DeviceMatch(device: one.device, match: one.match)
        let expected = model.finishEnd(key, generation: one.generation)
        #expect(try await store.activities.finishEnd(of: [one]) == expected)
    }

    private mutating func follow(_ number: Int) async throws {
        let key = key()
        let (isWanted, seq) = (Bool.random(using: &generator), seq(number))
        let wish = wish(key.match)
        model.follow(key, isWanted: isWanted, alerts: wish.alerts, clientSequence: seq)
        if isWanted {
            _ = try await store.follows.put(wish, of: key.device, clientSequence: seq)
        } else {
            _ = try await store.follows.remove(key.match, of: key.device, clientSequence: seq)
        }
    }

    private mutating func wish(_ match: MatchID) -> FollowSettings {
        FollowSettings(match: match, alerts: AlertKinds(rawValue: any([15, 15, 1, 4, 0])))
    }

    private mutating func list(_ number: Int) async throws {
        let (device, seq) = (key().device, seq(number))
        let wishes = Self.matches.filter { _ in Bool.random(using: &generator) }.map { wish($0) }
        model.list(device, Dictionary(uniqueKeysWithValues: wishes.map { ($0.match, $0.alerts) }), clientSequence: seq)
        _ = try await store.follows.replaceAll(wishes, of: device, clientSequence: seq)
    }

    private mutating func reconcile(_ number: Int) async throws {
        let (device, seq) = (key().device, seq(number))
        let reported = Self.matches.filter { _ in Bool.random(using: &generator) }.map { match in
            let isActive = Bool.random(using: &generator)
            return ReportedActivity(
                activityID: ActivityID(unchecked: "\(match)-\(Int.random(in: 0..<3, using: &generator))"),
                match: match,
                state: isActive ? .active : Bool.random(using: &generator) ? .dismissed : .ended
            )
        }
        let expected = model.reconcile(device, reported, clientSequence: seq)
        let outcome = try await store.activities.reconcile(device: device, reported: reported, clientSequence: seq)
        #expect(Set(outcome.missing) == expected, "step \(number)")
    }

    private mutating func setQuietHours() async throws {
        let (device, isQuiet) = (key().device, Bool.random(using: &generator))
        model.setQuietHours(device, isQuiet)
        _ = try await store.devices.patch(device, DevicePatch(quietHours: .some(isQuiet ? Self.night : nil)))
    }

    private static let night = QuietHours(from: 22 * 60, until: 7 * 60)

    /// An app after a time without a network: rotations, settings, a list and quiet hours, each counted once.
    private mutating func burst(_ number: Int) async throws {
        let key = key()
        let seqs = (0..<7).map { Int64(number + $0) }.shuffled(using: &generator)
        let (lastSeq, isQuiet) = (seqs[6], Bool.random(using: &generator))
        let shown = ActivityID(unchecked: "\(key.match)-\(Int.random(in: 0..<3, using: &generator))")
        let isFirstFollow = model.follows[key] == nil
        let registrations = try seqs[0..<3].map { try rotation(of: shown, key, seq: $0) }
        let wishes = seqs[3..<6].map { (seq: $0, wish: wish(key.match)) }
        // Concurrent follows of a match that the list withdraws may begin once or twice.
        let listed = Self.matches.filter { $0 == key.match || Bool.random(using: &generator) }
        let list = listed.map { wish($0) }
        for call in registrations.sorted(by: { $0.clientSequence < $1.clientSequence }) {
            _ = model.register(call, at: store.time.now)
        }
        let named = Dictionary(uniqueKeysWithValues: list.map { ($0.match, $0.alerts) })
        for seq in seqs.sorted() {
            if seq == lastSeq { model.list(key.device, named, clientSequence: seq) }
            if let said = wishes.first(where: { $0.seq == seq }) {
                model.follow(key, isWanted: true, alerts: said.wish.alerts, clientSequence: seq)
            }
        }
        model.setQuietHours(key.device, isQuiet)
        try await withThrowingTaskGroup(of: Void.self) { [store] group in
            for call in registrations { group.addTask { _ = try await store.activities.register(call) } }
            for (seq, wish) in wishes {
                group.addTask { _ = try await store.follows.put(wish, of: key.device, clientSequence: seq) }
            }
            group.addTask {
                _ = try await store.follows.replaceAll(list, of: key.device, clientSequence: lastSeq)
            }
            group.addTask {
                let hours = DevicePatch(quietHours: .some(isQuiet ? Self.night : nil))
                _ = try await store.devices.patch(key.device, hours)
            }
            try await group.waitForAll()
        }
        try await settle(key.device, seqs)
        guard isFirstFollow, model.hasEarlyEnd(of: shown, on: key.device) else { return }
        // A registration applies a dismissal to a follow that is stored; the order decides whether the first one is.
        let dismissed = Statement("select dismissed_seq from follow where device_id = $1 and match_id = $2")
        let place: [Bind] = [.uuid(key.device), .text(key.match.text)]
        for dismissedSeq in try await store.pool.query(dismissed, place, decode: { try $0.intIfPresent(0) }) {
            model.settle(key, dismissedSeq: dismissedSeq)
        }
    }

    private mutating func rotation(
        of activity: ActivityID,
        _ key: NaiveActivities.DeviceMatch,
        seq: Int64
    ) throws -> ActivityRegistration {
        ActivityRegistration(
            device: key.device,
            match: key.match,
            activityID: activity,
            environment: .production,
            route: .token(try token(generator.next())),
            startedAt: store.time.now,
            clientSequence: seq
        )
    }

    /// The order decides how many of several rotations are written, and which of several follows was the first.
    private mutating func settle(_ device: DeviceID, _ seqs: [Int64]) async throws {
        for match in Self.matches {
            let key = NaiveActivities.DeviceMatch(device: device, match: match)
            let place: [Bind] = [.uuid(device), .text(match.text)]
            let generation = try await store.pool.query(Self.generation, place) { try $0.int(0) }.first
            let since = try await store.pool.query(Self.since, place) { try $0.int(0) }.first
            if let generation, let expected = model.rows[key]?.generation {
                #expect(expected - 2...expected ~= Int32(generation))
                model.settle(key, generation: Int32(generation), sinceSeq: nil)
            }
            if let since, since != model.follows[key]?.sinceSeq {
                #expect(seqs.contains(since))
                model.settle(key, generation: nil, sinceSeq: since)
            }
        }
    }

    /// Calls concurrent with the erasure of their device; in either order nothing of it remains.
    mutating func erase(_ device: DeviceID, after number: Int) async throws {
        model.erase(device)
        let key = NaiveActivities.DeviceMatch(device: device, match: .final)
        let call = try rotation(of: ActivityID(unchecked: "last"), key, seq: Int64(number + 10))
        try await withThrowingTaskGroup(of: Void.self) { [store] group in
            group.addTask { _ = try await store.activities.register(call) }
            group.addTask {
                _ = try await store.follows.put(
                    FollowSettings(match: .other),
                    of: device,
                    clientSequence: call.clientSequence
                )
            }
            group.addTask { _ = try await store.devices.erase(device) }
            try await group.waitForAll()
        }
        #expect(try await store.number(Self.shownBy, [.uuid(device)]) == 0)
        #expect(try await store.number(Self.followedBy, [.uuid(device)]) == 0)
    }

    private static let shownBy = Statement("select count(*) from activity where device_id = $1 and state <> 3")
    private static let followedBy = Statement("select count(*) from follow where device_id = $1")
    private static let generation = Statement("select gen from activity where device_id = $1 and match_id = $2")
    private static let since = Statement("select since_seq from follow where device_id = $1 and match_id = $2")
}
