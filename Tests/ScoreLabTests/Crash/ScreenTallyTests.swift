// The counts of a crash test, from the events of the phones' journals.

import Simulators
import Testing

@testable import ScoreLab

@Suite struct ScreenTallyTests {
    private let tally = ScreenTally(phones: 3)

    private func draw(_ phone: Int, _ revision: Int64, isBack: Bool = false) {
        tally.note(phone, .drew(activity: "a", revision: revision, isBack: isBack))
    }

    @Test func aPhoneIsReachedWhenItDrawsTheBallOrANewerOne() {
        draw(0, 4)
        tally.watch(5)
        #expect(tally.counts.reached == 0)
        draw(0, 5)
        draw(1, 6)
        tally.note(2, .delayed(activity: "a", revision: 5))
        tally.note(2, .dropped(.undecodable, revision: 5))
        #expect(tally.counts == ScreenTally.Counts(reached: 2))
        tally.watch(6)
        #expect(tally.counts.reached == 1)
    }

    @Test func aSecondDeliveryToAPhoneThatShowsTheBallIsARepeat() {
        tally.watch(5)
        draw(0, 5)
        tally.note(0, .unchanged(activity: "a", revision: 5))
        tally.note(0, .dropped(.olderTimestamp, revision: 5))
        tally.note(0, .dropped(.olderTimestamp, revision: 4))
        draw(0, 6)
        tally.note(0, .dropped(.olderTimestamp, revision: 5))
        #expect(tally.counts == ScreenTally.Counts(reached: 1, repeats: 2))
        tally.watch(6)
        #expect(tally.counts.repeats == 0)
    }

    @Test func aPhoneThatGoesBackIsCountedAndIsNoLongerReached() {
        tally.watch(5)
        draw(0, 5)
        draw(0, 4, isBack: true)
        #expect(tally.counts == ScreenTally.Counts(reached: 0, repeats: 0, wentBack: 1))
        draw(0, 5)
        #expect(tally.counts.reached == 1)
    }
}
