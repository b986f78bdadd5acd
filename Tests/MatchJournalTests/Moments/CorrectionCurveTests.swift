// The wait for an alert is as short as the target permits, and no odd match moves it.

import ScoreTypes
import TestSupport
import Testing

@testable import MatchJournal

@Suite struct CorrectionCurveTests {
    private static let target = 0.001

    /// The counts of a feed that leaves the wrong ones of its moments for up to `longest` seconds.
    private static func curve(
        moments: Int,
        wrongOneIn: Int,
        longest: Int,
        _ generator: inout SplitMix64
    ) -> CorrectionCurve {
        var curve = CorrectionCurve()
        for _ in 0..<moments {
            curve.addReported()
            guard Int.random(in: 0..<wrongOneIn, using: &generator) == 0 else { continue }
            curve.addWrong(lastReportedAt: Int.random(in: 0..<longest, using: &generator))
        }
        return curve
    }

    @Test func anUnknownFeedWaitsForTheMeasuredTime() {
        #expect(CorrectionCurve().wait(target: Self.target) == 10)
        #expect(CorrectionCurve().wait(target: 0.1) < CorrectionCurve().wait(target: 0.01))
    }

    @Test(arguments: 1...20 as ClosedRange<UInt64>) func theWaitKeepsTheTarget(seed: UInt64) {
        var generator = SplitMix64(seed: seed)
        let longest = Int.random(in: 3...20, using: &generator)
        let curve = Self.curve(moments: 3_000, wrongOneIn: 30, longest: longest, &generator)
        let wait = curve.wait(target: Self.target)
        let kept = curve.wrong.dropFirst(wait).reduce(0, +)
        #expect(kept <= 4, "seed \(seed), longest \(longest), wait \(wait)")
        #expect(wait <= max(longest, 10), "seed \(seed): nothing is wrong for longer")
        let shorter = curve.falseShare(after: wait - 1, target: Self.target)
        #expect(wait == 2 || shorter > Self.target, "seed \(seed): no shorter wait keeps it")
    }

    @Test(arguments: 1...20 as ClosedRange<UInt64>) func oneOddMatchDoesNotMoveTheWait(seed: UInt64) {
        var generator = SplitMix64(seed: seed)
        let before = [0, 300, 3_000].map { moments in
            Self.curve(moments: moments, wrongOneIn: 200, longest: 6, &generator)
        }
        for var curve in before {
            let wait = curve.wait(target: Self.target)
            // Of mistakes that outlive the wait a match counts the first alone (`MomentLife`).
            for _ in 0..<15 { curve.addReported() }
            curve.addWrong(lastReportedAt: Int.random(in: wait..<CorrectionCurve.bound, using: &generator))
            #expect(abs(curve.wait(target: Self.target) - wait) <= 2, "seed \(seed)")
        }
    }

    @Test func aSlowFeedWaitsLonger() {
        var curve = CorrectionCurve()
        for match in 0..<40 {
            for _ in 0..<15 { curve.addReported() }
            if match.isMultiple(of: 2) { curve.addWrong(lastReportedAt: 17) }
        }
        #expect(curve.wait(target: Self.target) == 18)
    }

    @Test func mistakesThatNoWaitAvoidsDoNotLengthenIt() {
        var curve = CorrectionCurve()
        for _ in 0..<1_000 { curve.addReported() }
        for _ in 0..<100 { curve.addWrong(lastReportedAt: 90) }
        #expect(curve.late == 100 && curve.missesTarget(Self.target))
        #expect(curve.wait(target: Self.target) <= 10)
    }

    @Test func theBoundWinsOverTheTarget() {
        var curve = CorrectionCurve()
        for _ in 0..<1_000 { curve.addReported() }
        for _ in 0..<100 { curve.addWrong(lastReportedAt: 24) }
        #expect(curve.wait(target: Self.target) == 25)
        #expect(curve.missesTarget(Self.target))
    }

    @Test func oldCountsFadeOut() {
        var curve = CorrectionCurve()
        var careless = CorrectionCurve()
        for _ in 0..<1_000 { careless.addReported() }
        for _ in 0..<50 { careless.addWrong(lastReportedAt: 20) }
        curve.add(careless)
        #expect(curve.wait(target: Self.target) == 21)
        var careful = CorrectionCurve()
        for _ in 0..<1_000 { careful.addReported() }
        for _ in 0..<40 { curve.add(careful) }
        #expect(curve.reported <= JournalLimits.curveMoments)
        #expect(curve.wait(target: Self.target) <= 10)
    }
}
