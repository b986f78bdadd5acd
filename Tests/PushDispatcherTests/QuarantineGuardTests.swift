// Above which share bad tokens are a mistake of ours, and how that ends.

import ScoreTypes
import Testing

@testable import PushDispatcher

@Suite struct QuarantineGuardTests {
    /// Plays a fan-out in several reports, and judges it.
    private func fanOut(
        _ guarded: inout QuarantineGuard,
        answers: Int,
        bad: Int,
        at start: Duration
    ) throws -> QuarantineGuard.Judgement {
        let rejections = (0..<bad).map { rejection($0) }
        guarded.heard(answers: answers - answers / 2, rejections, at: start)
        guarded.heard(answers: answers / 2, [], at: start + .milliseconds(900))
        let early = guarded.judge(at: start + .milliseconds(1_800))
        #expect(early == nil, "more may come")
        let judgement = guarded.judge(at: start + .milliseconds(1_900))
        return try #require(judgement)
    }

    @Test("m: the share is that of the whole fan-out, wherever in it the bad tokens are")
    func share() throws {
        var guarded = QuarantineGuard()
        let few = try fanOut(&guarded, answers: 10_000, bad: 500, at: .zero)
        #expect(few.released.count == 500 && few.withheldCount == 0 && !few.hasTurned)
        let many = try fanOut(&guarded, answers: 10_000, bad: 501, at: .seconds(10))
        #expect(many.released.isEmpty && many.withheldCount == 501 && many.hasTurned)
        #expect(guarded.isStopped && guarded.withheldCount == 501)
    }

    @Test("m: a few are let through whatever their share, once and not again and again")
    func exemption() throws {
        var guarded = QuarantineGuard()
        var released = 0
        for round in 0..<50 {
            let judgement = try fanOut(&guarded, answers: 10, bad: 8, at: .seconds(10 * round))
            released += judgement.released.count
            #expect(judgement.hasTurned == (round == 2), "told once")
        }
        #expect(released == 16 && guarded.withheldCount == 48 * 8)
        // Two hundred good answers show that all is well, and a few are harmless again.
        let healthy = try fanOut(&guarded, answers: 200, bad: 10, at: .seconds(1_000))
        #expect(healthy.hasTurned && healthy.released.count == 10 && !guarded.isStopped)
        let again = try fanOut(&guarded, answers: 10, bad: 8, at: .seconds(1_010))
        #expect(again.released.count == 8)
    }

    @Test("m: a past without any trouble does not hide a fan-out that is all bad")
    func past() throws {
        var guarded = QuarantineGuard()
        for round in 0..<10 { _ = try fanOut(&guarded, answers: 100_000, bad: 0, at: .seconds(10 * round)) }
        let sudden = try fanOut(&guarded, answers: 1_000, bad: 1_000, at: .seconds(200))
        #expect(sudden.released.isEmpty && sudden.hasTurned)
        // Fewer answers than count as evidence change nothing, a bad fan-out neither.
        for (number, bad) in [0, 0, 60].enumerated() {
            let round = try fanOut(&guarded, answers: 90, bad: bad, at: .seconds(300 + 10 * number))
            #expect(!round.hasTurned && round.released.isEmpty)
        }
        #expect(guarded.isStopped)
    }

    @Test("m: fan-outs that run into each other are judged after a while; what is held is bounded")
    func bounds() {
        var guarded = QuarantineGuard()
        let rejections = (0..<600).map { rejection($0) }
        var judgement: QuarantineGuard.Judgement?
        for tenth in 0...600 {
            guarded.heard(answers: 20_000, tenth < 100 ? rejections : [], at: .milliseconds(100 * tenth))
            if judgement == nil { judgement = guarded.judge(at: .milliseconds(100 * tenth)) }
        }
        #expect(judgement?.released.count == QuarantineGuard.heldMax)
    }

    private func rejection(_ number: Int) -> RejectedToken {
        RejectedToken(match: Fixture.match, device: Fixture.device(number), generation: 1, deadAt: nil)
    }
}
