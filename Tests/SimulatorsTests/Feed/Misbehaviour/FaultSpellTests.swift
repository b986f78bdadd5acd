// A feed can fail for long enough that a client has to react.

import ScoreTypes
import Testing

@testable import Simulators

@Suite struct FaultSpellTests {
    private static let plan = FaultPlan(seed: 20_261_121, faults: Set(FeedFault.allCases.filter(\.comesInSpells)))

    @Test func faultsOfEveryKindAndLengthAreDrawn() {
        let spells = (0..<400).compactMap { Self.plan.spell($0) }
        #expect(Set(spells.map(\.fault.fault)) == Self.plan.faults)
        #expect((150...250).contains(spells.count), "\(spells.count)")
        let lengths = spells.map { $0.until - $0.from }
        #expect(lengths.allSatisfy { FaultSpell.lengths.contains($0) })
        #expect(lengths.contains { $0 < .seconds(60) } && lengths.contains { $0 > .seconds(480) })
    }

    @Test func aSpellAppliesToEveryReplyOfItsTime() throws {
        let spell = try #require((0..<50).lazy.compactMap { Self.plan.spell($0) }.first)
        for time in stride(from: spell.from.milliseconds, to: spell.until.milliseconds, by: 1_000) {
            #expect(Self.plan.spell(at: .milliseconds(time)) == spell.fault)
        }
        #expect(Self.plan.spell(at: spell.from - .milliseconds(1)) == nil)
        #expect(Self.plan.spell(at: spell.until) == nil)
    }

    @Test func singleReplyFaultsCauseNoOutage() {
        #expect((0..<10_000).allSatisfy { Self.plan.reply($0) == nil })
    }

    @Test func linesThatNoFeedSimulatesAreRefusedWithAReason() throws {
        for number in 1...19 {
            let line = "F\(number)"
            do throws(FeedFaultError) {
                #expect(try !FeedFault.list(line).isEmpty)
            } catch {
                #expect(error == .elsewhere(try #require(FeedFaultError.Elsewhere(rawValue: line))))
                #expect("\(error)".hasPrefix("\(line) cannot be simulated by a feed"))
            }
        }
        #expect(throws: FeedFaultError.unknown("F20")) { try FeedFault.list("F20") }
        #expect(throws: FeedFaultError.unknown("rain")) { try FeedFault.list("drip,rain") }
    }
}
