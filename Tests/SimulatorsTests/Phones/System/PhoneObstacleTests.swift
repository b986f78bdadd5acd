// A phone counts as unreachable only while something on its side keeps every state away.

import ScoreClient
import ScoreTypes
import Testing

@testable import Simulators

@Suite struct PhoneObstacleTests {
    /// The obstacle to a revision of the match of the tests.
    private static func obstacle(
        _ rig: PhoneStateRig,
        to revision: Int64 = 9,
        hasStartToken: Bool = true,
        losesRequests: Bool = false,
        isReported: Bool = true
    ) -> PhoneObstacle? {
        rig.state.obstacle(
            to: revision,
            of: "m1",
            hasStartToken: hasStartToken,
            losesRequests: losesRequests,
            isReported: { _ in isReported }
        )
    }

    /// A phone with a fault that has an activity on a token.
    private static func running(_ fault: PhoneFault, seed: UInt64 = 1) -> PhoneStateRig {
        ActivityUpdateTests.running(faults: PhoneFaultPlan(fault, seed: seed), seed: seed)
    }

    @Test func aPhoneWithoutAFaultHasToShowEveryState() {
        var rig = PhoneStateRig()
        #expect(Self.obstacle(rig, hasStartToken: false, isReported: false) == nil)
        rig.run { $0.setNetwork(false, at: $1) }
        #expect(Self.obstacle(rig) == nil)
    }

    @Test func aNetworkThatIsBackAndARestartThatIsOverAreNoObstacles() {
        var rig = Self.running(.lowPowerMode)
        rig.run { $0.setNetwork(false, at: $1) }
        #expect(Self.obstacle(rig) == .noNetwork)
        rig.run { $0.setNetwork(true, at: $1) }
        #expect(Self.obstacle(rig) == nil)
        rig.run { $0.reboot(at: $1) }
        #expect(Self.obstacle(rig) == .noNetwork)
        rig.advance(SimulatorLimits.bootTime)
        #expect(Self.obstacle(rig) == nil)
    }

    @Test func aTokenThatCameLateIsNoObstacle() {
        var rig = PhoneStateRig(faults: PhoneFaultPlan(.lateTokens, seed: 3))
        rig.run { $0.openApp(at: $1) }
        rig.advance(.seconds(660))
        rig.start()
        #expect(rig.phases == [.active] && Self.obstacle(rig) == .noToken)
        rig.advance(.seconds(1_200))
        #expect(Self.obstacle(rig) == nil)
        // The app runs, so that it has to report the token.
        #expect(Self.obstacle(rig, isReported: false) == nil)
        rig.run { $0.leaveApp(at: $1) }
        rig.advance(SimulatorLimits.backgroundTime)
        #expect(Self.obstacle(rig, isReported: false) == .unreportedToken && Self.obstacle(rig) == nil)
    }

    @Test func anActivityThatNeverHasATokenShowsWhatItsAppDraws() {
        let rig = Self.running(.missingTokens)
        #expect(Self.obstacle(rig) == .noToken)
        #expect(Self.obstacle(rig, to: 1) == nil, "the revision of the start")
    }

    @Test func aKilledAppIsReachableByAReportedToken() {
        var rig = Self.running(.killedApp)
        rig.run { $0.killApp(at: $1) }
        #expect(Self.obstacle(rig) == nil)
        #expect(Self.obstacle(rig, isReported: false) == .unreportedToken)
    }

    @Test func aPersonWhoRemovedOrForbadeActivitiesIsNotReached() {
        var rig = Self.running(.dismissal)
        rig.run { $0.dismiss($0.activities[0].id, at: $1) }
        #expect(Self.obstacle(rig) == .dismissed)
        var other = Self.running(.switchedOff)
        other.run { $0.allowActivities(false, at: $1) }
        #expect(Self.obstacle(other) == .switchedOff)
        other.run { $0.allowActivities(true, at: $1) }
        #expect(Self.obstacle(other) == nil)
    }

    @Test(arguments: [PhoneFault.changingTokens, .lowPowerMode])
    func aCardThatTheAppRemovedBeforeTheEndIsAnObstacleAfterALostReport(fault: PhoneFault) {
        var rig = Self.running(fault)
        rig.run { $0.end($0.activities[0].id, at: $1) }
        #expect(Self.obstacle(rig) == nil)
        #expect(Self.obstacle(rig, losesRequests: true) == (fault == .changingTokens ? .lostReport : nil))
    }

    @Test func aRefusedStartIsAnObstacleUntilOneSucceeds() {
        var rig = PhoneStateRig(faults: PhoneFaultPlan(.fiveActivities, seed: 1))
        rig.openOnce()
        #expect(Self.obstacle(rig) == nil, "the server has not tried")
        #expect(Self.obstacle(rig, hasStartToken: false) == .noStartToken)
        rig.start()
        #expect(Self.obstacle(rig) == .startRefused)
        rig.advance(.seconds(150 * 60))
        rig.start()
        #expect(rig.phases == [.active] && Self.obstacle(rig) != .startRefused)
        let stale = PhoneStateRig(faults: PhoneFaultPlan(.staleStartToken, seed: 1))
        #expect(Self.obstacle(stale) == .startRefused)
    }

    @Test func aSpentBudgetWithholdsTheStateUntilALaterOneIsDrawn() {
        var rig = Self.running(.exhaustedBudget)
        for revision in 2...30 as ClosedRange<Int64> { rig.update(rev: revision, priority: 10) }
        #expect(Self.obstacle(rig, to: 30) == .noBudget && Self.obstacle(rig, to: 31) == nil)
        rig.update(rev: 31)
        #expect(Self.obstacle(rig, to: 31) == nil)
    }

    @Test func aFinalCardThatTheSystemHasRemovedWasShown() {
        var rig = Self.running(.lowPowerMode)
        rig.end(rev: 9, dismissal: rig.seconds - 1)
        rig.advance(.seconds(1))
        #expect(rig.state.activities.isEmpty && Self.obstacle(rig) == nil)
        let removed = rig.state.removedCard
        #expect(removed?.revision == 9 && removed?.isFinal == true && removed?.isByPerson == false)
    }
}
