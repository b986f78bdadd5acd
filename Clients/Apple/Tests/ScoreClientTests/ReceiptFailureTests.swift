// Receipts are advisory: a server that does not take them delays nothing else.

import Foundation
import Testing

@testable import ScoreClient

@Suite struct ReceiptFailureTests {
    private static func rig() -> ClientRig {
        var rig = ClientRig(seed: 1)
        rig.activities = [ObservedActivity(id: "x", matchID: "m", token: "ab", revision: 1)]
        rig.server.store("m", sequence: 1, changedAt: 0)
        rig.launch()
        rig.settleOrFail()
        rig.pass(.milliseconds(ClientLimits.telemetrySpacing))
        rig.settleOrFail()
        _ = rig.takeSent()
        return rig
    }

    /// Answers ten requests with receipts with a status, and all others as the server does.
    private static func refuse(_ rig: inout ClientRig, _ response: ClientResponse) {
        var failures = 0
        for _ in 0..<100 where failures < 10 {
            if rig.flight?.request.path.hasSuffix("/telemetry") == true {
                rig.answer(response)
                failures += 1
            } else if rig.flight != nil {
                rig.deliver()
            } else {
                rig.pass(.seconds(5))
            }
        }
    }

    @Test(arguments: [500, 501, 503]) func aFinalReceiptThatFailsDelaysNoChange(status: Int) {
        var rig = Self.rig()
        rig.feed(.activity(.shows(activityID: "x", revision: 9)))
        rig.activities = []
        rig.feed(.activity(.ended(activityID: "x", isDismissed: false)))
        rig.feed(.followed(match: "b", FollowChoices()))
        Self.refuse(&rig, ClientResponse(status: status))
        let paths = rig.takeSent().map(\.path)
        #expect(paths.contains("/v1/devices/me/activities/x"), "the end is reported")
        #expect(rig.server.follows["b"]?.body != nil)
        #expect(rig.state.record.receipts.isEmpty)
    }

    @Test func aFinalReceiptThatIsLimitedIsRepeatedBeforeTheEnd() {
        var rig = Self.rig()
        rig.feed(.activity(.shows(activityID: "x", revision: 9)))
        rig.activities = []
        rig.feed(.activity(.ended(activityID: "x", isDismissed: false)))
        rig.answer(ClientResponse(status: 429, headers: ["retry-after": "5"]))
        rig.pass(.seconds(6))
        rig.settleOrFail()
        let paths = rig.takeSent().map(\.path)
        let receipts = "/v1/devices/me/telemetry"
        #expect(paths == [receipts, receipts, "/v1/devices/me/activities/x"])
    }

    @Test func receiptsThatFailDelayNoRead() {
        var rig = Self.rig()
        rig.feed(.activity(.shows(activityID: "x", revision: 9)))
        #expect(rig.flight?.request.path.hasSuffix("/telemetry") == true)
        rig.feed(.enteredForeground)
        Self.refuse(&rig, ClientResponse(status: 503))
        #expect(rig.sent.contains { $0.path == "/v1/devices/me/follows" })
        rig.pass(ClientLimits.longestWait * 2)
        rig.settleOrFail()
        #expect(rig.state.record.receipts.isEmpty, "the receipt is repeated while the activity runs")
    }
}
