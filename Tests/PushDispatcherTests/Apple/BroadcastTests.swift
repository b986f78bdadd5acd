// Each state is one request to a channel; lost channels and lost answers are handled.

import ScoreTypes
import Simulators
import Synchronization
import TestSupport
import Testing

@testable import PushDispatcher

@Suite(.timeLimit(.minutes(2)))
struct BroadcastTests {
    private func ensure(_ node: Node, _ profile: ChannelProfile = .loud) async throws -> ChannelID {
        try await node.dispatcher.channels.ensure(
            ChannelKind(
                match: Fixture.match,
                environment: .sandbox,
                attributesType: "LiveActivityAttributes",
                profile: profile
            )
        )
    }

    private func listeners(_ apple: AppleSide, _ channel: ChannelID, _ count: Int) -> [Screen] {
        (0..<count).map { number in
            let screen = Screen(number)
            _ = apple.simulator.subscribe(channel: channel, subscriber: UInt64(number)) { screen.show($0) }
            return screen
        }
    }

    @Test("21: one request for each state and channel, whatever the audience; quiet channels get no alert")
    func aStateIsOneBroadcastPerChannel() async throws {
        let apple = try await AppleSide()
        let node = Node(try apple.configuration())
        let (loud, quiet) = (try await ensure(node), try await ensure(node, .quiet))
        #expect(loud != quiet)
        let (many, few) = (listeners(apple, loud, 500), listeners(apple, quiet, 3))
        await node.publish(Fixture.current(1))
        try await eventually("all show 1") { (many + few).allSatisfy { $0.newest == 1 } }
        await node.publish(Fixture.current(2, alert: "w2"))
        try await eventually("all show 2") { (many + few).allSatisfy { $0.newest == 2 } }
        #expect(apple.simulator.statistics.broadcasts == 4)
        #expect(apple.simulator.statistics.traps.isEmpty)
        #expect(many.allSatisfy { $0.alerts == 1 })
        #expect(few.allSatisfy { $0.alerts == 0 })
        await node.publish(Fixture.current(3, cause: .correction))
        try await eventually("all show 3") { many.allSatisfy { $0.newest == 3 } }
        #expect(many.allSatisfy { $0.alerts == 1 })
        await node.stop()
        await apple.simulator.stop()
    }

    @Test("21: at most one broadcast a second on a channel, the last one with the newest state")
    func aChannelBroadcastsOnceASecond() async throws {
        let apple = try await AppleSide()
        // At a hundred times real speed a second is the floor of twenty milliseconds.
        let node = Node(try apple.configuration(), speed: 100)
        let channel = try await ensure(node)
        let screens = listeners(apple, channel, 1)
        let began = ContinuousClock.now
        for revision in 1...30 as ClosedRange<Int64> {
            await node.publish(Fixture.current(revision, cause: .correction))
        }
        try await eventually("it shows 30") { screens[0].newest == 30 }
        let took = ContinuousClock.now - began
        #expect(Double(screens[0].all.count) <= took / .milliseconds(20) + 2)
        await node.stop()
        await apple.simulator.stop()
    }

    @Test("A4, f: a broadcast of unknown outcome is followed by the newest state without its alert")
    func anAmbiguousBroadcastIsRepeatedSilently() async throws {
        let apple = try await AppleSide()
        let node = Node(try apple.configuration())
        let channel = try await ensure(node)
        let screens = listeners(apple, channel, 5)
        await apple.simulator.interfere { $0.hasAlert && $0.isBroadcast ? .cut : nil }
        await node.publish(Fixture.current(1, alert: "w1"))
        try await eventually("the broadcast was cut") { await node.environment?.failed ?? 0 >= 1 }
        await node.publish(Fixture.current(2, cause: .correction))
        try await eventually("all show 2") { screens.allSatisfy { $0.newest == 2 } }
        #expect(screens.allSatisfy { $0.all.map(\.revision) == [2] && $0.alerts == 0 })
        await node.stop()
        await apple.simulator.stop()
    }

    @Test("f: a broadcast that APNs did not process keeps its alert")
    func aRefusedBroadcastIsRepeatedWithItsAlert() async throws {
        let apple = try await AppleSide()
        let node = Node(try apple.configuration())
        let channel = try await ensure(node)
        let screens = listeners(apple, channel, 5)
        await apple.simulator.interfere { $0.number == 1 ? .refuse : nil }
        await node.publish(Fixture.current(1, alert: "w1"))
        try await eventually("all show 1") { screens.allSatisfy { $0.newest == 1 } }
        #expect(screens.allSatisfy { $0.alerts == 1 })
        await node.stop()
        await apple.simulator.stop()
    }

    @Test("13, f: a broadcast keeps its alert when APNs refuses the key")
    func aRefusedKeyTakesNoAlert() async throws {
        let apple = try await AppleSide()
        // At real speed the alert is news for longer than the wait for the next probe.
        let node = Node(try apple.configuration(), speed: 1)
        let channel = try await ensure(node)
        let screens = listeners(apple, channel, 5)
        await apple.simulator.interfere {
            $0.number == 1 ? .answer(status: 403, reason: "InvalidProviderToken") : nil
        }
        await node.publish(Fixture.current(1, alert: "w1"))
        try await eventually("all show 1") { screens.allSatisfy { $0.newest == 1 } }
        #expect(apple.simulator.statistics.refused["InvalidProviderToken"] == 1)
        #expect(screens.allSatisfy { $0.all.count == 1 && $0.alerts == 1 })
        await node.stop()
        await apple.simulator.stop()
    }

    @Test("22: ChannelNotRegistered creates a channel of the next generation at once")
    func aLostChannelIsReplaced() async throws {
        let apple = try await AppleSide()
        let node = Node(try apple.configuration())
        let lost = try await ensure(node)
        try await node.dispatcher.channels.delete(lost, in: .sandbox)
        // Another client deleted it; the record still exists.
        node.channels.state.withLock { $0.records[0].retiredAt = nil }
        await node.publish(Fixture.current(1))
        try await eventually("a new channel is recorded") {
            node.channels.state.withLock { state in
                state.records.contains { $0.generation == 2 && $0.retiredAt == nil }
            }
        }
        #expect(node.channels.state.withLock { $0.records[0].retiredAt } != nil)
        let fresh = try await ensure(node)
        #expect(fresh != lost)
        let screens = listeners(apple, fresh, 2)
        await node.publish(Fixture.current(2, cause: .correction))
        try await eventually("its phones show 2") { screens.allSatisfy { $0.newest == 2 } }
        await node.stop()
        await apple.simulator.stop()
    }

    @Test("22: two nodes that create the same channel leave one at Apple")
    func twoNodesLeaveOneChannel() async throws {
        let apple = try await AppleSide()
        let (channels, shared) = (MemoryChannels(), MemoryProviderTokens())
        let nodes = try (0..<3).map { _ in
            Node(try apple.configuration(), channels: channels, providerTokens: shared)
        }
        let ids = try await withThrowingTaskGroup(of: ChannelID.self) { group in
            for node in nodes {
                for _ in 0..<5 { group.addTask { try await ensure(node) } }
            }
            var ids: Set<ChannelID> = []
            for try await id in group { ids.insert(id) }
            return ids
        }
        #expect(ids.count == 1)
        try await eventually("one is left") { try await nodes[0].dispatcher.channels.list(.sandbox).count == 1 }
        for node in nodes { await node.stop() }
        await apple.simulator.stop()
    }

    @Test("A6, 21: a 429 slows one channel and not the other")
    func a429SlowsOneChannel() async throws {
        let apple = try await AppleSide()
        let node = Node(try apple.configuration())
        let (loud, quiet) = (try await ensure(node), try await ensure(node, .quiet))
        let (slowed, free) = (listeners(apple, loud, 1), listeners(apple, quiet, 1))
        let name = Array(loud.text.utf8)
        await apple.simulator.interfere { arrival in
            arrival.recipient == name && arrival.revision ?? 0 < 4
                ? .answer(status: 429, reason: "TooManyRequests") : nil
        }
        for revision in 1...4 as ClosedRange<Int64> {
            await node.publish(Fixture.current(revision, cause: .correction))
            try await eventually("the free one shows it") { free[0].newest == revision }
        }
        try await eventually("the slowed one shows the newest only") { slowed[0].newest == 4 }
        #expect(slowed[0].all.map(\.revision) == [4])
        await node.stop()
        await apple.simulator.stop()
    }

    @Test("23: the end is sent on the channel and repeated on schedule")
    func theEndIsRepeatedOnTheChannel() async throws {
        let apple = try await AppleSide()
        let node = Node(try apple.configuration())
        let channel = try await ensure(node)
        let screens = listeners(apple, channel, 1)
        await node.publish(Fixture.current(1, isFinal: true))
        // The delays have real floors of one to four seconds.
        try await eventually("the end was sent five times") { screens[0].all.count { $0.event == .end } == 5 }
        await node.stop()
        await apple.simulator.stop()
    }

    @Test("25: a broadcast that could not be recorded at once is recorded before the node ends")
    func aStopRecordsBroadcasts() async throws {
        let apple = try await AppleSide()
        let (channels, shared) = (MemoryChannels(), MemoryProviderTokens())
        let first = Node(try apple.configuration(), channels: channels, providerTokens: shared, speed: 1)
        let screen = listeners(apple, try await ensure(first), 1)[0]
        channels.state.withLock { $0.recordFailuresLeft = 2 }
        await first.publish(Fixture.current(1, alert: "w1"))
        try await eventually("it was broadcast") { screen.alerts == 1 }
        await first.stop()
        #expect(channels.state.withLock { $0.records[0].sentRevision } == 1)
        let second = Node(try apple.configuration(), channels: channels, providerTokens: shared, speed: 1)
        var head = Fixture.current(2, alert: "w1", cause: .correction)
        head.alertRevision = 1
        await second.publish(head)
        try await eventually("it shows 2") { screen.newest == 2 }
        #expect(screen.alerts == 1)
        await second.stop()
        await apple.simulator.stop()
    }
}
