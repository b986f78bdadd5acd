// The share of bad tokens above which the server's configuration is wrong, and the end of the stop.

import ScoreTypes
import Testing

@testable import PushDispatcher

@Suite struct QuarantineGuardTests {
    /// Runs a fan-out in several reports, and evaluates it.
    private func fanOut(
        _ guarded: inout QuarantineGuard,
        answers: Int,
        bad: Int,
        at start: Duration
    ) throws -> QuarantineGuard.Evaluation {
        let rejections = (0..<bad).map { rejection($0) }
        guarded.record(answers: answers - answers / 2, rejections, at: start)
        guarded.record(answers: answers / 2, [], at: start + .milliseconds(900))
        let early = guarded.evaluate(at: start + .milliseconds(1_800))
        #expect(early == nil, "more may come")
        let evaluation = guarded.evaluate(at: start + .milliseconds(1_900))
        return try #require(evaluation)
    }

    @Test("A12, S49, m: the share is that of the whole fan-out, wherever the bad tokens are")
    func share() throws {
        var guarded = QuarantineGuard()
        let few = try fanOut(&guarded, answers: 10_000, bad: 500, at: .zero)
        #expect(few.released.count == 500 && few.withheldCount == 0 && !few.hasChanged)
        let many = try fanOut(&guarded, answers: 10_000, bad: 501, at: .seconds(10))
        #expect(many.released.isEmpty && many.withheldCount == 501 && many.hasChanged)
        #expect(guarded.isStopped && guarded.withheldCount == 501)
    }

    @Test("m: a few are quarantined whatever their share, but only once")
    func exemption() throws {
        var guarded = QuarantineGuard()
        var released = 0
        for round in 0..<50 {
            let evaluation = try fanOut(&guarded, answers: 10, bad: 8, at: .seconds(10 * round))
            released += evaluation.released.count
            #expect(evaluation.hasChanged == (round == 2), "told once")
        }
        #expect(released == 16 && guarded.withheldCount == 48 * 8)
        // Two hundred good answers prove health, and a few bad ones are quarantined again.
        let healthy = try fanOut(&guarded, answers: 200, bad: 10, at: .seconds(1_000))
        #expect(healthy.hasChanged && healthy.released.count == 10 && !guarded.isStopped)
        let again = try fanOut(&guarded, answers: 10, bad: 8, at: .seconds(1_010))
        #expect(again.released.count == 8)
    }

    @Test("A12, S49, m: a good history does not hide a fan-out that is all bad")
    func past() throws {
        var guarded = QuarantineGuard()
        for round in 0..<10 { _ = try fanOut(&guarded, answers: 100_000, bad: 0, at: .seconds(10 * round)) }
        let sudden = try fanOut(&guarded, answers: 1_000, bad: 1_000, at: .seconds(200))
        #expect(sudden.released.isEmpty && sudden.hasChanged)
        // Fewer answers than the required evidence change nothing, a bad fan-out neither.
        for (number, bad) in [0, 0, 60].enumerated() {
            let round = try fanOut(&guarded, answers: 90, bad: bad, at: .seconds(300 + 10 * number))
            #expect(!round.hasChanged && round.released.isEmpty)
        }
        #expect(guarded.isStopped)
    }

    @Test("m: overlapping fan-outs are evaluated after a while; held quarantines are bounded")
    func bounds() {
        var guarded = QuarantineGuard()
        let rejections = (0..<600).map { rejection($0) }
        var evaluation: QuarantineGuard.Evaluation?
        for tenth in 0...600 {
            guarded.record(answers: 20_000, tenth < 100 ? rejections : [], at: .milliseconds(100 * tenth))
            if evaluation == nil { evaluation = guarded.evaluate(at: .milliseconds(100 * tenth)) }
        }
        #expect(evaluation?.released.count == PushLimits.quarantinesHeld)
    }

    private func rejection(_ number: Int) -> RejectedToken {
        RejectedToken(match: Fixture.match, device: Fixture.device(number), generation: 1, deadAt: nil)
    }
}
