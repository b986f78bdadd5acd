// The app's process: when the system runs it, and what it learns late.

import LiveSurface
import ScoreClient
import ScoreTypes
import Testing

@testable import Simulators

@Suite struct AppLifeTests {
    @Test func aKilledAppIsNotRunByPushes() {
        var rig = PhoneStateRig()
        rig.openOnce()
        rig.run { $0.killApp(at: $1) }
        rig.start()
        rig.push(PushBody.background, to: rig.registered[0].token)
        rig.advance(.seconds(600))
        #expect(rig.state.activities.count == 1)
        #expect(rig.launches == [.person])
        // Such an activity has no token before the app runs again.
        #expect(rig.activityTokens.isEmpty)
        rig.run { $0.openApp(at: $1) }
        rig.advance(.seconds(10))
        #expect(rig.activityTokens.count == 1)
        #expect(rig.events.contains { if case .started = $0 { true } else { false } })
    }

    @Test func aRestartLiftsTheKill() {
        var rig = PhoneStateRig()
        rig.openOnce()
        rig.run { $0.killApp(at: $1) }
        rig.run { $0.reboot(at: $1) }
        rig.advance(SimulatorLimits.bootTime)
        rig.start()
        #expect(rig.launches == [.person, .startedActivity])
    }

    @Test func activitiesSurviveARestart() {
        var rig = PhoneStateRig()
        rig.openOnce()
        rig.start()
        rig.advance(.seconds(5))
        rig.run { $0.reboot(at: $1) }
        #expect(!rig.state.isReachable && rig.signals.last == .ended)
        rig.update(rev: 2)
        rig.advance(SimulatorLimits.bootTime)
        rig.update(rev: 3)
        #expect(rig.drawings == [3])
    }

    @Test func noAppRunsInTheBackgroundInLowPowerMode() {
        var rig = PhoneStateRig(faults: PhoneFaultPlan(.lowPowerMode, seed: 1))
        rig.openOnce()
        rig.start()
        rig.push(PushBody.background, to: rig.registered[0].token)
        #expect(rig.state.activities.count == 1)
        #expect(rig.signals.last == .suspended && rig.launches == [.person])
    }

    @Test func backgroundPushesRunTheAppAFewTimesAnHour() {
        var rig = PhoneStateRig()
        rig.openOnce()
        for _ in 0..<6 {
            rig.push(PushBody.background, to: rig.registered[0].token)
            rig.advance(.seconds(60))
        }
        #expect(rig.signals.count { $0 == .receivedBackgroundPush } == SimulatorLimits.backgroundPushesPerHour)
        rig.advance(.seconds(3_600))
        rig.push(PushBody.background, to: rig.registered[0].token)
        #expect(rig.signals.count { $0 == .receivedBackgroundPush } == SimulatorLimits.backgroundPushesPerHour + 1)
    }

    @Test func aSuspendedAppLearnsOfTheNewestContentLater() throws {
        var rig = PhoneStateRig()
        rig.openOnce()
        rig.start()
        rig.advance(.seconds(60))
        #expect(rig.signals.last == .suspended)
        let before = rig.events.count
        for revision in 2...9 { rig.update(rev: Int64(revision)) }
        #expect(rig.events.count == before)
        rig.run { $0.openApp(at: $1) }
        let id = try #require(rig.state.activities.first?.id)
        #expect(rig.events.dropFirst(before) == [.shows(activityID: id, revision: 9)])
    }

    @Test func tokensAreGivenToAReachablePhoneOnly() {
        var rig = PhoneStateRig()
        rig.run { $0.setNetwork(false, at: $1) }
        rig.run { $0.openApp(at: $1) }
        rig.advance(.seconds(60))
        #expect(rig.registered.isEmpty)
        rig.run { $0.setNetwork(true, at: $1) }
        rig.advance(.seconds(1))
        #expect(rig.registered.map(\.kind) == [.alert, .pushToStart])
        #expect(rig.signals.contains(.networkReturned))
    }

    @Test func theAppStartsActivitiesInTheForegroundOnly() throws {
        var rig = PhoneStateRig(.ios17)
        let start = try AppStart.sample()
        var error = rig.start(start).error
        #expect(error == .notInForeground)
        rig.run { $0.openApp(at: $1) }
        let activity = try rig.start(start).get()
        #expect(!activity.isStartedByPush && activity.phase == .active)
        var onChannel = start
        onChannel.channelID = StartByPushTests.channel
        error = rig.start(onChannel).error
        #expect(error == .unsupported)
        var later = onChannel
        later.startAt = rig.now.wall + 3_600_000
        error = rig.start(later).error
        #expect(error == .cannotSchedule)
        for _ in 2...5 { _ = try rig.start(start).get() }
        error = rig.start(start).error
        #expect(error == .tooManyOfApp)
        var large = start
        large.attributes.competition = String(repeating: "x", count: 4_096)
        error = rig.start(large).error
        #expect(error == .tooLarge)
        rig.run { $0.allowActivities(false, at: $1) }
        error = rig.start(start).error
        #expect(error == .denied)
        #expect(rig.state.activities.isEmpty)
    }

    @Test func aScheduledActivityBeginsAtItsDate() throws {
        var rig = PhoneStateRig(.ios26)
        rig.run { $0.openApp(at: $1) }
        var start = try AppStart.sample()
        start.startAt = rig.now.wall + 3_600_000
        start.staleAt = rig.now.wall + 7_200_000
        start.channelID = StartByPushTests.channel
        let activity = try rig.start(start).get()
        #expect(activity.phase == .pending)
        #expect(rig.joined.isEmpty)
        rig.run { $0.killApp(at: $1) }
        rig.advance(.seconds(3_600))
        #expect(rig.phases == [.active])
        #expect(rig.joined.map(\.text) == [StartByPushTests.channel])
        rig.advance(.seconds(7 * 3_600 + 3_000))
        #expect(rig.phases == [.stale])
        rig.advance(.seconds(600))
        #expect(rig.phases == [.ended])
    }

    @Test func earlierReleasesScheduleNothing() throws {
        var rig = PhoneStateRig(.ios18)
        rig.run { $0.openApp(at: $1) }
        var start = try AppStart.sample()
        start.startAt = rig.now.wall + 3_600_000
        let error = rig.start(start).error
        #expect(error == .cannotSchedule && rig.state.activities.isEmpty)
    }

    /// ActivityKit does not name the origin of an activity: a new process takes all for started by push.
    @Test func aNewProcessFindsTheActivitiesThatRun() throws {
        var rig = PhoneStateRig()
        rig.run { $0.openApp(at: $1) }
        let own = try rig.start(try AppStart.sample()).get()
        #expect(!own.isStartedByPush)
        rig.advance(.seconds(5))
        rig.run { $0.killApp(at: $1) }
        rig.run { $0.openApp(at: $1) }
        let found = rig.events.compactMap { if case .started(let activity) = $0 { activity } else { nil } }
        #expect(found.map(\.id) == [own.id] && found.allSatisfy(\.isStartedByPush))
        #expect(found.first?.token == rig.activityTokens.first?.hexForPath)
    }
}
