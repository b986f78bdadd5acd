import FollowService
import Postgres
import ScoreTypes
import Testing
import Waiting

/// Random histories of a few phones, each call held against the naive model, the tables and the arena at the end.
@Suite struct HistoryTests {
    private static let matches = [MatchID.final, .other]

    /// A history: the store, the model, and what the server has begun to end.
    private struct History {
        let store: Store
        let index: ArenaIndex
        var generator: Seeded
        var model = NaiveActivities()
        var ending: [EndingActivity] = []

        mutating func any<T>(_ choices: [T]) -> T { choices[Int.random(in: choices.indices, using: &generator)] }

        mutating func key() -> NaiveActivities.DeviceMatch {
            .init(device: device(.random(in: 1...4, using: &generator)), match: any(HistoryTests.matches))
        }

        /// Apps count upwards, but calls overtake one another and are repeated.
        mutating func seq(_ step: Int) -> Int64 { Int64(step + .random(in: -6...2, using: &generator)) }

        mutating func step(_ number: Int) async throws {
            store.time.advance(by: .seconds(.random(in: 0...20, using: &generator)))
            switch Int.random(in: 0..<20, using: &generator) {
            case 0..<9: try await register(number)
            case 9..<11: try await end(number)
            case 11..<13: await evict()
            case 13..<15: try await beginEnd()
            case 15: try await finishEnd()
            default: try await follow(number)
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
                clientSeq: seq(number)
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
                clientSeq: seq(number)
            )
            let expected = model.end(call)
            #expect(try await store.activities.end(call) == expected, "step \(number)")
        }

        private mutating func evict() async {
            let key = key()
            let eviction = Eviction(
                match: key.match,
                device: key.device,
                generation: (model.rows[key]?.generation ?? 1) - Int32.random(in: 0...1, using: &generator),
                deadAt: Bool.random(using: &generator)
                    ? nil : store.time.now + .seconds(.random(in: -30...0, using: &generator))
            )
            model.evict(eviction)
            await index.evict([eviction])
        }

        private mutating func beginEnd() async throws {
            let key = key()
            let generation = any([nil, model.rows[key]?.generation, 1])
            let reason: EndReason = any([.silent, .over, .expired, .unfollowed])
            let expected = model.beginEnd(key, generation: generation, reason: reason)
            let begun = try await store.activities.beginEnd(
                match: key.match,
                device: key.device,
                generation: generation,
                reason: reason
            )
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
            model.follow(key, isWanted: isWanted, clientSeq: seq)
            if isWanted {
                _ = try await store.follows.put(FollowWish(match: key.match), of: key.device, clientSeq: seq)
            } else {
                _ = try await store.follows.remove(key.match, of: key.device, clientSeq: seq)
            }
        }
    }

    private static let stored = Statement(
        """
        select device_id, match_id, activity_id, gen, client_seq, state, end_reason, token_at, octet_length(token),
               channel_id is not null
        from activity
        """
    )

    private static let followed = Statement("select device_id, match_id, client_seq, wants = 1, dismissed from follow")

    @Test(arguments: 1...6) func aRandomHistoryGoesAsTheModelSays(run: Int) async throws {
        let store = try await Store()
        let running = RunningIndex(store)
        try await running.index.own(Bucket.all)
        for match in Self.matches { try await running.index.open(match) }
        let generator = Seeded.printed("history \(run)")
        var history = History(store: store, index: running.index, generator: generator)
        for number in 1...250 { try await history.step(number) }

        let model = history.model
        let rows = try await store.pool.query(Self.stored) { row in
            [
                try row.uuid(0).description, try row.text(1), try row.text(2), "\(try row.int(3))", "\(try row.int(4))",
                "\(try row.int(5))", try row.textIfPresent(6) ?? "-", "\(try row.timestamp(7))", "\(try row.int(8))",
                "\(try row.bool(9))",
            ]
        }
        let expected = model.rows.map { key, row in
            let isToken = if case .token = row.route { true } else { false }
            return [
                key.device.description, key.match.text, row.activityID.text, "\(row.generation)", "\(row.clientSeq)",
                "\(row.state)", row.reason?.rawValue ?? "-", "\(row.tokenAt)", isToken && row.state != 3 ? "80" : "0",
                "\(!isToken)",
            ]
        }
        #expect(Set(rows) == Set(expected))
        let follows = try await store.pool.query(Self.followed) { row in
            [
                try row.uuid(0).description, try row.text(1), "\(try row.int(2))", "\(try row.bool(3))",
                "\(try row.bool(4))",
            ]
        }
        #expect(
            Set(follows)
                == Set(
                    model.follows.map { key, row in
                        [
                            key.device.description, key.match.text, "\(row.clientSeq)", "\(row.isWanted)",
                            "\(row.isDismissed)",
                        ]
                    }
                )
        )
        for match in Self.matches {
            let tokens = model.tokens(of: match)
            try await eventually("the arena of \(match) holds what the model says") {
                running.contents(of: match) == tokens
            }
        }
        await running.stop()
    }
}
