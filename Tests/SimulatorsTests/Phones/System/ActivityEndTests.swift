// Ends: by push, by the person, by permissions and by the system's limits.

import ScoreClient
import ScoreTypes
import Testing

@testable import Simulators

@Suite struct ActivityEndTests {
    @Test func anEndIsAcceptedWhateverItsAge() {
        var rig = ActivityUpdateTests.running()
        let id = rig.state.activities[0].id
        rig.update(rev: 2, timestamp: rig.seconds)
        rig.end(rev: 3, timestamp: rig.seconds - 600)
        #expect(rig.phases == [.ended] && rig.drawings == [3])
        #expect(rig.events.last == .ended(activityID: id, isDismissed: false))
        rig.update(rev: 4, timestamp: rig.seconds + 1)
        #expect(rig.drawings == [3])
    }

    /// The real time for which the final card stays, by the dismissal date in seconds after the end; nil for none.
    @Test(arguments: [(nil, 4 * 3_600), (-1, 0), (600, 600), (8 * 3_600, 4 * 3_600)] as [(Int64?, Int64)])
    func finalCards(dismissal: Int64?, stays: Int64) {
        var rig = ActivityUpdateTests.running()
        rig.end(rev: 2, dismissal: dismissal.map { rig.seconds + $0 })
        if stays > 0 {
            rig.advance(.seconds(stays - 1))
            #expect(rig.phases == [.ended])
        }
        rig.advance(.seconds(1))
        #expect(rig.phases.isEmpty)
        // The app learned of the end once.
        #expect(rig.events.count { if case .ended = $0 { true } else { false } } == 1)
    }

    @Test func anActivityEndsAfterEightHoursAndIsGoneAfterTwelve() {
        var rig = ActivityUpdateTests.running()
        rig.advance(.seconds(8 * 3_600 - 11))
        #expect(rig.phases == [.stale])
        rig.advance(.seconds(1))
        #expect(rig.phases == [.ended])
        rig.advance(.seconds(4 * 3_600 - 1))
        #expect(rig.phases == [.ended])
        rig.advance(.seconds(1))
        #expect(rig.phases.isEmpty)
    }

    @Test func thePersonRemovesAnActivity() {
        var rig = ActivityUpdateTests.running()
        let id = rig.state.activities[0].id
        rig.run { $0.dismiss(id, at: $1) }
        #expect(rig.phases.isEmpty && rig.events.last == .ended(activityID: id, isDismissed: true))
    }

    @Test func removingAFinalCardIsNoDismissal() {
        var rig = ActivityUpdateTests.running()
        let id = rig.state.activities[0].id
        rig.end(rev: 2)
        rig.run { $0.dismiss(id, at: $1) }
        #expect(rig.events.last == .ended(activityID: id, isDismissed: false))
    }

    @Test func deadTokensAreRetiredForMostActivities() {
        var retired = 0
        for seed in 1...40 {
            var rig = ActivityUpdateTests.running(seed: UInt64(seed))
            rig.end(rev: 2)
            retired += rig.retired.count
        }
        print("seeds 1 to 40: \(retired) tokens answered 410, the others 200")
        #expect((20...36).contains(retired))
    }

    @Test func aChannelIsLeftWithItsLastActivity() throws {
        var rig = PhoneStateRig()
        rig.openOnce()
        let channel = try #require(ChannelID(StartByPushTests.channel))
        rig.start(match: "m1", channel: channel.text)
        rig.start(match: "m2", channel: channel.text)
        rig.run { $0.dismiss($0.activities[0].id, at: $1) }
        #expect(rig.left.isEmpty)
        rig.broadcast(PushBody.end(rev: 2, timestamp: rig.seconds), on: channel)
        #expect(rig.left == [channel] && rig.phases == [.ended])
    }

    @Test func switchingActivitiesOffEndsThem() {
        var rig = ActivityUpdateTests.running()
        let id = rig.state.activities[0].id
        rig.run { $0.allowActivities(false, at: $1) }
        #expect(rig.phases.isEmpty)
        #expect(
            rig.events.suffix(2) == [
                .ended(activityID: id, isDismissed: false), .allowed(liveActivities: false, frequentPushes: true),
            ]
        )
    }

    @Test func changingFrequentPushesEndsActivities() {
        var rig = ActivityUpdateTests.running()
        rig.run { $0.allowFrequentPushes(false, at: $1) }
        #expect(rig.phases.isEmpty && rig.events.last == .allowed(liveActivities: true, frequentPushes: false))
    }

    @Test func theAppRemovesAnActivityAtOnce() {
        var rig = ActivityUpdateTests.running()
        let id = rig.state.activities[0].id
        rig.run { $0.end(id, at: $1) }
        #expect(rig.phases.isEmpty)
    }
}
