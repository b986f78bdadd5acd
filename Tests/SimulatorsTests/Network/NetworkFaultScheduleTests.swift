// The faults of a link follow from its seed, and each kind of them comes.

import ScoreTypes
import Testing

@testable import Simulators

@Suite struct NetworkFaultScheduleTests {
    private static func spells(_ seed: UInt64, share: Double, count: Int) -> [NetworkFaultSchedule.Spell] {
        var schedule = NetworkFaultSchedule(seed: seed, share: share)
        return (0..<count).map { _ in schedule.next() }
    }

    @Test func equalSeedsHaveEqualFaults() {
        #expect(Self.spells(7, share: 0.2, count: 50) == Self.spells(7, share: 0.2, count: 50))
        #expect(Self.spells(7, share: 0.2, count: 50) != Self.spells(8, share: 0.2, count: 50))
    }

    @Test(arguments: [1, 2, 3])
    func eachKindComesInTurn(seed: UInt64) {
        let kinds = Self.spells(seed, share: 0.2, count: 14).map(\.fault.kind)
        #expect(Set(kinds.prefix(7)) == Set(NetworkFault.Kind.allCases))
        #expect(Set(kinds.suffix(7)) == Set(NetworkFault.Kind.allCases))
    }

    @Test(arguments: [0.05, 0.3, 0.9])
    func faultsHaveTheirShareOfTheTime(share: Double) {
        let spells = Self.spells(1, share: share, count: 2_000)
        let faulty = spells.reduce(Duration.zero) { $0 + $1.length }
        let all = spells.reduce(faulty) { $0 + $1.calm }
        #expect(abs(faulty / all - share) < 0.1 * share)
    }
}
