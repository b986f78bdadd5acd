// The connection to APNs: its streams, its end, a silent peer, its replacement.

import HTTP2
import ScoreTypes
import Simulators
import Synchronization
import TestSupport
import Testing

@testable import PushDispatcher

@Suite(.timeLimit(.minutes(2)))
struct ConnectionTests {
    @Test("1: one stream until the first good answer, and no request is refused")
    func aConnectionStartsWithOneStream() async throws {
        let apple = try await AppleSide()
        let screens = apple.phones(0..<80)
        await apple.simulator.interfere { $0.number <= 2 ? .delay(.milliseconds(150)) : nil }
        let node = Node(try apple.configuration(), tokens: MemoryTokens(count: 80))
        await node.publish(Fixture.current(1))
        try await eventually("all phones show 1") { screens.allSatisfy { $0.newest == 1 } }
        let statistics = apple.simulator.statistics
        #expect(statistics.streamsBeforeTrust == 1)
        #expect(statistics.streamsMost > 1)
        #expect(await node.environment?.failed == 0)
        #expect(screens.allSatisfy { $0.all.count == 1 })
        await node.stop()
        await apple.simulator.stop()
    }

    @Test("A15, 2: changing stream limits are followed, and no push is lost or doubled")
    func sendsFollowChangingStreamLimits() async throws {
        let apple = try await AppleSide()
        let screens = apple.phones(0..<2600)
        let shown = Mutex(0)
        // Open requests at the change have arrived by the second mark; until the third one stream is open.
        let (falls, settled, rises) = (UInt64(1100), UInt64(2150), UInt64(2400))
        let mostWhileLow = Mutex(0)
        await apple.simulator.interfere { arrival in
            let open = Int(arrival.number) - shown.withLock { $0 }
            if (settled..<rises).contains(arrival.number) { mostWhileLow.withLock { $0 = max($0, open) } }
            return switch arrival.number {
            case falls: .limitStreams(1)
            case rises: .limitStreams(500)
            default: nil
            }
        }
        for screen in screens {
            apple.simulator.register(token: Fixture.token(screen.number), kind: .activity) { push in
                shown.withLock { $0 += 1 }
                screen.show(push)
            }
        }
        var configuration = try apple.configuration()
        configuration.connectionsPerEnvironment = 1
        configuration.connectionsMax = 1
        let node = Node(configuration, tokens: MemoryTokens(count: 2600))
        await node.publish(Fixture.current(1))
        try await eventually("all phones show 1") { screens.allSatisfy { $0.newest == 1 } }
        #expect(screens.allSatisfy { $0.all.count == 1 })
        #expect(mostWhileLow.withLock { $0 } == 1)
        #expect(apple.simulator.statistics.streamsMost > 100)
        await node.stop()
        await apple.simulator.stop()
    }

    @Test("A1, A2, 3: after GOAWAY processed requests are awaited, and the others sent once on another connection")
    func aGoAwayLosesNoPush() async throws {
        let apple = try await AppleSide()
        let screens = apple.phones(0..<1500)
        let taken = 200
        let seen = Mutex<(all: [APNsArrival], refused: APNsArrival?)>(([], nil))
        await apple.simulator.interfere { arrival in
            guard arrival.revision == 3 else { return nil }
            return seen.withLock { seen in
                let isNext = seen.all.count { $0.connection == arrival.connection } == taken
                guard seen.refused != nil || !isNext else {
                    seen.refused = arrival
                    return .goAway
                }
                seen.all.append(arrival)
                // Long enough for all of them to be open at the GOAWAY.
                return .delay(.seconds(2))
            }
        }
        let attempts = Attempts()
        let node = Node(try apple.configuration(), tokens: MemoryTokens(count: 1500), attempts: attempts)
        await node.publish(Fixture.current(1))
        try await eventually("both connections are open") { await node.environment?.gauges.connectionsOpen == 2 }
        try await eventually("all answers to 1 are in") { attempts.all.count { $0.outcome == .accepted } == 1500 }
        await node.publish(Fixture.current(2, cause: .correction))
        // A late answer would be reported with the newer revision.
        try await eventually("all answers to 2 are in") { attempts.all.count { $0.outcome == .accepted } == 3000 }
        await node.publish(Fixture.current(3, alert: "w1"))
        try await eventually("all phones show 3", within: .seconds(40)) { screens.allSatisfy { $0.newest == 3 } }
        try await eventually("each has its answer") {
            attempts.all.count { $0.revision == 3 && $0.outcome == .accepted } == 1500
        }
        #expect(screens.allSatisfy { $0.all.count { $0.revision == 3 } == 1 && $0.alerts == 1 })
        #expect(apple.simulator.statistics.streamsMost >= taken)

        let (all, refused) = seen.withLock { $0 }
        let victim = try #require(refused)
        let awaited = all.filter { $0.connection == victim.connection }
        // A few streams are older than the refused one although their bodies arrive after it: the window of the
        // connection is smaller than all open bodies.
        let late = awaited.filter { $0.number > victim.number }
        #expect(awaited.count - late.count == taken && late.count <= 65_535 / Fixture.contentState(3).count)
        #expect(Set(all.map(\.recipient)).count == 1500 && all.count == 1500, "each was processed once")
        #expect(all.contains { $0.recipient == victim.recipient && $0.connection != victim.connection })
        let tries = attempts.outcomes(of: 3)
        let again = tries.filter { $0.value.count > 1 }
        #expect(again.count >= 1 && again.values.allSatisfy { $0 == [.failed(.refused), .accepted] })
        let kept = Set(awaited.map(\.recipient))
        #expect(again.keys.allSatisfy { device in !kept.contains { self.token(of: device) == $0 } })
        await node.stop()
        await apple.simulator.stop()
    }

    private func token(of device: DeviceID) -> [UInt8]? { Self.tokens[device] }
    private static let tokens = Dictionary(
        uniqueKeysWithValues: (0..<1500).map { (Fixture.device($0), Fixture.token($0).bytes) }
    )

    @Test("A3, 3: five hundred refused streams are each repeated once, on the same connection")
    func refusedStreamsAreRepeatedOnce() async throws {
        let apple = try await AppleSide()
        let screens = apple.phones(0..<1500)
        let seen = Mutex<(refused: Set<[UInt8]>, connections: Set<UInt64>)>(([], []))
        await apple.simulator.interfere { arrival in
            seen.withLock { seen in
                seen.connections.insert(arrival.connection)
                guard arrival.revision == 2, seen.refused.count < 500 else { return nil }
                return seen.refused.insert(arrival.recipient).inserted ? .refuse : nil
            }
        }
        var configuration = try apple.configuration()
        configuration.connectionsPerEnvironment = 1
        configuration.connectionsMax = 1
        let attempts = Attempts()
        let node = Node(configuration, tokens: MemoryTokens(count: 1500), attempts: attempts)
        await node.publish(Fixture.current(1))
        try await eventually("all answers to 1 are in") { attempts.all.count { $0.outcome == .accepted } == 1500 }
        await node.publish(Fixture.current(2, alert: "w1"))
        try await eventually("all phones show 2") { screens.allSatisfy { $0.newest == 2 } }
        try await eventually("each has its answer") {
            attempts.all.count { $0.revision == 2 && $0.outcome == .accepted } == 1500
        }
        #expect(screens.allSatisfy { $0.all.map(\.revision) == [1, 2] && $0.alerts == 1 })
        let tries = attempts.outcomes(of: 2)
        #expect(tries.values.count { $0 == [.failed(.refused), .accepted] } == 500)
        #expect(tries.values.count { $0 == [.accepted] } == 1000)
        // A client that answers ENHANCE_YOUR_CALM closes its connection, and a second one would be visible.
        await node.publish(Fixture.current(3, cause: .correction))
        try await eventually("all phones show 3") { screens.allSatisfy { $0.newest == 3 } }
        #expect(seen.withLock { $0.connections.count } == 1)
        await node.stop()
        await apple.simulator.stop()
    }

    @Test("A5, 5: a request without an answer is cancelled at its deadline, and its connection replaced")
    func anUnansweredRequestIsCancelledAtItsDeadline() async throws {
        let apple = try await AppleSide()
        let screens = apple.phones(0..<40)
        let silenced = Mutex<UInt64?>(nil)
        let afterwards = Mutex<[UInt64]>([])
        await apple.simulator.interfere { arrival in
            // The first connection falls silent after ten answers.
            guard arrival.number > 10 else { return nil }
            if arrival.revision == 2 { afterwards.withLock { $0.append(arrival.connection) } }
            let victim = silenced.withLock { known in
                known = known ?? arrival.connection
                return known
            }
            return arrival.connection == victim ? .silence : nil
        }
        var configuration = try apple.configuration()
        configuration.requestTimeout = .seconds(3)
        let node = Node(configuration, tokens: MemoryTokens(count: 40))
        await node.publish(Fixture.current(1))
        try await eventually("all phones show 1", within: .seconds(40)) { screens.allSatisfy { $0.newest == 1 } }
        #expect(await node.environment?.gauges.connectionsOpen ?? 0 > 0)
        await node.publish(Fixture.current(2, cause: .correction))
        try await eventually("all phones show 2") { screens.allSatisfy { $0.newest == 2 } }
        let victim = try #require(silenced.withLock { $0 })
        #expect(!afterwards.withLock { $0.contains(victim) }, "nothing more goes to the silent connection")
        #expect(screens.allSatisfy { $0.all.map(\.revision) == [1, 2] })
        await node.stop()
        await apple.simulator.stop()
    }

    @Test("A5, 6: PING detects a dead peer, which is replaced within ten seconds")
    func aPingDetectsADeadPeer() async throws {
        let apple = try await AppleSide()
        let screens = apple.phones(0..<20)
        var configuration = try apple.configuration()
        configuration.requestTimeout = .seconds(30)
        let node = Node(configuration, tokens: MemoryTokens(count: 20))
        await node.publish(Fixture.current(1))
        try await eventually("all phones show 1") { screens.allSatisfy { $0.newest == 1 } }
        let thaw = await apple.simulator.freeze()
        await node.publish(Fixture.current(2, alert: "w1"))
        let client = ClientConfiguration(host: "", port: 0, tls: TLSClientConfiguration(serverName: ""))
        #expect(client.pingAfterSilence + client.pingTimeout <= .seconds(10))
        // Long before the deadline of requests, so that PING is what detected it.
        try await eventually("the dead connections are given up", within: .seconds(25)) {
            await node.environment?.gauges.connectionsOpen == 0
        }
        thaw()
        try await eventually("all phones show 2", within: .seconds(30)) { screens.allSatisfy { $0.newest == 2 } }
        await node.stop()
        await apple.simulator.stop()
    }

    @Test("7: a peer that refuses connections is dialled at growing intervals")
    func dialsHaveGrowingIntervals() {
        var policy = DialPolicy()
        var (now, dials) = (Duration.seconds(100), 0)
        while now < .seconds(160) {
            if now >= policy.earliest(jitter: 0) {
                policy.dialled(at: now)
                policy.failed()
                dials += 1
            }
            now += .milliseconds(50)
        }
        #expect(dials >= 4 && dials <= 8)
        #expect(policy.earliest(jitter: 0.99) - now <= .seconds(60))
        policy.succeeded()
        #expect(policy.failures == 0)
    }

    @Test("9: unverified tokens use their own connection, and APNs limits only that one for bad tokens")
    func unverifiedTokensUseTheirOwnConnection() async throws {
        let apple = try await AppleSide(rejectionsBeforePenalty: 3)
        let screens = apple.phones(0..<200)
        let connections = Mutex<(good: Set<UInt64>, bad: Set<UInt64>)>(([], []))
        let unknown = Set((500..<520).map { Fixture.token($0).bytes })
        await apple.simulator.interfere { arrival in
            connections.withLock { seen in
                if unknown.contains(arrival.recipient) {
                    _ = seen.bad.insert(arrival.connection)
                } else {
                    _ = seen.good.insert(arrival.connection)
                }
            }
            return nil
        }
        let node = Node(try apple.configuration(), tokens: MemoryTokens(count: 200))
        await node.publish(Fixture.current(1))
        try await eventually("all phones show 1") { screens.allSatisfy { $0.newest == 1 } }
        try await eventually("progress is recorded") { node.progress.count(atLeast: 1) == Bucket.count }
        for number in 500..<520 {
            node.tokens.add(number)
            let token = LateToken(
                match: Fixture.match,
                device: Fixture.device(number),
                generation: 1,
                environment: .sandbox
            )
            node.dispatcher.late([token])
        }
        try await eventually("all bad tokens are quarantined") { node.tokens.rejections.count == 20 }
        await node.publish(Fixture.current(2, cause: .correction))
        try await eventually("all phones show 2") { screens.allSatisfy { $0.newest == 2 } }
        let seen = connections.withLock { $0 }
        #expect(seen.bad.count == 1)
        #expect(seen.good.isDisjoint(with: seen.bad))
        await node.stop()
        await apple.simulator.stop()
    }
}
