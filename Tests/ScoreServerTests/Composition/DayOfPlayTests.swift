// A day of a Test is longer than the eight hours of an activity; phones of every iOS get through it with one card.

import LiveSurface
import MatchEngine
import MatchJournal
import Postgres
import ScoreClient
import ScoreTypes
import TestSupport
import Testing

@testable import Simulators

@Suite(.timeLimit(.minutes(5))) struct DayOfPlayTests {
    /// Steps below the half hour after which an activity is stale, and shorter ones around the renewals.
    private static let steps: [Duration] =
        Array(repeating: .seconds(1_500), count: 17) + Array(repeating: .seconds(600), count: 8) + [.seconds(300)]

    @Test("an activity of every iOS is renewed or ended with its text in 8.5 hours, and no phone shows two")
    func everyActivityIsRenewedOrEnded() async throws {
        let seed = UInt64.random(in: 0...UInt64(Int64.max))
        print("day of play: seed \(seed)")
        let releases = IOSRelease.allCases + IOSRelease.allCases
        try await PhonesOfNode.run(releases, seed: seed, isNewestApp: { $0 < 4 }) { rig in
            try await rig.report(balls: 1)
            for phone in rig.phones { try await phone.enroll() }
            for phone in rig.phones { phone.beginMatch() }
            let running = Statement("select count(*) from activity where state = 1")
            // An app that is suspended before it has reported its token gets no updates.
            try await eventually("the server knows the activity of each phone") {
                try await rig.setup.number(running) == Int64(rig.phones.count)
            }
            let first = rig.phones.map { rig.cards($0).first?.activityID }
            for (place, step) in Self.steps.enumerated() {
                try await rig.advance(by: step)
                let revision = try await rig.report(balls: place + 2)
                try await eventually("after \(rig.elapsed) each phone shows revision \(revision) on one card") {
                    Self.wrong(rig, first, revision).isEmpty
                }
                try #require(
                    Self.wrong(rig, first, revision).isEmpty,
                    "\(Self.wrong(rig, first, revision).map(\.summary))"
                )
            }
            #expect(rig.elapsed == .seconds(30_600))
            for (phone, first) in zip(rig.phones, first) {
                let card = try #require(rig.cards(phone).first)
                #expect((card.activityID == first) == !phone.system.release.startsByPush, "\(phone.summary)")
                #expect(card.isOnChannel == phone.system.release.hasChannels)
            }
            try await rig.report(balls: Self.steps.count + 1, status: .stumps)
            try await eventually("the day's card is final on each phone") {
                rig.phones.allSatisfy { phone in
                    let cards = rig.cards(phone)
                    return cards.count == 1 && cards[0].phase == .ended
                }
            }
            let counts = rig.phones.map(\.system.report)
            #expect(counts.allSatisfy { $0.longestCardsTwice < SimulatorLimits.cardOverlap })
            #expect(counts.allSatisfy { $0.wentBack == 0 && $0.drops[.undecodable] == nil })
            try await eventually("the server has recorded the ends", within: .seconds(20)) {
                try await rig.setup.number(running) == 0
            }
            let left = Statement("select env, variant, gen, activity_id from activity where state = 1")
            #expect(try await rig.setup.pool.query(left) { try $0.text(3) } == [])
        }
    }

    /// The phones that do not show what they should.
    private static func wrong(_ rig: PhonesOfNode, _ first: [String?], _ revision: Int64) -> [SimulatedPhone] {
        zip(rig.phones, first).compactMap { phone, first in
            isRight(phone, rig.cards(phone), revision, first: first, after: rig.elapsed) ? nil : phone
        }
    }

    /// Whether a phone has one card, which shows the newest state or says that following goes on in the app.
    private static func isRight(
        _ phone: SimulatedPhone,
        _ cards: [PhoneCard],
        _ revision: Int64,
        first: String?,
        after elapsed: Duration
    ) -> Bool {
        guard cards.count == 1, let card = cards.first else { return false }
        // No push starts an activity before iOS 17.2.
        if !phone.system.release.startsByPush, elapsed >= .seconds(28_500) {
            return card.phase == .ended && card.content.lockScreen.sub == Farewell.words
        }
        // The test moves no clock during a renewal, so that its two cards are not counted as hours.
        let isRenewalDue = phone.system.release.startsByPush && elapsed >= .seconds(27_000)
        return card.phase == .active && card.revision == revision && (card.activityID != first || !isRenewalDue)
    }
}
