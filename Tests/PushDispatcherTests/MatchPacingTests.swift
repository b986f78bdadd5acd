// Pacing, suppression, budget, and alerts of newer states as a value.

import ScoreTypes
import Testing

@testable import PushDispatcher

@Suite struct MatchPacingTests {
    @Test("S47: ordinary updates are ten seconds apart, and the newest is sent")
    func ordinaryUpdatesAreTenSecondsApartAndTheNewestIsSent() {
        var pacing = MatchPacing()
        #expect(launched(pacing.offer(Fixture.publication(1), at: .seconds(100))) == 1)
        guard case .wait(let moment) = pacing.offer(Fixture.publication(2), at: .seconds(103)) else {
            Issue.record("expected to wait")
            return
        }
        #expect(moment == .seconds(110))
        _ = pacing.offer(Fixture.publication(3), at: .seconds(105))
        #expect(pacing.supersededCount == 1)
        #expect(launched(pacing.due(at: .seconds(109))) == nil)
        #expect(launched(pacing.due(at: .seconds(110))) == 3)
    }

    @Test func urgentUpdatesAndCorrectionsWaitOneSecond() {
        var pacing = MatchPacing()
        _ = pacing.offer(Fixture.publication(1), at: .seconds(100))
        #expect(launched(pacing.offer(Fixture.publication(2, cause: .correction), at: .milliseconds(100_400))) == nil)
        #expect(launched(pacing.due(at: .seconds(101))) == 2)
        #expect(launched(pacing.offer(Fixture.publication(3, alert: "w1"), at: .seconds(102))) == 3)
    }

    @Test func aWaitingAlertIsKeptWhenANewerStateReplacesIt() {
        var pacing = MatchPacing()
        _ = pacing.offer(Fixture.publication(1), at: .seconds(100))
        _ = pacing.offer(Fixture.publication(2, alert: "w1"), at: .milliseconds(100_100))
        guard case .wait(let moment) = pacing.offer(Fixture.publication(3), at: .milliseconds(100_200)),
            case .publish(let plan) = pacing.due(at: moment)
        else {
            Issue.record("expected a launch")
            return
        }
        #expect(plan.publication.revision.number == 3)
        #expect(plan.activeAlert?.key == "w1")
        #expect(plan.activeAlert?.revision == 2)
        #expect(plan.priority == .ten)
    }

    @Test func olderAndEqualRevisionsAreIgnored() {
        var pacing = MatchPacing()
        _ = pacing.offer(Fixture.publication(5), at: .seconds(100))
        #expect(launched(pacing.offer(Fixture.publication(4, alert: "w"), at: .seconds(200))) == nil)
        #expect(launched(pacing.offer(Fixture.publication(5, state: 99), at: .seconds(200))) == nil)
    }

    @Test("a state sent five minutes ago is sent again, so that the sweep does not count its phones as silent")
    func anUnchangedStateIsSentWhenTheLastOneIsOld() {
        var pacing = MatchPacing()
        _ = pacing.offer(Fixture.publication(1, state: 7), at: .seconds(100))
        #expect(launched(pacing.offer(Fixture.publication(2, state: 7), at: .seconds(399))) == nil)
        #expect(launched(pacing.offer(Fixture.publication(3, state: 7), at: .seconds(400))) == 3)
    }

    @Test func anUnchangedStateIsDroppedButNotAConfirmationOrAKeepAlive() {
        var pacing = MatchPacing()
        _ = pacing.offer(Fixture.publication(1, state: 7), at: .seconds(100))
        #expect(launched(pacing.offer(Fixture.publication(2, state: 7), at: .seconds(120))) == nil)
        #expect(pacing.unchangedCount == 1)
        #expect(launched(pacing.offer(Fixture.publication(3, state: 7, alert: "w1"), at: .seconds(140))) == 3)
        #expect(launched(pacing.offer(Fixture.publication(4, state: 7), at: .seconds(160))) == nil)
        #expect(launched(pacing.offer(Fixture.publication(5, state: 7, cause: .keepAlive), at: .seconds(180))) == 5)
        #expect(launched(pacing.offer(Fixture.publication(6, state: 8), at: .seconds(200))) == 6)
        #expect(launched(pacing.offer(Fixture.publication(7, state: 7), at: .seconds(220))) == 7)
    }

    @Test("S47: the seventh wicket in a minute is sent at priority 5")
    func theSeventhWicketInAMinuteIsSentAtPriorityFive() {
        var pacing = MatchPacing()
        let plans = (1...7).compactMap { number -> PublicationPlan? in
            plan(pacing.offer(Fixture.publication(Int64(number), alert: "w\(number)"), at: .seconds(100 + 2 * number)))
        }
        #expect(plans.map(\.priority) == [.ten, .ten, .ten, .ten, .ten, .ten, .five])
        #expect(plans.map { $0.activeAlert?.key } == (1...7).map { "w\($0)" })
        #expect(plans.last?.activeAlert?.priority == .five)
        #expect(pacing.lowered == [.minute: 1])
    }

    @Test func anHourAllowsTwentyFiveUrgentPushes() {
        var budget = PriorityBudget()
        let first = (0..<40).count { budget.spend(at: .seconds(60 * $0)) }
        #expect(first == 25)
        let later = [3599, 3600, 3600].map { budget.spend(at: .seconds($0)) }
        #expect(later == [false, true, false])
        #expect(budget.refused == [.hour: 17])
    }

    @Test func anAlertIsSentWithinAMinuteAndOncePerKey() {
        var pacing = MatchPacing()
        _ = pacing.offer(Fixture.publication(1, alert: "w1"), at: .seconds(100))
        let second = plan(pacing.offer(Fixture.publication(2), at: .seconds(130)))
        #expect(second?.activeAlert?.key == "w1")
        #expect(second?.priority == .five)
        #expect(second?.activeAlert?.priority == .ten)
        #expect(plan(pacing.offer(Fixture.publication(3), at: .seconds(160)))?.activeAlert == nil)
        #expect(plan(pacing.offer(Fixture.publication(4, alert: "w1"), at: .seconds(170)))?.activeAlert == nil)
    }

    @Test func aDeviceWithoutFrequentPushesGetsOneUrgentUpdateInFiveMinutesForWicketsAndResults() {
        var pacing = MatchPacing()
        func priority(_ revision: Int64, _ relevance: Int, at second: Double) -> PushPriority? {
            var publication = Fixture.publication(revision, alert: "m\(revision)")
            publication.relevance = relevance
            let made = plan(pacing.offer(publication, at: .seconds(second)))
            #expect(made?.priority == .ten, "all others receive it at once")
            #expect(made?.activeAlert?.infrequentPriority == made?.infrequentPriority)
            return made?.infrequentPriority
        }
        #expect(priority(1, 60, at: 100) == .five, "a fifty leaves the place to a wicket")
        #expect(priority(2, 90, at: 110) == .ten)
        #expect(priority(3, 90, at: 200) == .five)
        #expect(priority(4, 100, at: 409) == .five)
        #expect(priority(5, 100, at: 410) == .ten)
        let silent = plan(pacing.offer(Fixture.publication(6), at: .seconds(430)))
        #expect(silent?.infrequentPriority == .five && silent?.activeAlert?.infrequentPriority == .ten)
    }

    @Test func aWithdrawnAlertIsDroppedAndTheCorrectionIsImmediate() {
        var pacing = MatchPacing()
        _ = pacing.offer(Fixture.publication(1, alert: "w1"), at: .seconds(100))
        #expect(plan(pacing.offer(correction(2, ["w1"]), at: .seconds(110)))?.activeAlert?.key == "w1")
        let corrected = plan(pacing.offer(correction(3, []), at: .seconds(112)))
        #expect(corrected?.publication.revision.number == 3, "at once, not after ten seconds")
        #expect(corrected?.activeAlert == nil && corrected?.priority == .five)
        #expect(plan(pacing.offer(correction(4, ["w1"]), at: .seconds(130)))?.activeAlert == nil)
    }

    @Test func aWaitingAlertThatIsWithdrawnIsNeverSent() {
        var pacing = MatchPacing()
        _ = pacing.offer(Fixture.publication(1), at: .seconds(100))
        _ = pacing.offer(Fixture.publication(2, alert: "w1"), at: .milliseconds(100_100))
        _ = pacing.offer(correction(3, []), at: .milliseconds(100_200))
        let next = plan(pacing.due(at: .seconds(110)))
        #expect(next?.publication.revision.number == 3 && next?.activeAlert == nil)
    }

    /// A silent publication with the keys of the alerts that still hold.
    private func correction(_ revision: Int64, _ keys: Set<String>) -> PushPublication {
        var publication = Fixture.publication(revision)
        publication.standingAlerts = keys
        return publication
    }

    @Test func aFinalPublicationStaysFinal() {
        var pacing = MatchPacing()
        _ = pacing.offer(Fixture.publication(1), at: .seconds(100))
        _ = pacing.offer(Fixture.publication(2, isFinal: true), at: .milliseconds(100_100))
        _ = pacing.offer(Fixture.publication(3), at: .milliseconds(100_200))
        #expect(plan(pacing.due(at: .seconds(110)))?.publication.isFinal == true)
    }

    private func plan(_ decision: MatchPacing.Decision) -> PublicationPlan? {
        guard case .publish(let plan) = decision else { return nil }
        return plan
    }

    private func launched(_ decision: MatchPacing.Decision) -> Int64? { plan(decision)?.publication.revision.number }
}
