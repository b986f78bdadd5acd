// Corrections on the wire: to those with the alert, on its collapse id, passive, without a sound, once.

import FollowService
import Foundation
import LiveSurface
import MatchEngine
import MatchJournal
import MatchSamples
import Postgres
import PushDispatcher
import ScoreTypes
import Simulators
import Synchronization
import TestSupport
import Testing

@testable import LiveActivities

@Suite(.timeLimit(.minutes(2))) struct NotificationCorrectionTests {
    /// The correction of alerts that were announced together.
    private static func corrections(
        _ setup: NotifierSetup,
        of alerts: [ConfirmedMoment],
        wrong: [ConfirmedMoment],
        at revision: Int64,
        age: Duration = .zero
    ) -> AlertCorrections {
        let state = Samples.replica(balls: 12).state
        let texts = wrong.map { ($0.moment.key, $0.moment.correction(now: nil, in: state, info: Samples.info())) }
        return AlertCorrections(
            source: NotifiedRevision(
                match: Samples.match,
                number: revision,
                at: ServiceClock().wall + (.zero - age),
                state: state,
                info: Samples.info()
            ),
            groups: [
                AlertCorrections.Group(
                    // As the publication of the alert has it.
                    announced: (alerts[0].revision, alerts[0].at + .seconds(1)),
                    moments: SelectableMoment.choices(of: alerts),
                    texts: Dictionary(uniqueKeysWithValues: texts)
                )
            ]
        )
    }

    @Test func aCorrectionReplacesTheAlertSilently() async throws {
        let setup = try await NotifierSetup()
        let phone = try await setup.phone(1)
        let keyed = try await setup.phone(2, profile: DeviceProfile(stringsVersion: Int64(NotificationKey.version)))
        let older = try await setup.phone(3, profile: DeviceProfile(stringsVersion: 1))
        let resultsOnly = try await setup.phone(4, alerts: [.result])
        let withActivity = try await setup.phone(5)
        try await setup.activity(5)
        let wicket = setup.wicket(1, at: 7)
        setup.announce([wicket], revision: 7)
        let alerted = [phone, keyed, older]
        try await eventually("the alert is sent") { alerted.allSatisfy { $0.all.count == 1 } }
        try await eventually("the alert is recorded") { try await setup.unannounced(7) == 0 }

        let correction = Self.corrections(setup, of: [wicket], wrong: [wicket], at: 9)
        let late = try await setup.phone(6)
        let admin = Pool(setup.info, size: 1, name: "admin")
        let later = Statement("update follow set changed_at = changed_at + interval '1 minute' where device_id = $1")
        try await admin.execute(later, [.uuid(NotifierSetup.device(6))])
        await admin.close()
        setup.node.notifier.correct(correction)
        try await eventually("the correction is sent") { alerted.allSatisfy { $0.all.count == 2 } }
        try await eventually("the correction is recorded") { try await setup.unannounced(9) == 0 }
        let (alert, replacement) = (phone.all[0], phone.all[1])
        #expect(replacement.collapseID == alert.collapseID && alert.collapseID == "w:1:1/\(Samples.match)")
        #expect(replacement.priority == 5 && alert.priority == 10 && !replacement.hasAlert)
        let aps = try #require(phone.aps.last)
        #expect(aps["interruption-level"] as? String == "passive" && aps["sound"] == nil)
        let payload = try JSONDecoder().decode(NotificationPayload.self, from: Data(replacement.body))
        #expect(payload.aps.alert.title == "Correction" && payload.aps.sound == nil)
        #expect(payload.aps.alert.body == "Taken back: Wicket! Sharma out. MI 12/0 after 2 overs")
        #expect(payload.liveSurface.snapshotId == "match-ipl-final@9" && payload.liveSurface.state == .active)
        let title = { (log: PhoneLog) in (log.aps.last?["alert"] as? [String: Any])?["title-loc-key"] as? String }
        #expect(title(keyed) == "score.correction" && title(older) == nil, "an older table has no such key")
        #expect(resultsOnly.all.isEmpty && withActivity.all.isEmpty)
        #expect(late.all.isEmpty, "it followed after the alert")
        #expect(setup.doubles.isEmpty, "the correction is a push of its own")

        // The same correction again, as after a change of buckets, and on another node.
        setup.node.notifier.correct(correction)
        await setup.node.notifier.bucketsChanged()
        await setup.leave()
        try await setup.start()
        setup.node.notifier.correct(correction)
        let result = setup.result(at: 12)
        setup.announce([result], revision: 12)
        try await eventually("the next alert is sent") { resultsOnly.all.count == 1 }
        try await eventually("it is recorded") { try await setup.unannounced(12) == 0 }
        #expect(alerted.allSatisfy { $0.all.count == 3 }, "two alerts and one correction")
        await setup.stop()
    }

    /// A follower received one of the moments of a revision; only that one is corrected.
    @Test func onlyTheMomentThatWasReceivedIsCorrected() async throws {
        let setup = try await NotifierSetup()
        let all = try await setup.phone(1)
        let milestones = try await setup.phone(2, alerts: [.milestone])
        let alerts = [setup.wicket(1, at: 7), setup.milestone(at: 7)]
        setup.announce(alerts, revision: 7)
        try await eventually("both are alerted") { all.all.count == 1 && milestones.all.count == 1 }
        try await eventually("it is recorded") { try await setup.unannounced(7) == 0 }
        setup.node.notifier.correct(Self.corrections(setup, of: alerts, wrong: [alerts[1]], at: 8))
        try await eventually("the milestone is corrected") { milestones.all.count == 2 }
        try await eventually("it is recorded") { try await setup.unannounced(8) == 0 }
        #expect(all.all.count == 1, "the wicket is right")
        await setup.stop()
    }

    /// A phone without the alert gets no correction: the alert waited when its moment was withdrawn.
    @Test func anAlertThatWasWithdrawnInTimeNeedsNoCorrection() async throws {
        let setup = try await NotifierSetup(bounds: (page: 1, underWay: 1))
        var phones: [PhoneLog] = []
        for number in 1...4 { phones.append(try await setup.phone(number)) }
        let arrivals = Mutex(0)
        await setup.apple.interfere { _ in
            arrivals.withLock { $0 += 1 }
            return .delay(.milliseconds(300))
        }
        let wicket = setup.wicket(1, at: 7)
        setup.announce([wicket], revision: 7)
        try await eventually("the first request arrives") { arrivals.withLock { $0 } == 1 }
        setup.node.notifier.withdrawMoments(of: Samples.match, except: [])
        setup.node.notifier.correct(Self.corrections(setup, of: [wicket], wrong: [wicket], at: 8))
        try await eventually("it is recorded") { try await setup.unannounced(8) == 0 }
        let counts = phones.map(\.all.count).sorted()
        #expect(counts == [0, 0, 0, 2], "\(counts): one phone has the alert and its correction")
        await setup.stop()
    }

    /// The successor of a killed node corrects where that node recorded its alerts.
    @Test func aTakeoverCorrectsWhatItsPredecessorAnnounced() async throws {
        let setup = try await NotifierSetup()
        let phone = try await setup.phone(1)
        let wicket = setup.wicket(1, at: 7)
        setup.announce([wicket], revision: 7)
        try await eventually("the alert is recorded") { try await setup.unannounced(7) == 0 }
        await setup.kill()
        try await setup.start()
        let correction = Self.corrections(setup, of: [wicket], wrong: [wicket], at: 9)
        setup.node.notifier.correct(correction)
        try await eventually("it is corrected") { phone.all.count == 2 }
        try await eventually("it is recorded") { try await setup.unannounced(9) == 0 }

        // An alert that no node recorded was perhaps never sent.
        let second = setup.wicket(2, at: 10)
        setup.node.notifier.correct(Self.corrections(setup, of: [second], wrong: [second], at: 11))
        // Old news stays in the app.
        let third = setup.wicket(3, at: 7)
        let old = Self.corrections(setup, of: [third], wrong: [third], at: 12, age: LiveActivityLimits.momentAge)
        setup.node.notifier.correct(old)
        setup.announce([setup.result(at: 13)], revision: 13)
        try await eventually("the next alert is sent") { phone.all.count == 3 }
        try await eventually("it is recorded") { try await setup.unannounced(13) == 0 }
        #expect(phone.all.count == 3)
        let remembered = await setup.node.notifier.newestCorrections.values.map(\.revision)
        #expect(!remembered.contains(12), "old news is not kept for buckets that are taken over")
        await setup.stop()
    }

    @Test func aCorrectionWaitsWhileTheNodeDoesNotTrustItsTerm() async throws {
        let setup = try await NotifierSetup()
        let phone = try await setup.phone(1)
        let wicket = setup.wicket(1, at: 7)
        setup.announce([wicket], revision: 7)
        try await eventually("the alert is recorded") { try await setup.unannounced(7) == 0 }
        let lease = setup.node.isAlive
        lease.trust(false)
        setup.node.notifier.correct(Self.corrections(setup, of: [wicket], wrong: [wicket], at: 9))
        try await eventually("it was tried without a term") { lease.refusals.withLock { $0 } > 0 }
        lease.trust(true)
        try await eventually("the correction is sent") { phone.all.count == 2 }
        try await eventually("it is recorded") { try await setup.unannounced(9) == 0 }
        await setup.stop()
    }

    /// From the reply of a feed to the phone: a wicket that its feed takes back.
    @Test func aWicketThatItsFeedTakesBackIsCorrected() async throws {
        let setup = try await PushSetup()
        let node = try await setup.node("a")
        try await node.ownership.claim()
        let running = Task { await node.push.notifier.run() }
        try await node.phone(1, abilities: [.alerts])
        let screen = setup.screen(1, .alert)
        _ = try await node.follow.devices.setToken(
            DeviceTokenRegistration(
                device: PushSetup.device(1),
                kind: .alert,
                token: PushSetup.token(1),
                environment: .sandbox,
                clientSequence: 2
            )
        )
        try await node.report(balls: 6)
        try await node.report(balls: 7, wicket: 6)
        try await node.report(balls: 8, wicket: 6)
        let wickets = { screen.all.filter { $0.collapseID?.hasPrefix("w:1:1/") == true } }
        try await eventually("the wicket is alerted") { wickets().count == 1 }
        try await node.report(balls: 9)
        try await eventually("it is corrected") { wickets().count == 2 }
        let body = try #require(screen.all.last).body
        let payload = try JSONDecoder().decode(NotificationPayload.self, from: Data(body))
        #expect(payload.aps.alert.title == "Correction" && payload.aps.interruptionLevel == "passive")
        // The samples have no ball that he faced.
        #expect(payload.aps.alert.body == "Taken back: Wicket. MI 9/0 after 1.3 overs")
        running.cancel()
        await running.value
        await setup.stop(node)
    }
}
