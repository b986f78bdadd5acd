// Tokens of the device: when an unchanged one is sent again.

import Foundation
import Testing

@testable import ScoreClient

@Suite struct TokenTests {
    private static let path = "/v1/devices/me/push-tokens/alert"

    private static func rig() -> ClientRig {
        var rig = ClientRig(seed: 1)
        rig.launch()
        rig.settleOrFail()
        return rig
    }

    /// The requests about the token that follow an event.
    private static func puts(_ rig: inout ClientRig, after event: ClientEvent = .token(.alert, "abcd")) -> Int {
        _ = rig.takeSent()
        rig.feed(event)
        rig.settleOrFail()
        return rig.takeSent().count { $0.path == path && $0.method == .put }
    }

    /// A new start of the app.
    private static func restart(_ rig: inout ClientRig) {
        rig.crash()
        rig.settleOrFail()
    }

    @Test func aRefusedTokenIsSentAgainAtTheNextStart() {
        var rig = Self.rig()
        rig.feed(.token(.alert, "abcd"))
        rig.answer(ClientResponse(status: 422))
        #expect(Self.puts(&rig) == 0, "the same run of the app")
        Self.restart(&rig)
        #expect(Self.puts(&rig) == 1)
        Self.restart(&rig)
        #expect(Self.puts(&rig) == 0, "it is confirmed")
    }

    @Test func aConfirmedTokenIsSentOnceADay() {
        var rig = Self.rig()
        #expect(Self.puts(&rig) == 1)
        Self.restart(&rig)
        #expect(Self.puts(&rig) == 0, "the same day")
        rig.pass(.milliseconds(86_400_000 + 1))
        #expect(Self.puts(&rig) == 0, "the same run of the app")
        Self.restart(&rig)
        #expect(Self.puts(&rig) == 1)
        #expect(Self.puts(&rig) == 0)
        Self.restart(&rig)
        #expect(Self.puts(&rig) == 0)
    }

    @Test func aTokenThatTheRemoteSettingsHoldBackIsNoWork() {
        var rig = Self.rig()
        rig.state.record.settings.pushToStartEnabled = false
        rig.feed(.token(.pushToStart, "abcd"))
        #expect(rig.flight == nil && rig.state.isSettled)
        #expect(rig.state.record.queue.changes.map(\.operation) == [.setToken(.pushToStart, "abcd")])
        rig.feed(.token(.alert, "cdef"))
        #expect(!rig.state.isSettled, "this one is sent")
        rig.settleOrFail()
        rig.state.record.settings.pushToStartEnabled = true
        rig.feed(.timer)
        #expect(!rig.state.isSettled && rig.flight?.request.path == "/v1/devices/me/push-tokens/pushToStart")
    }

    @Test func aTokenThatWaitsIsNotAddedASecondTime() {
        var rig = Self.rig()
        #expect(Self.puts(&rig) == 1)
        rig.pass(.milliseconds(86_400_000 + 1))
        for _ in 0..<2 {
            rig.crash()
            rig.feed(.token(.alert, "abcd"))
        }
        let waiting = rig.state.record.queue.changes
        rig.crash()
        rig.feed(.token(.alert, "abcd"))
        #expect(rig.state.record.queue.changes == waiting && waiting.count == 1)
    }

    @Test func aClockThatWasSetBackDelaysNoToken() {
        var rig = Self.rig()
        #expect(Self.puts(&rig) == 1)
        rig.now.wall -= 30 * 86_400_000
        Self.restart(&rig)
        #expect(Self.puts(&rig) == 1)
    }

    @Test func aRecordOfAnOlderVersionIsReadAndItsTokenSentOnce() throws {
        var rig = Self.rig()
        #expect(Self.puts(&rig) == 1)
        let data = try #require(rig.stored.encoded)
        var members = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
        members["tokensConfirmedAt"] = nil
        let older = ClientRecord(reading: try JSONSerialization.data(withJSONObject: members))
        #expect(older.description != nil)
        rig.stored = older
        Self.restart(&rig)
        #expect(Self.puts(&rig) == 1)
        Self.restart(&rig)
        #expect(Self.puts(&rig) == 0)
    }
}
