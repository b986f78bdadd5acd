// Apple limits a connection at first and after bad tokens, and faults may come without a reason.

import HTTP2
import ScoreTypes
import Simulators
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1)))
struct ConnectionTrustTests {
    @Test func oneStreamIsAllowedBeforeAValidProviderToken() async throws {
        let rig = try await AppleRig()
        let (token, _) = try rig.phone(1)
        let right = rig.push(to: token, jwt: rig.jwt())
        let invalid = await rig.post.send(right.with("authorization", "bearer a.b.c"))
        #expect(invalid.streamLimit == 1)
        _ = await rig.post.send(right)
        #expect(await rig.post.send(right).streamLimit == 1000)
        let other = await rig.anotherConnection()
        #expect(await other.send(right.with("authorization", nil)).streamLimit == 1)
        await rig.stop()
    }

    @Test func badTokensLimitTheConnectionForAWhile() async throws {
        let rig = try await AppleRig { $0.rejectionsBeforePenalty = 3 }
        let (token, _) = try rig.phone(1)
        let right = rig.push(to: token, jwt: rig.jwt())
        let bad = right.path("/3/device/00")
        _ = await rig.post.send(right)
        for _ in 0..<2 { #expect(await rig.post.send(bad).streamLimit == 1000) }
        // The penalty may reach the client before the answer that caused it.
        _ = await rig.post.send(bad)
        #expect(await rig.post.send(bad).streamLimit == 1)
        _ = await rig.post.send(right)
        #expect(await rig.post.send(right).streamLimit == 1000)
        await rig.stop()
    }

    @Test func scriptedFaultsAreApplied() async throws {
        let rig = try await AppleRig()
        let (token, inbox) = try rig.phone(1)
        let right = rig.push(to: token, jwt: rig.jwt())
        await rig.simulator.interfere { arrival in
            switch arrival.number {
            case 1: .answer(status: 503, reason: "ServiceUnavailable")
            case 2: .refuse
            case 3: .limitStreams(5)
            case 5: .goAway
            default: nil
            }
        }
        let unavailable = await rig.post.send(right)
        #expect(unavailable.status == 503)
        #expect(unavailable.reason == "ServiceUnavailable")
        #expect(await rig.post.send(right).failure == .refused)
        _ = await rig.post.send(right)
        #expect(await rig.post.send(right).status == 200)
        #expect(await rig.post.send(right).failure == .refused)
        #expect(inbox.all.count == 2)
        let other = await rig.anotherConnection()
        await rig.simulator.interfere { _ in .cut }
        #expect(await other.send(right).failure == .ambiguous)
        await rig.simulator.interfere(nil)
        #expect(await rig.anotherConnection().send(right).status == 200)
        await rig.stop()
    }

    @Test func anAcceptedPushMayLoseItsAnswer() async throws {
        let rig = try await AppleRig()
        let (token, inbox) = try rig.phone(1)
        let right = rig.push(to: token, jwt: rig.jwt())
        await rig.simulator.interfere { $0.number == 1 ? .cutAfter : nil }
        #expect(await rig.post.send(right).failure == .ambiguous)
        try await eventually("it is delivered") { inbox.all.count == 1 }
        #expect(rig.simulator.statistics.accepted == 1)
        let other = await rig.anotherConnection()
        await rig.simulator.interfere { $0.priority == 10 ? .silenceAfter : nil }
        async let lost = other.send(right.with("apns-priority", "10"))
        #expect(await other.send(right).status == 200)
        try await eventually("both are delivered") { inbox.all.count == 3 }
        await rig.simulator.stop()
        #expect(await lost.failure == .ambiguous)
        await rig.stop()
    }

    @Test func statisticsHaveTheTimesOfTheFirstRequestAndTheLastAcceptedPush() async throws {
        let rig = try await AppleRig()
        let (token, _) = try rig.phone(1)
        let right = rig.push(to: token, jwt: rig.jwt())
        #expect(rig.simulator.statistics.firstRequestAt == nil)
        _ = await rig.post.send(right.with("apns-topic", nil))
        rig.time.advance(by: .seconds(2))
        _ = await rig.post.send(right)
        rig.time.advance(by: .seconds(2))
        _ = await rig.post.send(right.with("apns-topic", nil))
        let statistics = rig.simulator.statistics
        #expect(statistics.firstRequestAt == Instant(milliseconds: AppleRig.now * 1000))
        #expect(statistics.lastAcceptedAt == Instant(milliseconds: AppleRig.now * 1000 + 2000))
        await rig.stop()
    }

    @Test func countsAreByRevisionAndTheJournalHasNoTokens() async throws {
        let rig = try await AppleRig()
        let (token, _) = try rig.phone(1)
        let right = rig.push(to: token, jwt: rig.jwt())
        let first = rig.simulator.statistics
        #expect(first.accepted == 0)
        for revision in 1...3 {
            _ = await rig.post.send(right.body(AppleRig.update(revision: revision)).with("apns-priority", "10"))
            rig.time.advance(by: .seconds(5))
            _ = await rig.post.send(right.body(AppleRig.update(revision: revision)))
        }
        _ = await rig.post.send(right.with("apns-topic", nil))
        let statistics = rig.simulator.statistics
        #expect(statistics.accepted == 6)
        #expect(statistics.acceptedAtHighPriority == 3)
        #expect(statistics.events == ["update": 6])
        #expect(statistics.refused == ["MissingTopic": 1])
        #expect(statistics.revisions.keys.sorted() == [1, 2, 3])
        let second = try #require(statistics.revisions[2])
        #expect(second.last - second.first == .seconds(5))
        let journal = rig.simulator.journal(last: 3)
        #expect(journal.map(\.status) == [200, 200, 400])
        #expect(journal.map(\.revision) == [3, 3, nil])
        #expect(journal.map(\.id) == [AppleRig.id, AppleRig.id, AppleRig.id])
        #expect(journal[0].recipient != nil)
        #expect(!"\(journal)".contains(token.hexForPath))
        await rig.stop()
    }
}
