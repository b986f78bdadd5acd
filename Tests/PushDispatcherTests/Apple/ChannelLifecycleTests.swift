// From a channel's creation to its end: crashes in between, Apple's limit, and environments that differ.

import HTTP2
import ScoreTypes
import Simulators
import Synchronization
import TestSupport
import Testing

@testable import PushDispatcher

@Suite(.timeLimit(.minutes(2)))
struct ChannelLifecycleTests {
    private func ensure(
        _ node: Node,
        _ environment: PushEnvironment = .sandbox,
        match: MatchID = Fixture.match
    ) async throws -> ChannelID {
        try await node.dispatcher.channels.ensure(
            ChannelKind(
                match: match,
                environment: environment,
                attributesType: "LiveActivityAttributes",
                profile: .loud
            )
        )
    }

    @Test("22: a channel whose node crashed before recording it is on Apple's list and in no record")
    func anUnrecordedChannelIsOnApplesListOnly() async throws {
        let apple = try await AppleSide()
        let (channels, shared) = (MemoryChannels(), MemoryProviderTokens())
        channels.state.withLock { $0.lossesLeft = 1 }
        let first = Node(try apple.configuration(), channels: channels, providerTokens: shared)
        await #expect(throws: ChannelError.self) { try await ensure(first) }
        await first.stop()
        let second = Node(try apple.configuration(), channels: channels, providerTokens: shared)
        let channel = try await ensure(second)
        let listed = try await second.dispatcher.channels.list(.sandbox)
        #expect(listed.count == 2 && listed.contains(channel))
        let lost = try #require(listed.first { $0 != channel })
        #expect(channels.state.withLock { $0.records.map(\.channel) } == [channel])
        // The round over channels deletes it; the one in use stays.
        try await second.dispatcher.channels.delete(lost, in: .sandbox)
        #expect(try await second.dispatcher.channels.list(.sandbox) == [channel])
        let screen = Screen(0)
        #expect(apple.simulator.subscribe(channel: channel, subscriber: 1) { screen.show($0) })
        await second.publish(Fixture.current(1))
        try await eventually("the channel sends") { screen.newest == 1 }
        await second.stop()
        await apple.simulator.stop()
    }

    @Test("22: at ten thousand channels none is created, tokens are used instead, and a deletion frees a place")
    func tokensReplaceChannelsAtTheLimit() async throws {
        let apple = try await AppleSide()
        apple.simulator.fillChannels(upTo: 9_998)
        let screens = apple.phones(0..<5)
        let other = MatchID(unchecked: "m2")
        let third = MatchID(unchecked: "m3")
        let node = Node(try apple.configuration(), tokens: MemoryTokens(count: 5))
        let old = try await ensure(node, match: other)
        _ = try await ensure(node, match: third)
        let limit = ChannelError.unavailable(.cannotCreateChannelConfig)
        await #expect(throws: limit) { try await ensure(node) }
        await node.publish(Fixture.current(1))
        try await eventually("the tokens carry it") { screens.allSatisfy { $0.newest == 1 } }
        let full = try await node.dispatcher.channels.list(.sandbox)
        #expect(Set(full).count == 10_000 && full.count == 10_000, "a list of the greatest length is read to its end")
        try await node.dispatcher.channels.delete(old, in: .sandbox)
        // This node sends no request to Apple for five minutes; another node, or this one later, finds a free place.
        await #expect(throws: limit) { try await ensure(node) }
        let successor = Node(
            try apple.configuration(),
            channels: node.channels,
            providerTokens: node.providerTokens
        )
        _ = try await ensure(successor)
        #expect(try await successor.dispatcher.channels.list(.sandbox).count == 10_000)
        await node.stop()
        await successor.stop()
        await apple.simulator.stop()
    }

    @Test("22: no channel is created or used in an environment that is not configured")
    func anUnconfiguredEnvironmentHasNoChannel() async throws {
        let apple = try await AppleSide()
        let node = Node(try apple.configuration(.sandbox))
        await #expect(throws: ChannelError.unknownEnvironment) { try await ensure(node, .production) }
        let channel = try await ensure(node)
        // Another node serves production and has recorded a channel there.
        let foreign = try #require(ChannelID("Zm9yZWlnbg=="))
        node.channels.state.withLock { state in
            var record = state.records[0]
            record.channel = foreign
            record.environment = .production
            state.records.append(record)
        }
        let successor = Node(
            try apple.configuration(.sandbox),
            channels: node.channels,
            providerTokens: node.providerTokens
        )
        await node.stop()
        let screen = Screen(0)
        #expect(apple.simulator.subscribe(channel: channel, subscriber: 1) { screen.show($0) })
        await successor.publish(Fixture.current(1))
        try await eventually("its own channel sends") { screen.newest == 1 }
        #expect(apple.simulator.statistics.refused.isEmpty)
        let kept = node.channels.state.withLock { $0.records.first { $0.channel == foreign } }
        #expect(kept?.retiredAt == nil, "the record of another environment is kept")
        await successor.stop()
        await apple.simulator.stop()
    }

    @Test("22: a channel recorded in the wrong environment is replaced there, its namesake stays")
    func aChannelOfTheWrongEnvironmentIsReplaced() async throws {
        let key = try AppleKey()
        let identity = try TLSIdentity.selfSigned(commonName: "apple", addresses: ["127.0.0.1"])
        let sandbox = try await AppleSide(key: key, identity: identity)
        let production = try await AppleSide(key: key, identity: identity)
        var configuration = try sandbox.configuration()
        configuration.environments[.production] = production.endpoints
        let node = Node(configuration)
        let mixed = try await ensure(node)
        node.channels.state.withLock { $0.records[0].environment = .production }
        await node.stop()
        let successor = Node(configuration, channels: node.channels, providerTokens: node.providerTokens)
        let right = try await ensure(successor)
        #expect(right != mixed)
        let screen = Screen(0)
        #expect(sandbox.simulator.subscribe(channel: right, subscriber: 1) { screen.show($0) })
        await successor.publish(Fixture.current(1))
        try await eventually("production has its own") {
            try await successor.dispatcher.channels.list(.production).count == 1
        }
        try await eventually("the sandbox channel sends") { screen.newest == 1 }
        #expect(production.simulator.statistics.refused == ["ChannelNotRegistered": 1])
        #expect(Set(try await successor.dispatcher.channels.list(.sandbox)) == [mixed, right])
        await successor.publish(Fixture.current(2, cause: .correction))
        try await eventually("and goes on speaking") { screen.newest == 2 }
        let live = node.channels.state.withLock { $0.records.filter { $0.retiredAt == nil } }
        #expect(Set(live.map(\.environment)) == [.production, .sandbox] && !live.contains { $0.channel == mixed })
        await successor.stop()
        await sandbox.simulator.stop()
        await production.simulator.stop()
    }
}
