// A node shuts down between buckets, so that its successor repeats nothing.

import ScoreTypes
import Simulators
import Synchronization
import TestSupport
import Testing

@testable import PushDispatcher

@Suite(.timeLimit(.minutes(2)))
struct DepartureTests {
    @Test("25: after a shutdown during a burst a successor continues, and no alert is sent twice")
    func aShutdownEndsBetweenBuckets() async throws {
        let apple = try await AppleSide()
        let audience = 6000
        let screens = apple.phones(0..<audience)
        // Eight rounds of all streams: at the shutdown some bucket is partly walked.
        await apple.simulator.interfere { _ in .delay(.milliseconds(300)) }
        let (progress, shared) = (MemoryProgress(), MemoryProviderTokens())
        let tokens = MemoryTokens(count: audience)
        var configuration = try apple.configuration()
        configuration.connectionsPerEnvironment = 1
        let first = Node(configuration, tokens: tokens, progress: progress, providerTokens: shared)
        await first.publish(Fixture.current(1, alert: "w1"))
        try await eventually("it is under way") { screens.count { $0.newest == 1 } > 1000 }
        await first.stop()
        let reached = screens.count { $0.newest == 1 }
        #expect(reached < audience, "the fan-out was complete before the shutdown")
        let second = Node(configuration, tokens: tokens, progress: progress, providerTokens: shared)
        await second.publish(Fixture.current(1, alert: "w1"))
        try await eventually("all phones show 1") { screens.allSatisfy { $0.newest == 1 } }
        #expect(screens.allSatisfy { $0.alerts == 1 })
        await second.stop()
        await apple.simulator.stop()
    }
}
