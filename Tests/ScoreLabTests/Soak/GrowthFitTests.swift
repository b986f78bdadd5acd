// A soak finds a slow leak under noise, and no leak where there is none.

import ScoreTypes
import Testing

@testable import ScoreLab

@Suite struct GrowthFitTests {
    /// Samples of half an hour, every two seconds: a warm-up of a minute, a saw of rounds, and a leak.
    private static func samples(leakedPerSecond: Double) -> [(at: Duration, value: Double)] {
        (0..<900).map { number in
            let second = Double(2 * number)
            let warmUp = 40e6 * min(second / 60, 1)
            let saw = 3e6 * (second / 47).truncatingRemainder(dividingBy: 1)
            return (.seconds(2 * number), 80e6 + warmUp + saw + leakedPerSecond * second)
        }
    }

    @Test func aLeakIsFoundWhateverTheRoundsDo() {
        let fit = GrowthFit(Self.samples(leakedPerSecond: 20_000), from: .seconds(600))
        #expect(abs(fit.slope - 20_000) < 1_000)
        #expect(fit.growth > LabLimits.soakGrowth.bytes * 0.9)
        #expect(fit.span == .seconds(1_198) && fit.count == 600)
    }

    @Test func warmUpAndRoundsAreNoLeak() {
        let fit = GrowthFit(Self.samples(leakedPerSecond: 0), from: .seconds(600))
        #expect(abs(fit.growth) < 1e6)
        #expect(GrowthFit(Self.samples(leakedPerSecond: 0), from: .zero).growth > 1e6, "the warm-up alone is growth")
    }

    @Test func nothingIsNoSlope() {
        #expect(GrowthFit([], from: .zero).growth == 0)
        #expect(GrowthFit([(.seconds(1), 5)], from: .zero).slope == 0)
    }
}
