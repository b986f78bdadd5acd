// Behaviours of the connection to Apple: its streams, its end, its silence, its return.

import HTTP2
import ScoreTypes
import Simulators
import Synchronization
import Testing

@testable import PushDispatcher

@Suite(.timeLimit(.minutes(2)))
struct ConnectionTests {
    @Test("1: one stream until the first good answer, and nothing is refused")
    func warmsUpOnOneStream() async throws {
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

    @Test("2: stream limits that move are followed, and nothing is lost or doubled")
    func followsMovingLimits() async throws {
        let apple = try await AppleSide()
        let screens = apple.phones(0..<2600)
        let shown = Mutex(0)
        // What was in the air when the limit fell has arrived by the second mark; until the third one stream is open.
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
        let node = Node(configuration, tokens: MemoryTokens(count: 2600))
        await node.publish(Fixture.current(1))
        try await eventually("all phones show 1") { screens.allSatisfy { $0.newest == 1 } }
        #expect(screens.allSatisfy { $0.all.count == 1 })
        #expect(mostWhileLow.withLock { $0 } == 1)
        #expect(apple.simulator.statistics.streamsMost > 100)
        await node.stop()
        await apple.simulator.stop()
    }

    @Test("3: GOAWAY and five hundred refused streams are sent again elsewhere, each once")
    func losesNothingWhenConnectionsChange() async throws {
        let apple = try await AppleSide()
        let screens = apple.phones(0..<1500)
        let connections = Mutex<Set<UInt64>>([])
        await apple.simulator.interfere { arrival in
            connections.withLock { _ = $0.insert(arrival.connection) }
            return switch arrival.number {
            case 100: .goAway
            case 300..<800: .refuse
            default: nil
            }
        }
        let node = Node(try apple.configuration(), tokens: MemoryTokens(count: 1500))
        await node.publish(Fixture.current(1, alert: "w1"))
        try await eventually("all phones show 1") { screens.allSatisfy { $0.newest == 1 } }
        let wrong = screens.filter { $0.all.count != 1 || $0.alerts != 1 }
        #expect(wrong.map { [$0.number, $0.all.count, $0.alerts] } == [])
        #expect(connections.withLock { $0.count } >= 2)
        await node.stop()
        await apple.simulator.stop()
    }

    @Test("5: a request without an answer is cancelled at its deadline, and its connection given up")
    func cancelsSilentRequests() async throws {
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
        configuration.requestTimeout = .milliseconds(400)
        let node = Node(configuration, tokens: MemoryTokens(count: 40))
        await node.publish(Fixture.current(1))
        try await eventually("all phones show 1", within: .seconds(40)) { screens.allSatisfy { $0.newest == 1 } }
        #expect(await node.environment?.connectionsOpen ?? 0 > 0)
        await node.publish(Fixture.current(2, cause: .correction))
        try await eventually("all phones show 2") { screens.allSatisfy { $0.newest == 2 } }
        let victim = try #require(silenced.withLock { $0 })
        #expect(!afterwards.withLock { $0.contains(victim) }, "nothing more goes to the silent connection")
        #expect(screens.allSatisfy { $0.all.map(\.revision) == [1, 2] })
        await node.stop()
        await apple.simulator.stop()
    }

    @Test("6: a dead peer is found by PING and replaced within ten seconds")
    func replacesADeadPeer() async throws {
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
        // Long before the requests' own deadline, so that it was the PING that found it.
        try await eventually("the dead connections are given up", within: .seconds(25)) {
            await node.environment?.connectionsOpen == 0
        }
        thaw()
        try await eventually("all phones show 2", within: .seconds(30)) { screens.allSatisfy { $0.newest == 2 } }
        await node.stop()
        await apple.simulator.stop()
    }

    @Test("7: a peer that refuses connections is asked seldom, and ever more seldom")
    func dialsWithPatience() {
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
        #expect(policy.failuresInARow == 0)
    }

    @Test("8: both connections carry their share")
    func spreadsOverItsConnections() async throws {
        let apple = try await AppleSide()
        let screens = apple.phones(0..<2000)
        let counts = Mutex<[UInt64: Int]>([:])
        await apple.simulator.interfere { arrival in
            counts.withLock { $0[arrival.connection, default: 0] += 1 }
            return nil
        }
        let node = Node(try apple.configuration(), tokens: MemoryTokens(count: 2000))
        await node.publish(Fixture.current(1))
        try await eventually("both connections are open") { await node.environment?.connectionsOpen == 2 }
        try await eventually("all phones show 1") { screens.allSatisfy { $0.newest == 1 } }
        // A connection gets one stream until its first good answer, which the second one has yet to earn.
        var revision: Int64 = 1
        try await eventually("both connections are trusted") {
            revision += 1
            await node.publish(Fixture.current(revision, cause: .correction))
            try await eventually("all phones show it") { screens.allSatisfy { $0.newest == revision } }
            return counts.withLock { $0.values.allSatisfy { $0 > 100 } && $0.count == 2 }
        }
        counts.withLock { $0 = [:] }
        await node.publish(Fixture.current(revision + 1, alert: "w1"))
        try await eventually("all phones show the alert") { screens.allSatisfy { $0.alerts == 1 } }
        let shares = counts.withLock { $0.values.sorted() }
        #expect(shares.count == 2)
        #expect(shares.last ?? 0 <= 4 * (shares.first ?? 0))
        await node.stop()
        await apple.simulator.stop()
    }

    @Test("9: tokens that were never sent to travel apart, and only their connection is punished for bad ones")
    func keepsSuspectsApart() async throws {
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
            node.dispatcher.late(
                match: Fixture.match,
                device: Fixture.device(number),
                generation: 1,
                environment: .sandbox,
                knownRev: 0
            )
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
