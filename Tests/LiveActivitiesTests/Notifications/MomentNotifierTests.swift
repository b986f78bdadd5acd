// Notifications from the store of followers through the real dispatcher to a simulated APNs.

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

@Suite(.timeLimit(.minutes(2))) struct MomentNotifierTests {
    @Test func aWicketNotifiesDevicesWithoutAnActivityOnly() async throws {
        let setup = try await NotifierSetup()
        let plain = try await setup.phone(1)
        let resultsOnly = try await setup.phone(2, alerts: [.result])
        let otherSide = try await setup.phone(3, intent: .second)
        let withActivity = try await setup.phone(4)
        try await setup.activity(4)
        // An hour on both sides of now, in Kolkata.
        let minute = Int16((ServiceClock().wall.seconds + 19_800) / 60 % 1_440)
        let quiet = try await setup.phone(
            5,
            profile: DeviceProfile(timeZone: "Asia/Kolkata"),
            quietHours: QuietHours(from: (minute + 1_380) % 1_440, until: (minute + 60) % 1_440)
        )

        setup.announce([setup.wicket(1, at: 7)], revision: 7)
        try await eventually("both are notified") { plain.all.count == 1 && quiet.all.count == 1 }
        let aps = try #require(plain.aps.first)
        #expect(aps["thread-id"] as? String == "match-ipl-final")
        #expect(aps["interruption-level"] as? String == "time-sensitive")
        #expect(aps["category"] as? String == "surface-update")
        #expect(aps["sound"] as? String == "default")
        let received = try #require(plain.all.first)
        let payload = try JSONDecoder().decode(NotificationPayload.self, from: Data(received.body))
        #expect(payload.aps.alert.title == "Wicket! Sharma out")
        #expect(payload.aps.alert.subtitle == "MI 12/0 (2) v CSK")
        #expect(payload.aps.alert.body == "MI 87/6")
        #expect(payload.aps.targetContentId == "match-ipl-final" && payload.aps.relevanceScore == 0.9)
        #expect(payload.liveSurface.snapshotId == "match-ipl-final@7")
        #expect(payload.liveSurface.deepLink == "score://match/ipl-final")
        #expect(payload.schemaVersion == payload.liveSurface.schemaVersion)
        let rendered = try setup.rendered(setup.wicket(1, at: 7).moment, revision: 7)
        #expect(rendered == received.body, "the snapshot's payload is what is sent")
        // iOS plays no sound for a passive notification, whatever the payload names.
        #expect(quiet.aps.first?["interruption-level"] as? String == "passive")
        #expect(quiet.all.first?.priority == 5 && plain.all.first?.priority == 10)

        setup.announce([setup.result(at: 8)], revision: 8)
        try await eventually("the result is sent") {
            resultsOnly.all.count == 1 && otherSide.all.count == 1 && plain.all.count == 2
        }
        #expect(withActivity.all.isEmpty, "an activity receives its own alerts")
        await setup.stop()
    }

    /// The last of several wickets has the words for all of them.
    @Test func severalWicketsOfOneRevisionAreOneNotification() async throws {
        let setup = try await NotifierSetup()
        let phone = try await setup.phone(1)
        let several = [
            setup.wicket(1, at: 7), setup.milestone(at: 7), setup.wicket(2, at: 7, title: "2 wickets!"),
        ]
        setup.announce(several, revision: 7)
        try await eventually("the phone is notified") { phone.all.count == 1 }
        let received = try #require(phone.all.first)
        let payload = try JSONDecoder().decode(NotificationPayload.self, from: Data(received.body))
        #expect(payload.aps.alert.title == "2 wickets!")
        await setup.stop()
    }

    @Test func anAppWithTheTableReceivesKeys() async throws {
        let setup = try await NotifierSetup()
        let plain = try await setup.phone(1, profile: DeviceProfile(stringsVersion: 0))
        let keyed = try await setup.phone(2, profile: DeviceProfile(stringsVersion: Int64(NotificationKey.version)))
        let newer = try await setup.phone(3, profile: DeviceProfile(stringsVersion: Int64(NotificationKey.version) + 1))
        setup.announce([setup.keyedWicket(at: 7)], revision: 7)
        try await eventually("all are notified") { [plain, keyed, newer].allSatisfy { $0.all.count == 1 } }
        let alerts = try [plain, keyed, newer].map { phone in
            let received = try #require(phone.all.first)
            #expect(received.body.count < PushLimits.payloadBytes)
            return try JSONDecoder().decode(NotificationPayload.self, from: Data(received.body)).aps.alert
        }
        #expect(alerts[0] == .init(title: "Wicket!", subtitle: "MI 12/0 (2) v CSK", body: "R Sharma b Bumrah 45(32)"))
        #expect(
            alerts[1]
                == .init(
                    title: NotificationText(.wicket),
                    subtitle: NotificationText(.scoreWithOvers, "MI", "12/0", "2", "CSK"),
                    body: NotificationText(.out, "R Sharma", "b Bumrah", "45", "32")
                )
        )
        #expect(alerts[2] == alerts[1], "an app with more keys has these")
        #expect(alerts[1].formatted { NotificationKey(name: $0)?.english } == alerts[0])
        let members = try #require(keyed.aps.first?["alert"] as? [String: Any])
        #expect(members["title-loc-key"] as? String == "score.wicket" && members["title"] == nil)
        #expect(members["loc-args"] as? [String] == ["R Sharma", "b Bumrah", "45", "32"])
        await setup.stop()
    }

    @Test func oldMomentsAreNotSentAndDeadTokensAreRemoved() async throws {
        let setup = try await NotifierSetup()
        let phone = try await setup.phone(1)
        let gone = try await setup.phone(2)
        setup.announce([setup.wicket(1, at: 7, age: .seconds(61))], revision: 7)
        setup.apple.unregister(token: NotifierSetup.token(2), at: ServiceClock().wall)
        setup.announce([setup.milestone(at: 8), setup.wicket(2, at: 8)], revision: 8)
        try await eventually("the dead token is dropped") {
            try await setup.stores.devices.find(NotifierSetup.device(2))?.alertToken == nil
        }
        try await eventually("the other one has it") { !phone.all.isEmpty }
        #expect(phone.all.count == 1, "two moments of one ball are one notification")
        #expect((phone.aps.first?["alert"] as? [String: Any])?["title"] as? String == "Wicket! Sharma out")
        #expect(gone.all.isEmpty)
        await setup.stop()
    }

    /// An announcement has the whole match, and most matches of a day are over.
    @Test func aMatchIsNotRememberedForLongerThanItsMomentsAreNews() async throws {
        let setup = try await NotifierSetup()
        let phone = try await setup.phone(1)
        let old = setup.wicket(1, at: 7, age: LiveActivityLimits.momentAge)
        setup.announce([old], of: MatchID(unchecked: "other"), revision: 7)
        setup.announce([setup.wicket(1, at: 7)], revision: 7)
        try await eventually("the second one is sent") { phone.all.count == 1 }
        let remembered = await setup.node.notifier.newest.keys.sorted()
        #expect(remembered == [Samples.match])
        await setup.stop()
    }

    @Test func aPageIsRecordedWhenAnsweredAndTheNextOneWaits() async throws {
        let setup = try await NotifierSetup(bounds: (page: 2, underWay: 2))
        let arrivals = Mutex<[ContinuousClock.Instant]>([])
        await setup.apple.interfere { _ in
            arrivals.withLock { $0.append(.now) }
            return .delay(.seconds(4))
        }
        var phones: [PhoneLog] = []
        for number in 1...6 { phones.append(try await setup.phone(number)) }
        setup.announce([setup.wicket(1, at: 7)], revision: 7)
        try await eventually("the first page has arrived") { arrivals.withLock { $0.count } >= 2 }
        #expect(try await setup.unannounced(7) > 0, "and was not answered")
        try await eventually("all are notified") { phones.allSatisfy { $0.all.count == 1 } }
        try await eventually("all is recorded") { try await setup.unannounced(7) == 0 }
        let times = arrivals.withLock { $0 }
        #expect(times.count == 6)
        #expect(
            times[2] - times[0] >= .milliseconds(3_900),
            "the second page has waited for the answers to the first one"
        )
        await setup.stop()
    }

    @Test func aRangeOfBucketsWithoutAnAnswerDelaysNoOther() async throws {
        let setup = try await NotifierSetup()
        let phones = [1, 4].map { (number: $0, bucket: Bucket(of: NotifierSetup.device($0))) }
            .sorted { $0.bucket < $1.bucket }
        let lower = try await setup.phone(phones[0].number)
        let upper = try await setup.phone(phones[1].number)
        let between = try #require(Bucket.all.first { phones[0].bucket < $0 && $0 < phones[1].bucket })
        try await setup.recordAnnounced(7, in: between)
        #expect(try await setup.unannounced(7) == Bucket.count - 1, "two ranges are left")
        let refused = NotifierSetup.token(phones[0].number).bytes
        // The request is repeated for 30 s and then given up: a range that waited for it would come too late.
        await setup.apple.interfere { arrival in
            arrival.recipient == refused && upper.all.isEmpty
                ? .answer(status: 503, reason: "ServiceUnavailable") : nil
        }
        setup.announce([setup.wicket(1, at: 7)], revision: 7)
        try await eventually("both are notified") { upper.all.count == 1 && lower.all.count == 1 }
        try await eventually("all is recorded") { try await setup.unannounced(7) == 0 }
        await setup.stop()
    }

    /// A renewal that takes long: the node continues in the same term, so that no change of buckets repeats the moment.
    @Test func aMomentWaitsWhileTheNodeDoesNotTrustItsTerm() async throws {
        let setup = try await NotifierSetup()
        let phone = try await setup.phone(1)
        let lease = setup.node.isAlive
        lease.trust(false)
        setup.announce([setup.wicket(1, at: 7)], revision: 7)
        try await eventually("it was tried without a term") { lease.refusals.withLock { $0 } > 0 }
        lease.trust(true)
        try await eventually("the phone is notified") { phone.all.count == 1 }
        try await eventually("it is recorded") { try await setup.unannounced(7) == 0 }
        await setup.stop()
    }

    @Test(
        "a notification whose answer is lost is replaced by the same texts without an alert",
        arguments: [true, false]
    )
    func aNotificationWithoutAnAnswerIsReplaced(isProcessed: Bool) async throws {
        let setup = try await NotifierSetup()
        let phone = try await setup.phone(1)
        await setup.apple.interfere { $0.number == 1 ? (isProcessed ? .cutAfter : .cut) : nil }
        setup.announce([setup.wicket(1, at: 7)], revision: 7)
        try await eventually("all is recorded") { try await setup.unannounced(7) == 0 }
        #expect(phone.all.map(\.hasAlert) == (isProcessed ? [true, false] : [false]))
        #expect(Set(phone.all.map(\.collapseID)) == ["w:1:1/\(Samples.match)"])
        let last = try #require(phone.all.last)
        let payload = try JSONDecoder().decode(NotificationPayload.self, from: Data(last.body))
        #expect(payload.aps.interruptionLevel == "passive" && last.priority == 5)
        #expect(payload.aps.alert.title == "Wicket! Sharma out" && payload.aps.alert.subtitle == "MI 12/0 (2) v CSK")
        #expect(payload.liveSurface.snapshotId == "match-ipl-final@7" && payload.liveSurface.state == .attention)
        if isProcessed {
            let first = try JSONDecoder().decode(NotificationPayload.self, from: Data(phone.all[0].body))
            #expect(first.passive == payload && first.aps.interruptionLevel == "time-sensitive")
        }
        await setup.stop()
    }

    @Test("a notification without an answer is not repeated once its moment is withdrawn", arguments: [true, false])
    func aWithdrawnMomentIsNotRepeated(isWithdrawn: Bool) async throws {
        let setup = try await NotifierSetup()
        let phone = try await setup.phone(1)
        let isOpen = Mutex(false)
        await setup.apple.interfere { arrival in
            guard arrival.number == 1 else { return nil }
            isOpen.withLock { $0 = true }
            return .cut
        }
        let wicket = setup.wicket(1, at: 7)
        setup.announce([wicket], revision: 7)
        try await eventually("APNs cuts the first request") { isOpen.withLock { $0 } }
        setup.node.notifier.withdrawMoments(of: Samples.match, except: isWithdrawn ? [] : [wicket.moment])
        try await eventually("all is recorded") { try await setup.unannounced(7) == 0 }
        #expect(phone.all.count == (isWithdrawn ? 0 : 1))
        await setup.stop()
    }

    @Test func aMomentThatIsWithdrawnWhileItWaitsIsNotSent() async throws {
        let setup = try await NotifierSetup(bounds: (page: 1, underWay: 1))
        let phones = [try await setup.phone(1), try await setup.phone(2), try await setup.phone(3)]
        await setup.apple.interfere { _ in .delay(.milliseconds(300)) }
        setup.announce([setup.wicket(1, at: 7), setup.result(at: 7)], revision: 7)
        try await eventually("the first phone has the result") { phones.contains { !$0.all.isEmpty } }
        setup.node.notifier.withdrawMoments(of: Samples.match, except: [setup.wicket(1, at: 7).moment])
        try await eventually("all is recorded") { try await setup.unannounced(7) == 0 }
        let titles = phones.flatMap(\.aps).compactMap { ($0["alert"] as? [String: Any])?["title"] as? String }
        #expect(titles.count == 3)
        #expect(Set(titles) == ["MI won", "Wicket! Sharma out"], "the moment that still holds is sent instead")
        await setup.stop()
    }

    @Test("H2: a crash before the answer leaves the buckets to the successor")
    func aCrashBeforeTheAnswerLeavesTheBucketsToTheSuccessor() async throws {
        let setup = try await NotifierSetup()
        let phone = try await setup.phone(1)
        let hasArrived = Mutex(false)
        await setup.apple.interfere { _ in
            hasArrived.withLock { $0 = true }
            return .silence
        }
        setup.announce([setup.wicket(1, at: 7)], revision: 7)
        try await eventually("Apple has it") { hasArrived.withLock { $0 } }
        #expect(await setup.node.dispatcher.noticesUnderWay == 1)
        try await eventually("all buckets but its own are recorded") { try await setup.unannounced(7) == 1 }
        await setup.kill()
        await setup.apple.interfere(nil)
        try await setup.start()
        #expect(try await setup.unannounced(7) == 1)
        #expect(phone.all.isEmpty)
        setup.announce([setup.wicket(1, at: 7)], revision: 9)
        try await eventually("the successor sends it") { phone.all.count == 1 }
        await setup.stop()
    }
}
