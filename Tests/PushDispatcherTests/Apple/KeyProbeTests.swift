// A probe finds out whether APNs accepts key and topic, on a connection of its own and without a phone.

import ScoreTypes
import Simulators
import TestSupport
import Testing

@testable import PushDispatcher

@Suite(.timeLimit(.minutes(1)))
struct KeyProbeTests {
    private static func isGood(_ finding: KeyProbe.Finding?) -> Bool {
        if case .good(let duration)? = finding { duration > .zero } else { false }
    }

    @Test func aRightKeyIsFoundAlsoWhileTheEnvironmentIsPaused() async throws {
        let apple = try await AppleSide()
        let node = Node(try apple.configuration())
        await node.dispatcher.pause(.sandbox)
        let finding = await node.dispatcher.probe(.sandbox)
        #expect(Self.isGood(finding), "\(String(describing: finding))")
        #expect(await node.dispatcher.probe(.production) == nil, "not configured")
        #expect(await node.environment?.providerTokensMinted == 1, "the shared token is used")
        await node.stop()
        await apple.simulator.stop()
    }

    @Test("A13: a probe names a wrong key and a wrong topic") func aWrongKeyAndAWrongTopicAreNamed() async throws {
        let apple = try await AppleSide()
        var other = try apple.configuration()
        other.teamID = "TEAMTEAM99"
        let stranger = Node(other)
        guard case .refused(403, .invalidProviderToken, _)? = await stranger.dispatcher.probe(.sandbox) else {
            Issue.record("a team without the key")
            return
        }
        await stranger.stop()
        var foreign = try apple.configuration()
        foreign.bundleID = "app.other"
        let node = Node(foreign)
        let finding = await node.dispatcher.probe(.sandbox)
        guard case .refused(_, let reason, _)? = finding,
            PushOutcome(status: 400, reason: reason) == .rejected(.stopEnvironment)
        else {
            Issue.record("\(String(describing: finding))")
            return
        }
        await node.stop()
        await apple.simulator.stop()
        guard case .unreachable? = await node.dispatcher.probe(.sandbox) else {
            Issue.record("no server listens")
            return
        }
    }

    @Test func aKeyOfTheWrongEnvironmentIsNamed() async throws {
        let apple = try await AppleSide()
        await apple.simulator.interfere { _ in .answer(status: 403, reason: "BadEnvironmentKeyInToken") }
        let node = Node(try apple.configuration())
        guard case .refused(403, .badEnvironmentKey, _)? = await node.dispatcher.probe(.sandbox) else {
            Issue.record("another answer")
            return
        }
        await node.stop()
        await apple.simulator.stop()
    }

    @Test("a breaker that is reset lets requests pass at once")
    func aBreakerIsReset() async throws {
        let apple = try await AppleSide()
        let screens = apple.phones(0..<50)
        await apple.simulator.interfere { $0.revision == 1 ? .answer(status: 403, reason: "Forbidden") : nil }
        let node = Node(try apple.configuration(), tokens: MemoryTokens(count: 50))
        await node.publish(Fixture.current(1))
        try await eventually("the breaker is open") { await node.environment?.gauges.breakersOpen == 1 }
        #expect(await node.environment?.problem?.contains("Forbidden") == true)
        await node.publish(Fixture.current(2, cause: .correction))
        #expect(await node.dispatcher.resetBreaker(.sandbox))
        #expect(await !node.dispatcher.resetBreaker(.production))
        // An open breaker probes after nine seconds at the earliest.
        try await eventually("all phones show 2", within: .seconds(8)) { screens.allSatisfy { $0.newest == 2 } }
        try await eventually("closed") { await node.environment?.gauges.breakersOpen == 0 }
        #expect(await node.environment?.problem == nil)
        await node.stop()
        await apple.simulator.stop()
    }
}
