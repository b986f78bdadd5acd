// On the token path the moments of a publication decide which devices receive its alert.

import LiveSurface
import MatchEngine
import MatchJournal
import ScoreTypes
import Testing

@testable import LiveActivities

@Suite struct AlertChoiceTests {
    private func moment(_ kind: Moment.Kind, _ side: Side?) -> ConfirmedMoment {
        ConfirmedMoment(
            Moment("\(kind)", kind, .loud, subject: "x", side: side, title: "Title", body: "MI 87/6"),
            revision: 1,
            at: Instant(milliseconds: 0)
        )
    }

    @Test func anAlertReachesDevicesThatChoseOneOfItsMoments() {
        let wicket = AlertReach(of: [moment(.wicket, .second)])
        #expect(wicket.reaches(AlertWish(kinds: 1, side: 2)))
        #expect(!wicket.reaches(AlertWish(kinds: 1, side: 1)))
        #expect(!wicket.reaches(AlertWish(kinds: 6)))
        let allOut = AlertReach(of: [moment(.wicket, .second), moment(.inningsEnd, .second)])
        #expect(allOut.reaches(AlertWish(kinds: 4)))
    }

    @Test func anAlertWithoutASettingReachesAllWithAnyAlert() {
        #expect(AlertReach(of: []) == .everybody)
        #expect(AlertReach(of: [moment(.six, .first)]) == .everybody)
    }
}
