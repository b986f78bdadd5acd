// A day of a Test is longer than the eight hours of an activity; phones of every iOS get through it with one card.

import MatchEngine
import MatchJournal
import Postgres
import ScoreClient
import ScoreTypes
import TestSupport
import Testing

@testable import Simulators

@Suite(.timeLimit(.minutes(5))) struct DayOfPlayTests {
    /// Steps of a quarter of an hour, and of five minutes around the renewals.
    private static let steps: [Duration] =
        Array(repeating: .seconds(900), count: 29) + Array(repeating: .seconds(300), count: 15)

    @Test("an activity of every iOS is renewed or ended with its text in 8.5 hours, and no phone shows two")
    func everyActivityIsRenewedOrEnded() async throws {
        let seed = UInt64.random(in: 0...UInt64(Int64.max))
        print("day of play: seed \(seed)")
        let releases = IOSRelease.allCases + IOSRelease.allCases
        try await PhonesOfNode.run(releases, seed: seed, isNewestApp: { $0 < 4 }) { rig in
            try await rig.report(balls: 1)
            for phone in rig.phones { try await phone.enroll() }
            for phone in rig.phones { phone.beginMatch() }
            try await eventually("each phone has its activity") {
                rig.phones.allSatisfy { rig.cards($0).count == 1 }
            }
            let first = rig.phones.map { rig.cards($0).first?.activityID }
            for (place, step) in Self.steps.enumerated() {
                try await rig.advance(by: step)
                let revision = try await rig.report(balls: place + 2)
                try await eventually("after \(rig.elapsed) each phone shows revision \(revision) on one card") {
                    rig.phones.allSatisfy { Self.isRight($0, rig.cards($0), revision, after: rig.elapsed) }
                }
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
            let running = Statement("select count(*) from activity where state = 1")
            #expect(try await rig.setup.number(running) == 0)
        }
    }

    /// Whether a phone has one card, which shows the newest state or says that following goes on in the app.
    private static func isRight(
        _ phone: SimulatedPhone,
        _ cards: [PhoneCard],
        _ revision: Int64,
        after elapsed: Duration
    ) -> Bool {
        guard cards.count == 1, let card = cards.first else { return false }
        // No push starts an activity before iOS 17.2.
        if !phone.system.release.startsByPush, elapsed >= .seconds(28_500) {
            return card.phase == .ended && card.subtitle == Farewell.words
        }
        return card.phase == .active && card.revision == revision
    }
}
