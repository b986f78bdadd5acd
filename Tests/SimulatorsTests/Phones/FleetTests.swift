// The faults and the composition of a fleet are drawn from its seed.

import ScoreTypes
import Testing

@testable import Simulators

struct FleetTests {
    @Test func eachFaultAffectsItsShareOfThePhones() {
        let faults = FleetFaults(share: 0.05, of: 200, seed: 3)
        let phones = (0..<200).map { faults[$0] }
        for fault in PhoneFault.allCases { #expect(phones.count { $0.system == [fault] } == 10, "\(fault)") }
        #expect(phones.count(where: \.hasWeakNetwork) == 10)
        #expect(phones.count { $0 == FleetFaults.OfPhone() } == 200 - 10 * (PhoneFault.allCases.count + 1))
    }

    @Test func moreFaultsThanPhonesShareThem() {
        let faults = FleetFaults(share: 0.5, of: 20, seed: 3)
        let phones = (0..<20).map { faults[$0] }
        for fault in PhoneFault.allCases { #expect(phones.count { $0.system.contains(fault) } == 10, "\(fault)") }
        #expect(phones.allSatisfy { $0.system.count >= 6 })
    }

    @Test func equalSeedsDrawTheSamePhones() {
        let (first, second) = (FleetFaults(share: 0.1, of: 50, seed: 1), FleetFaults(share: 0.1, of: 50, seed: 1))
        let other = FleetFaults(share: 0.1, of: 50, seed: 2)
        #expect((0..<50).allSatisfy { first[$0] == second[$0] })
        #expect(!(0..<50).allSatisfy { first[$0] == other[$0] })
    }

    @Test func aFleetHasEachRelease() {
        let plan = PhoneFleetPlan(count: 80, channelShare: 0.5, seed: 1)
        let releases = (0..<80).map { plan.release(of: $0) }
        #expect(releases.count(where: \.hasChannels) == 40)
        #expect(Set(releases) == Set(IOSRelease.allCases))
        let onTokens = PhoneFleetPlan(count: 80, channelShare: 0, seed: 1)
        #expect(!(0..<80).contains { onTokens.release(of: $0).hasChannels })
    }

    @Test func aShareOfThePersonsKeepsTheAppOpen() {
        let plan = PhoneFleetPlan(count: 1_000, channelShare: 0.5, openShare: 0.3, seed: 5)
        #expect((250...350).contains((0..<1_000).count { plan.keepsAppOpen($0) }))
        let closed = PhoneFleetPlan(count: 1_000, channelShare: 0.5, seed: 5)
        #expect(!(0..<1_000).contains { closed.keepsAppOpen($0) })
    }

    @Test func phonesDrawDifferentSequences() {
        let phones = (0..<200).map { SimulatedPhone.seed(of: $0, from: 2026) }
        var drawn: Set<UInt64> = []
        for seed in phones {
            var generator = SplitMix64(seed: seed)
            for _ in 0..<100 { drawn.insert(generator.next()) }
        }
        #expect(drawn.count == 200 * 100)
    }
}
