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

    @Test func aSoakIsJudgedByMemoryDescriptorsAndScreens() {
        func report(grown bytes: Double, descriptors: Double = 0, wentBack: Int = 0, pushes: Int = 1) -> SoakReport {
            let samples = (0...300).map { number in
                let part = Double(number) / 200
                return ServerSamples.Sample(
                    at: .seconds(2 * number),
                    residentBytes: 100_000_000 + Int(bytes * part),
                    descriptors: 50 + Int((descriptors * part).rounded())
                )
            }
            var counts = SoakCounts.Values()
            counts.wentBack = wentBack
            return SoakReport(samples: samples, counts: counts, pushes: (pushes, 0))
        }
        let limit = LabLimits.soakGrowth
        #expect(report(grown: limit.bytes * 0.9, descriptors: limit.descriptors - 1).isFlat)
        #expect(!report(grown: limit.bytes * 1.1).isFlat)
        #expect(!report(grown: 0, descriptors: limit.descriptors + 2).isFlat)
        #expect(!report(grown: 0, wentBack: 1).isFlat)
        #expect(!report(grown: 0, pushes: 0).isFlat, "an idle server proves nothing")
    }
}
