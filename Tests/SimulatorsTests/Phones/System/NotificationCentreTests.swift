// The notification centre makes repeated alerts visible, and the screen two cards of one match.

import ScoreClient
import ScoreTypes
import Testing

@testable import Simulators

@Suite struct NotificationCentreTests {
    private static func notify(_ rig: inout PhoneStateRig, _ body: String, collapseID: String? = nil) {
        rig.receive(PhoneStateRig.delivered(body, priority: 10, collapseID: collapseID), for: rig.registered[0].token)
    }

    @Test func aMomentThatSoundsTwiceIsCounted() {
        var rig = ActivityUpdateTests.running()
        rig.update(rev: 2, priority: 10, alert: "Wicket!")
        #expect(rig.state.centre.total == 1 && rig.state.centre.repeats.count == 0)
        // The ordinary notification of the same moment beside the activity.
        Self.notify(&rig, PushBody.notification("Wicket!", match: "m1"))
        #expect(rig.state.centre.total == 2 && rig.state.centre.repeats.count == 1)
        Self.notify(&rig, PushBody.notification("Wicket!", match: "m2"))
        Self.notify(&rig, PushBody.notification("Hundred!", match: "m1"))
        #expect(rig.state.centre.total == 4 && rig.state.centre.repeats.count == 1)
        #expect(PhoneSystemReport(rig.state).alertsTwice == 1)
    }

    @Test func aRepetitionNamesBothArrivals() throws {
        var rig = ActivityUpdateTests.running()
        for milliseconds in [100, 300] {
            let body = PushBody.notification("Wicket!", match: "m1")
            let moment = Instant(milliseconds: Int64(milliseconds))
            rig.receive(PhoneStateRig.delivered(body, priority: 10, acceptedAt: moment), for: rig.registered[0].token)
        }
        let alert = try #require(rig.state.centre.repeats.first)
        #expect(alert.title == "Wicket!" && alert.first.acceptedAt.milliseconds == 100)
        #expect(alert.again.acceptedAt.milliseconds == 300)
    }

    @Test func anAlertThatWasDroppedWithItsUpdateDoesNotSound() {
        var rig = ActivityUpdateTests.running()
        rig.update(rev: 3, timestamp: rig.seconds + 5)
        rig.update(rev: 2, timestamp: rig.seconds, priority: 10, alert: "Wicket!")
        #expect(rig.state.centre.total == 0)
        rig.update(rev: 4, timestamp: rig.seconds + 6, alert: "")
        #expect(rig.state.centre.total == 0)
    }

    @Test func aCollapseIDReplacesTheEntryAndSoundsAgain() {
        var rig = ActivityUpdateTests.running()
        Self.notify(&rig, PushBody.notification("Wicket!", match: "m1"), collapseID: "a")
        Self.notify(&rig, PushBody.notification("Wicket!", match: "m1"), collapseID: "a")
        Self.notify(&rig, PushBody.notification("Six!", match: "m1"), collapseID: "b")
        #expect(rig.state.centre.entries.map(\.collapseID) == ["a", "b"])
        #expect(rig.state.centre.repeats.count == 1)
    }

    @Test func aCorrectionTakesThePlaceOfItsAlert() throws {
        var rig = ActivityUpdateTests.running()
        Self.notify(&rig, PushBody.notification("Wicket!", match: "m1"), collapseID: "w:1:1/m1")
        Self.notify(&rig, PushBody.notification("Fifty!", match: "m1"), collapseID: "b50:1:x/m1")
        let correction = PushBody.notification("Correction", match: "m1", level: "passive")
        rig.receive(PhoneStateRig.delivered(correction, collapseID: "w:1:1/m1"), for: rig.registered[0].token)
        #expect(rig.state.centre.entries.map(\.text.title) == ["Fifty!", "Correction"])
        #expect(rig.state.centre.total == 2, "it makes no sound")
        #expect(rig.state.journal.entries.last?.event == .corrected(match: "m1", text: "out"))
    }

    @Test func passiveNotificationsAreListedWithoutSound() {
        var rig = ActivityUpdateTests.running()
        Self.notify(&rig, PushBody.notification("Wicket!", match: "m1", level: "passive"))
        #expect(rig.state.centre.entries.count == 1 && rig.state.centre.total == 0)
    }

    @Test func aPassiveRepetitionReplacesTheEntryWithoutSound() {
        var rig = ActivityUpdateTests.running()
        Self.notify(&rig, PushBody.notification("Wicket!", match: "m1"), collapseID: "a")
        Self.notify(&rig, PushBody.notification("Wicket!", match: "m1", level: "passive"), collapseID: "a")
        #expect(rig.state.centre.entries.map(\.collapseID) == ["a"])
        #expect(rig.state.centre.total == 1 && rig.state.centre.repeats.count == 0)
        // The first one was lost: the repetition is all that the person finds.
        Self.notify(&rig, PushBody.notification("Six!", match: "m1", level: "passive"), collapseID: "b")
        #expect(rig.state.centre.entries.map(\.collapseID) == ["a", "b"] && rig.state.centre.total == 1)
    }

    @Test func notificationsThatThePersonSwitchedOffAreDropped() {
        var rig = ActivityUpdateTests.running()
        rig.state.allowsNotifications = false
        Self.notify(&rig, PushBody.notification("Wicket!", match: "m1"))
        #expect(rig.state.centre.entries.isEmpty && rig.drops == [.notificationsOff: 1])
    }

    @Test func anAlertCanWakeTheApp() {
        var rig = PhoneStateRig()
        rig.openOnce()
        Self.notify(&rig, PushBody.notification("Wicket!", match: "m1", wakes: true))
        #expect(rig.signals.last == .receivedBackgroundPush)
    }

    @Test func localizedTextsAreReadByTheirKeys() throws {
        let title = #"{"loc-key":"score.teamRuns","loc-args":["150"]}"#
        let alert = #""alert":{"title":\#(title),"body":{"loc-key":"OUT"}}"#
        let body = #"{"aps":{\#(alert),"event":"update","timestamp":1,"content-state":{}}}"#
        guard case .activity(let push) = PhonePush(Array(body.utf8)) else {
            Issue.record("the body does not decode")
            return
        }
        #expect(push.alert == AlertText(title: "150 up", subtitle: nil, body: "OUT", hasKeys: true))
        let plain = #"{"aps":{"alert":{"title-loc-key":"score.wicket","loc-key":"score.match","loc-args":["x","y"]}}}"#
        guard case .notification(let notification) = PhonePush(Array(plain.utf8)) else {
            Issue.record("the body does not decode")
            return
        }
        #expect(notification.alert == AlertText(title: "Wicket!", subtitle: nil, body: "x v y", hasKeys: true))
    }

    @Test func anOlderAppHasNoTextForAKey() {
        for isNewest in [true, false] {
            var rig = ActivityUpdateTests.running(knowsNewestLayout: isNewest)
            Self.notify(&rig, #"{"aps":{"alert":{"title-loc-key":"score.wicket","body":"x"},"thread-id":"match-m1"}}"#)
            #expect(rig.state.centre.entries.map(\.text.title) == (isNewest ? ["Wicket!"] : []))
            #expect(rig.drops[.noText] == (isNewest ? nil : 1))
        }
    }

    @Test func twoCardsOfAMatchAreCountedWithTheirTime() {
        var rig = PhoneStateRig()
        rig.openOnce()
        rig.start(match: "m1")
        rig.start(match: "m2")
        #expect(PhoneSystemReport(rig.state).cardsTwice == 0)
        rig.start(match: "m1")
        rig.advance(.seconds(90))
        #expect(PhoneSystemReport(rig.state).cardsTwice == 1)
        rig.run { $0.dismiss($0.activities[0].id, at: $1) }
        let report = PhoneSystemReport(rig.state)
        #expect(report.cardsTwice == 0 && report.longestCardsTwice == .seconds(90))
    }
}
