// A record that cannot be read or written now is kept: nothing replaces it, and what happens meanwhile is added to it.

import Foundation
import Testing

@testable import ScoreClient

@Suite(.timeLimit(.minutes(1))) struct RecordTests {
    private static let follow = "/v1/devices/me/follows/m1"

    /// An app that ended with an unfollow that the server has not confirmed.
    private static func previous() async throws -> LiveRig {
        let rig = LiveRig()
        let running = try await rig.register()
        await rig.client.follow("m1")
        try await rig.next(.put, follow).answer(200, #"{"matchId":"m1"}"#)
        for await notice in rig.client.notices where notice == .followsChanged { break }
        await rig.client.unfollow("m1")
        _ = try await rig.next(.delete, follow)
        running.cancel()
        await running.value
        return rig
    }

    @Test func aRecordThatIsProtectedAtTheStartIsReadAtTheForeground() async throws {
        let first = try await Self.previous()
        let stored = first.record.with { $0 }
        let rig = LiveRig(after: first, isLocked: true)
        let running = Task { await rig.client.run() }
        defer { running.cancel() }
        await rig.client.describe(ClientRig.device)
        await rig.client.follow("m2")
        #expect(await !rig.client.receiveBackgroundPush())
        #expect(rig.transport.isIdle)
        #expect(rig.record.with { $0 } == stored)
        rig.isRecordLocked.with { $0 = false }
        await rig.client.enterForeground()
        try await rig.next(.delete, Self.follow).answer(204, "")
        try await rig.next(.put, "/v1/devices/me/follows/m2").answer(200, #"{"matchId":"m2"}"#)
        for await notice in rig.client.notices where notice == .followsChanged { break }
        #expect(rig.stored.follows.keys.sorted() == ["m2"])
    }

    @Test func aRecordThatCouldNotBeWrittenIsWrittenAtTheNextEvent() async throws {
        let rig = LiveRig()
        let running = try await rig.register()
        defer { running.cancel() }
        rig.isRecordLocked.with { $0 = true }
        await rig.client.follow("m1")
        #expect(rig.stored.follows.isEmpty)
        await rig.client.networkReturned()
        rig.isRecordLocked.with { $0 = false }
        await rig.client.networkReturned()
        #expect(rig.stored.follows.keys.contains("m1"))
    }

    @Test func eventsBeforeTheRecordWaitInOrderAndWithinTheirLimit() {
        var rig = ClientRig(seed: 1)
        var stored = ClientRecord()
        stored.follows["old"] = FollowedMatch(FollowChoices())
        rig.state = ClientState(record: nil)
        rig.launch()
        for number in 0..<(ClientLimits.eventsBeforeRecord - 1) {
            rig.feed(.followed(match: "m\(number % 3)", FollowChoices()))
        }
        rig.feed(.unfollowed(match: "m1"))
        #expect(!rig.state.isSettled && rig.flight == nil && rig.stored == ClientRecord())
        rig.feed(.recordRead(stored))
        #expect(rig.state.record.follows.keys.sorted() == ["m0", "m2", "old"])
        // The oldest events are dropped; the next start of the app repeats them.
        #expect(rig.state.record.description == nil)
        rig.feed(.described(ClientRig.device))
        rig.settleOrFail()
        #expect(rig.server.follows["m0"]?.body != nil && rig.server.follows["m1"]?.body == nil)
    }

    @Test func anErasureOfTheStoredRecordGoesOn() {
        var rig = ClientRig(seed: 2)
        rig.launch()
        rig.settleOrFail()
        rig.feed(.erased)
        let stored = rig.stored
        rig.flight = nil
        rig.state = ClientState(record: nil)
        rig.launch()
        rig.feed(.recordRead(stored))
        while rig.flight != nil { rig.deliver() }
        #expect(rig.notices.contains(.erased))
        #expect(rig.sent.last { $0.method == .delete }?.path == "/v1/devices/me")
    }
}
