// APNs stores the newest push of each token for a phone without network, if its expiration allows that.

import ScoreClient
import ScoreTypes
import Testing

@testable import Simulators

@Suite struct UnreachablePhoneTests {
    @Test func theNewestPushOfATokenIsDeliveredLater() throws {
        var rig = ActivityUpdateTests.running()
        let token = try #require(rig.activityTokens.last)
        rig.run { $0.setNetwork(false, at: $1) }
        for revision in 2...4 {
            let body = PushBody.update(rev: Int64(revision), timestamp: rig.seconds + Int64(revision))
            rig.push(body, to: token, expiration: revision == 4 ? 0 : rig.seconds + 600)
        }
        #expect(rig.drawings == [1])
        rig.run { $0.setNetwork(true, at: $1) }
        #expect(rig.redelivered.count == 1)
        for (token, push) in rig.redelivered { rig.receive(push, for: token) }
        // Revision 4 had expiration 0: one attempt, nothing stored.
        #expect(rig.drawings == [3])
    }

    @Test(arguments: [(599, 1), (601, 0)]) func expirations(seconds: Int, delivered: Int) {
        var rig = ActivityUpdateTests.running()
        rig.run { $0.setNetwork(false, at: $1) }
        rig.push(
            PushBody.update(rev: 2, timestamp: rig.seconds),
            to: rig.activityTokens.last,
            expiration: rig.seconds + 600
        )
        rig.advance(.seconds(seconds))
        rig.run { $0.setNetwork(true, at: $1) }
        #expect(rig.redelivered.count == delivered)
    }

    @Test func aPushWithoutExpirationIsStored() {
        var rig = ActivityUpdateTests.running()
        rig.run { $0.setNetwork(false, at: $1) }
        rig.push(PushBody.update(rev: 2, timestamp: rig.seconds), to: rig.activityTokens.last, expiration: nil)
        rig.advance(.seconds(7_200))
        rig.run { $0.setNetwork(true, at: $1) }
        #expect(rig.redelivered.count == 1)
    }

    /// After a time without network the phone joins a channel again that sent something, and no other one.
    @Test func missedChannelsAreJoinedAgain() throws {
        var rig = PhoneStateRig()
        rig.openOnce()
        let (missed, quiet) = (try #require(ChannelID("bWlzc2Vk")), try #require(ChannelID("cXVpZXQ=")))
        rig.start(match: "m1", channel: missed.text)
        rig.start(match: "m2", channel: quiet.text)
        #expect(rig.joined == [missed, quiet])
        rig.run { $0.setNetwork(false, at: $1) }
        rig.broadcast(PushBody.update(rev: 2, timestamp: rig.seconds), on: missed)
        rig.run { $0.setNetwork(true, at: $1) }
        #expect(rig.joined == [missed, quiet, missed] && rig.drawings == [1, 1])
    }

    @Test(arguments: 1...10) func thePlanEndsTheOutage(seed: Int) {
        let faults = PhoneFaultPlan(.noNetwork, seed: UInt64(seed))
        var rig = ActivityUpdateTests.running(faults: faults, seed: UInt64(seed))
        rig.advance(.seconds(2 * 3_600))
        let changes = rig.state.journal.entries.compactMap { entry -> Bool? in
            if case .network(let isOnline) = entry.event { isOnline } else { nil }
        }
        print("seed \(seed): \(faults.incidents.map(\.delay))")
        #expect(changes == [false, true] && rig.signals.contains(.networkReturned))
    }
}
