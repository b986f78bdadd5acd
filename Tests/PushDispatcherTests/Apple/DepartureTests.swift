// A node that goes, goes between buckets: its successor tells nobody anything again.

import ScoreTypes
import Simulators
import Synchronization
import Testing

@testable import PushDispatcher

@Suite(.timeLimit(.minutes(2)))
struct DepartureTests {
    @Test("25: after a shutdown in the middle of a burst a successor goes on, and no alert is told twice")
    func leavesBetweenBuckets() async throws {
        let apple = try await AppleSide()
        // Few buckets of some 200, so that none is likely to end just when the node goes.
        let numbers = (0..<200_000).filter { Bucket(of: Fixture.device($0)).number < 4 }
        let screens = numbers.flatMap { apple.phones($0..<($0 + 1)) }
        await apple.simulator.interfere { $0.number == 1 ? .limitStreams(10) : .delay(.milliseconds(20)) }
        let (progress, shared) = (MemoryProgress(), MemoryProviderTokens())
        let tokens = MemoryTokens(count: 0)
        for number in numbers { tokens.add(number) }
        var configuration = try apple.configuration()
        configuration.connectionsPerEnvironment = 1
        let first = Node(configuration, tokens: tokens, progress: progress, providerTokens: shared)
        await first.publish(Fixture.current(1, alert: "w1"))
        try await eventually("it is under way") { screens.count { $0.newest == 1 } > 100 }
        await first.stop()
        let reached = screens.count { $0.newest == 1 }
        #expect(reached < numbers.count, "the node was through before it was told to go")
        let second = Node(configuration, tokens: tokens, progress: progress, providerTokens: shared)
        await second.publish(Fixture.current(1, alert: "w1"))
        try await eventually("all phones show 1") { screens.allSatisfy { $0.newest == 1 } }
        #expect(screens.allSatisfy { $0.alerts == 1 })
        await second.stop()
        await apple.simulator.stop()
    }
}
