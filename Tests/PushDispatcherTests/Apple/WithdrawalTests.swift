// A withdrawn alert reaches no device that has not received it.

import ScoreTypes
import Simulators
import TestSupport
import Testing

@testable import PushDispatcher

@Suite(.timeLimit(.minutes(2)))
struct WithdrawalTests {
    @Test("an alert withdrawn during its fan-out reaches no further device, and the correction reaches all")
    func aWithdrawnAlertStops() async throws {
        let apple = try await AppleSide()
        let screens = apple.phones(0..<6000)
        // Slow answers: the fan-out needs several rounds of all streams, however fast the machine.
        await apple.simulator.interfere { _ in .delay(.milliseconds(1000)) }
        let node = Node(try apple.configuration(), tokens: MemoryTokens(count: 6000), speed: 1)
        await node.publish(Fixture.current(1, alert: "w1"))
        try await eventually("some have the alert") { screens.contains { $0.alerts == 1 } }
        var corrected = Fixture.current(2)
        corrected.standingAlerts = []
        await node.publish(corrected)
        try await eventually("all phones show 2", within: .seconds(40)) { screens.allSatisfy { $0.newest == 2 } }
        let alerted = screens.flatMap(\.all).filter(\.hasAlert)
        #expect(alerted.allSatisfy { $0.revision == 1 }, "the correction has no alert")
        #expect(alerted.count < 6000)
        await node.stop()
        await apple.simulator.stop()
    }
}
