// Starts by push: which the system refuses, and what an app sees of those that it takes.

import LiveSurface
import ScoreClient
import ScoreTypes
import Testing

@testable import Simulators

@Suite struct StartByPushTests {
    static let channel = "dGVzdGNoYW5uZWw="

    /// A phone whose app was open once, so that it has a push-to-start token.
    private static func ready(_ release: IOSRelease = .ios18, faults: PhoneFaultPlan = .none) -> PhoneStateRig {
        var rig = PhoneStateRig(release, faults: faults)
        rig.openOnce()
        return rig
    }

    @Test func releasesBeforeStartsByPushHaveNoTokenForThem() {
        let rig = Self.ready(.ios16)
        #expect(rig.registered.map(\.kind) == [.alert])
        #expect(!rig.events.contains { if case .pushToStartToken = $0 { true } else { false } })
    }

    /// The subscription of a started activity by release, channel and requested token; nil for a refused start.
    @Test(
        arguments: [
            (IOSRelease.ios17, false, true, SimulatedActivity.Subscription.token),
            (.ios17, false, false, .token),
            (.ios17, true, false, nil),
            (.ios18, false, true, .token),
            // iOS 18 and later: an activity without a requested token never has one.
            (.ios18, false, false, SimulatedActivity.Subscription.none),
            (.ios26, false, true, .token),
        ] as [(IOSRelease, Bool, Bool, SimulatedActivity.Subscription?)]
    )
    func subscriptions(
        release: IOSRelease,
        onChannel: Bool,
        wantsToken: Bool,
        expected: SimulatedActivity.Subscription?
    ) {
        var rig = Self.ready(release)
        let body = PushBody.start(
            match: "m1",
            rev: 1,
            timestamp: rig.seconds,
            channel: onChannel ? Self.channel : nil,
            wantsToken: wantsToken
        )
        rig.push(body, to: rig.state.startToken, priority: 10)
        #expect(rig.state.activities.map(\.subscription) == (expected.map { [$0] } ?? []))
        #expect(rig.drops[.unsupported] == (expected == nil ? 1 : nil))
    }

    @Test func aChannelActivityNamesNoChannelAndHasNoToken() throws {
        var rig = Self.ready()
        rig.start(channel: Self.channel)
        rig.advance(.seconds(60))
        #expect(rig.joined == [try #require(ChannelID(Self.channel))])
        #expect(rig.activityTokens.isEmpty)
        let observed = try #require(rig.state.activities.first?.observed)
        #expect(observed.token == nil && observed.channelID == nil && observed.isStartedByPush)
        #expect(!rig.events.contains { if case .token = $0 { true } else { false } })
    }

    @Test func aChannelThatTheAttributesNameIsSeenByTheApp() {
        var rig = Self.ready()
        let body = PushBody.start(match: "m1", rev: 1, timestamp: rig.seconds, channel: Self.channel)
            .replacing(#""format""#, with: #""channelId":"\#(Self.channel)","format""#)
        rig.push(body, to: rig.state.startToken, priority: 10)
        #expect(rig.state.activities.first?.observed.channelID == Self.channel)
    }

    @Test func fiveActivitiesOfTheAppAreTheLimit() {
        var rig = Self.ready()
        for number in 1...6 { rig.start(match: "m\(number)") }
        #expect(rig.state.activities.count == 5 && rig.drops[.tooManyActivities] == 1)
        rig.run { $0.dismiss($0.activities[0].id, at: $1) }
        rig.start(match: "m6")
        #expect(rig.state.activities.count == 5)
    }

    @Test func activitiesOfAnotherTypeCountForTheLimitUntilTheyEnd() {
        var rig = Self.ready(faults: PhoneFaultPlan(.fiveActivities, seed: 1))
        rig.start()
        #expect(rig.state.activities.isEmpty && rig.drops[.tooManyActivities] == 1)
        rig.advance(.seconds(3 * 3_600))
        rig.start()
        #expect(rig.state.activities.count == 1)
    }

    @Test func startsBeyondTheBudgetHaveNoEffect() {
        var rig = Self.ready()
        for number in 1...11 {
            rig.start(match: "m\(number)")
            rig.run {
                $0.removeAll(byPerson: true, at: $1); return $0.finish($1)
            }
        }
        #expect(rig.drops[.tooManyStarts] == 1)
        rig.advance(.seconds(3_600))
        rig.start()
        #expect(rig.drops[.tooManyStarts] == 1 && rig.state.activities.count == 1)
    }

    @Test func startsAreRefusedSilently() {
        var rig = Self.ready()
        rig.start(alert: false)
        let wrongType = PushBody.start(match: "m1", rev: 1, timestamp: rig.seconds, type: "Other")
        rig.push(wrongType, to: rig.state.startToken)
        let late = PushBody.start(match: "m1", rev: 1, timestamp: rig.seconds + 8 * 3_600 + 1)
        rig.push(late, to: rig.state.startToken)
        let broken = PushBody.start(match: "m1", rev: 1, timestamp: rig.seconds).replacing(#""minimal""#, with: #""m""#)
        rig.push(broken, to: rig.state.startToken)
        rig.push(PushBody.start(match: "m1", rev: 1, timestamp: rig.seconds), to: rig.registered[0].token)
        rig.run { $0.allowActivities(false, at: $1) }
        rig.start()
        #expect(rig.state.activities.isEmpty)
        #expect(
            rig.drops == [
                .noAlert: 1, .wrongType: 1, .tooFarAhead: 1, .undecodable: 1, .noRecipient: 1, .switchedOff: 1,
            ]
        )
        #expect(rig.launches == [.person])
    }

    @Test func aStaleTokenIsAcceptedByAPNsAndStartsNothing() {
        var rig = Self.ready(faults: PhoneFaultPlan(.staleStartToken, seed: 1))
        #expect(rig.registered.map(\.kind) == [.alert, .pushToStart])
        rig.start()
        #expect(rig.state.activities.isEmpty && rig.drops[.noRecipient] == 1)
    }

    @Test func aStartRunsTheAppForAMoment() {
        var rig = Self.ready()
        rig.run { $0.reboot(at: $1) }
        rig.advance(.seconds(61))
        rig.start()
        #expect(rig.launches == [.person, .startedActivity])
        #expect(rig.events.contains { if case .started(let activity) = $0 { activity.isStartedByPush } else { false } })
        rig.advance(.seconds(5))
        #expect(rig.activityTokens.count == 1)
        rig.advance(SimulatorLimits.backgroundTime)
        #expect(rig.signals.last == .suspended)
    }

    @Test func theAlertOfAStartSoundsAndIsNoMoment() {
        var rig = Self.ready()
        rig.start()
        #expect(rig.state.centre.startsSounded == 1 && rig.state.centre.total == 0)
    }
}
