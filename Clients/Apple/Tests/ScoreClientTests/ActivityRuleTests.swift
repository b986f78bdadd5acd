// The rules of activities: addresses, reconcile reports, receipts, ends and dismissals.

import Foundation
import LiveSurface
import Testing

@testable import ScoreClient

@Suite struct ActivityRuleTests {
    private static func rig(_ activities: [ObservedActivity] = []) -> ClientRig {
        var rig = ClientRig(seed: 1)
        rig.activities = activities
        rig.server.store("m", sequence: 1, changedAt: 0)
        rig.launch()
        rig.settleOrFail()
        return rig
    }

    private static func text(_ request: ClientRequest?) -> String {
        String(decoding: request?.body ?? Data(), as: UTF8.self)
    }

    private static func request(_ requests: [ClientRequest], _ end: String) -> ClientRequest? {
        requests.last { $0.path.hasSuffix(end) }
    }

    @Test func anActivityWithoutATokenIsOnTheChannelUntilItsTokenComes() {
        var rig = Self.rig()
        rig.server.channel = "c1"
        rig.feed(.followed(match: "m", FollowChoices(moments: [.result])))
        rig.settleOrFail()
        _ = rig.takeSent()
        rig.feed(.activity(.started(ObservedActivity(id: "x", matchID: "m", isStartedByPush: true))))
        rig.settleOrFail()
        let sent = rig.takeSent()
        #expect(Self.text(Self.request(sent, "/x")).contains(#""channelId":"c1""#))
        rig.feed(.activity(.token(activityID: "x", "ab")))
        rig.settleOrFail()
        let report = Self.text(Self.request(rig.takeSent(), "/x"))
        #expect(report.contains(#""token":"ab""#) && !report.contains("channelId"))
        rig.feed(.activity(.token(activityID: "x", "ab")))
        let later = rig.takeSent()
        #expect(later.isEmpty)
    }

    @Test func aChannelThatIsNamedLaterIsReported() {
        var rig = Self.rig()
        rig.feed(.activity(.started(ObservedActivity(id: "x", matchID: "m", isStartedByPush: true))))
        rig.settleOrFail()
        let sent = rig.takeSent()
        #expect(Self.request(sent, "/x") == nil)
        rig.server.channel = "c1"
        rig.activities = [ObservedActivity(id: "x", matchID: "m", isStartedByPush: true)]
        rig.feed(.enteredForeground)
        rig.settleOrFail()
        let later = rig.takeSent()
        #expect(Self.text(Self.request(later, "/x")).contains(#""channelId":"c1""#))
    }

    @Test func aReconcileAnswerEndsReportsAndDraws() {
        let running = ["end", "token", "old", "new"].map { id in
            ObservedActivity(id: id, matchID: "m-\(id)", token: "ab", revision: 5)
        }
        var rig = Self.rig(running)
        let updates = [("old", 5), ("new", 6), ("other", 9)].map { id, rev in
            let dates = #""staleDate":1795001800,"timestamp":1795000000"#
            return #"{"activityId":"\#(id)",\#(dates),"contentState":\#(SampleMatch.json(Int64(rev)))}"#
        }
        rig.server.reconcileAnswer =
            #"{"end":["end"],"unknownTokens":["token"],"updates":[\#(updates.joined(separator: ","))]}"#
        _ = rig.takeSent()
        rig.feed(.enteredForeground)
        rig.settleOrFail()
        let sent = rig.takeSent()
        let report = Self.text(Self.request(sent, "/reconcile"))
        #expect(report.contains(#""activityId":"new","lastAppliedRev":5,"matchId":"m-new","state":"active""#))
        #expect(report.contains(#""tokenFingerprint":"\#(TokenFingerprint.text(of: "ab") ?? "")""#))
        #expect(Self.request(sent, "/activities/token")?.method == .put)
        #expect(Self.request(sent, "/activities/end") == nil)
        let new = SampleMatch.display(6)
        #expect(
            rig.hostActions == [
                .endActivity(id: "end"),
                .updateActivity(id: "new", new, staleAt: 1_795_001_800_000, timestamp: 1_795_000_000),
            ]
        )
    }

    @Test func aReceiptOutlivesTheEndThatAReconcileAnswerNames() {
        var rig = Self.rig([ObservedActivity(id: "x", matchID: "m", token: "ab", revision: 5)])
        rig.server.reconcileAnswer = #"{"end":["x"]}"#
        _ = rig.takeSent()
        rig.feed(.enteredForeground)
        #expect(rig.flight?.request.path == "/v1/devices/me/reconcile")
        rig.feed(.activity(.shows(activityID: "x", revision: 6)))
        rig.settleOrFail()
        rig.pass(.milliseconds(ClientLimits.telemetrySpacing))
        rig.settleOrFail()
        let receipts = Self.text(Self.request(rig.takeSent(), "/telemetry"))
        #expect(receipts.contains(#""activityId":"x""#) && receipts.contains(#""rev":6"#), "\(receipts)")
    }

    @Test func aTokenThatAnotherDeviceHasRegisteredIsSentAgain() {
        var rig = Self.rig([])
        rig.feed(.token(.alert, "abcd"))
        rig.settleOrFail()
        rig.server.reconcileAnswer = #"{"movedTokens":["alert","pushToStart","hologram"]}"#
        _ = rig.takeSent()
        rig.feed(.enteredForeground)
        rig.settleOrFail()
        let sent = rig.takeSent()
        #expect(Self.request(sent, "/push-tokens/alert")?.method == .put)
        #expect(Self.request(sent, "/push-tokens/pushToStart") == nil, "this phone has none")
    }

    @Test func aFailedReportIsMadeAgainFromANewList() {
        var rig = Self.rig([ObservedActivity(id: "x", matchID: "m", token: "ab")])
        rig.feed(.enteredForeground)
        rig.activities = [ObservedActivity(id: "y", matchID: "m", token: "cd")]
        #expect(rig.flight?.request.path == "/v1/devices/me/reconcile")
        rig.lose()
        rig.settleOrFail()
        let reports = rig.takeSent().filter { $0.path.hasSuffix("/reconcile") }
        #expect(Self.text(reports.last).contains(#""activityId":"y""#))
        #expect(!Self.text(reports.last).contains(#""activityId":"x""#))
    }

    @Test func anActivityThatEndedWhileTheAppWasAwayIsReported() {
        var rig = Self.rig([
            ObservedActivity(id: "gone", matchID: "m", token: "ab"),
            ObservedActivity(id: "removed", matchID: "n", token: "cd"),
        ])
        _ = rig.takeSent()
        rig.activities = [ObservedActivity(id: "removed", matchID: "n", phase: .dismissed)]
        rig.crash()
        rig.settleOrFail()
        let ends = rig.takeSent().filter { $0.method == .delete }.map { request in
            "\(request.path.split(separator: "/").last ?? "") \(request.query.last?.value ?? "")"
        }
        #expect(ends == ["gone ended", "removed dismissed"])
    }

    @Test func aFinalCardOfAnActivityThatRanWithoutTheAppIsReported() {
        var rig = Self.rig()
        _ = rig.takeSent()
        rig.activities = [ObservedActivity(id: "x", matchID: "m", phase: .ended, channelID: "c1", revision: 9)]
        rig.crash()
        rig.settleOrFail()
        let sent = rig.takeSent()
        let report = Self.text(Self.request(sent, "/reconcile"))
        #expect(report.contains(#""activityId":"x""#) && report.contains(#""lastAppliedRev":9"#), "\(report)")
        #expect(report.contains(#""state":"ended""#))
        // A registration would make it active again.
        #expect(Self.request(sent, "/activities/x") == nil)
    }

    @Test func aDismissalIsSentAfterTheReportOfItsActivity() {
        var rig = Self.rig()
        _ = rig.takeSent()
        rig.feed(.activity(.started(ObservedActivity(id: "x", matchID: "m", token: "ab"))))
        rig.feed(.activity(.ended(activityID: "x", isDismissed: true)))
        rig.settleOrFail()
        let methods = rig.takeSent().filter { $0.path.hasSuffix("/x") }.map(\.method)
        #expect(methods == [.put, .delete])
    }

    @Test func aDismissalThatTheServerNeverSawIsInReportsUntilOneIsConfirmed() {
        var rig = Self.rig()
        rig.feed(.activity(.started(ObservedActivity(id: "x", matchID: "m"))))
        _ = rig.takeSent()
        rig.feed(.activity(.ended(activityID: "x", isDismissed: true)))
        let draft = Self.text(rig.flight?.request)
        #expect(draft.contains(#""activityId":"x""#))
        rig.answer(ClientResponse(status: 503))
        rig.settleOrFail()
        let reports = rig.takeSent().filter { $0.path.hasSuffix("/reconcile") }
        #expect(reports.count == 2)
        #expect(reports.allSatisfy { Self.text($0).contains(#""state":"dismissed""#) })
        rig.feed(.enteredForeground)
        rig.settleOrFail()
        let sent = rig.takeSent()
        #expect(!Self.text(Self.request(sent, "/reconcile")).contains("dismissed"))
    }

    @Test func receiptsAreSpacedAndOnlyTheNewestRevisionIsSent() {
        var rig = Self.rig([ObservedActivity(id: "x", matchID: "m", token: "ab", revision: 1)])
        _ = rig.takeSent()
        for revision in [3, 2, 4] as [Int64] {
            rig.feed(.activity(.shows(activityID: "x", revision: revision)))
        }
        #expect(Self.request(rig.sent, "/telemetry") == nil)
        rig.pass(.milliseconds(ClientLimits.telemetrySpacing))
        let receipts = rig.takeSent()
        #expect(receipts.map(\.path) == ["/v1/devices/me/telemetry"])
        #expect(Self.text(receipts.first).contains(#""rev":4"#))
        // A newer revision during the request remains for the next one.
        rig.feed(.activity(.shows(activityID: "x", revision: 5)))
        rig.deliver()
        rig.pass(.milliseconds(ClientLimits.telemetrySpacing))
        let sent = rig.takeSent()
        #expect(Self.text(sent.first).contains(#""rev":5"#))
        rig.deliver()
        #expect(rig.state.record.receipts.isEmpty)
    }

    @Test func theServerNamesTheSpacingOfReceipts() {
        var rig = Self.rig([ObservedActivity(id: "x", matchID: "m", token: "ab", revision: 1)])
        rig.pass(.milliseconds(ClientLimits.telemetrySpacing))
        _ = rig.takeSent()
        rig.state.record.settings.telemetrySpacingSeconds = 40
        rig.feed(.activity(.shows(activityID: "x", revision: 3)))
        rig.settleOrFail()
        _ = rig.takeSent()
        rig.feed(.activity(.shows(activityID: "x", revision: 4)))
        rig.pass(.seconds(39))
        #expect(Self.request(rig.sent, "/telemetry") == nil)
        rig.pass(.seconds(1))
        #expect(Self.text(Self.request(rig.sent, "/telemetry")).contains(#""rev":4"#))
        rig.state.record.settings.telemetrySpacingSeconds = -1
        #expect(rig.state.record.settings.telemetrySpacing == .seconds(1))
        rig.state.record.settings.telemetrySpacingSeconds = .max
        #expect(rig.state.record.settings.telemetrySpacing == .seconds(ClientLimits.longestTelemetrySpacing))
    }

    @Test func aRevisionIsStoredWithTheRequestThatReportsIt() {
        var rig = Self.rig([ObservedActivity(id: "x", matchID: "m", token: "ab", revision: 1)])
        let stored = rig.stored
        rig.feed(.activity(.shows(activityID: "x", revision: 3)))
        #expect(rig.stored == stored && rig.state.record != stored)
        rig.pass(.milliseconds(ClientLimits.telemetrySpacing))
        #expect(rig.flight != nil && rig.stored == rig.state.record)
        rig.feed(.activity(.shows(activityID: "x", revision: 4)))
        #expect(rig.stored != rig.state.record)
        rig.feed(.unfollowed(match: "m"))
        #expect(rig.stored == rig.state.record)
    }

    @Test func aTokenThatPrecedesTheStartIsReported() {
        var rig = Self.rig()
        _ = rig.takeSent()
        rig.activities = [ObservedActivity(id: "x", matchID: "m", token: "ab")]
        rig.feed(.activity(.token(activityID: "x", "ab")))
        rig.feed(.activity(.started(ObservedActivity(id: "x", matchID: "m"))))
        rig.settleOrFail()
        let reports = rig.takeSent().filter { $0.path.hasSuffix("/x") }
        #expect(reports.count == 1 && Self.text(reports.first).contains(#""token":"ab""#))
    }

    @Test func theFinalCardIsConfirmedBeforeTheEndIsReported() {
        let running = ObservedActivity(id: "x", matchID: "m", token: "ab", revision: 1)
        var rig = Self.rig([running])
        _ = rig.takeSent()
        rig.feed(.activity(.shows(activityID: "x", revision: 9)))
        rig.feed(.activity(.ended(activityID: "x", isDismissed: false)))
        rig.settleOrFail()
        var sent = rig.takeSent()
        #expect(sent.map(\.path) == ["/v1/devices/me/telemetry", "/v1/devices/me/activities/x"])
        #expect(Self.text(sent.first).contains(#""rev":9"#))
        // A card that ended while the app did not run.
        rig = Self.rig([running])
        _ = rig.takeSent()
        var ended = running
        (ended.phase, ended.revision) = (.ended, 9)
        rig.activities = [ended]
        rig.feed(.enteredForeground)
        rig.settleOrFail()
        sent = rig.takeSent().filter { $0.path.hasSuffix("/telemetry") || $0.path.hasSuffix("/x") }
        #expect(sent.map(\.method) == [.post, .delete])
        #expect(Self.text(sent.first).contains(#""rev":9"#))
        #expect(rig.state.record.receipts.isEmpty)
    }

    @Test func aWallClockThatIsSetBackDelaysNoReceipt() {
        var rig = Self.rig([ObservedActivity(id: "x", matchID: "m", token: "ab", revision: 1)])
        _ = rig.takeSent()
        rig.now.wall -= 86_400_000
        rig.feed(.activity(.shows(activityID: "x", revision: 2)))
        rig.pass(.milliseconds(ClientLimits.telemetrySpacing))
        let sent = rig.takeSent()
        #expect(sent.map(\.path) == ["/v1/devices/me/telemetry"])
    }

    @Test func receiptsCarryTheTimeOfSendingAndCounts() {
        var rig = Self.rig([ObservedActivity(id: "x", matchID: "m", token: "ab", revision: 1)])
        rig.pass(.milliseconds(ClientLimits.telemetrySpacing))
        _ = rig.takeSent()
        rig.feed(.activity(.token(activityID: "x", "cd")))
        rig.settleOrFail()
        rig.feed(.activity(.token(activityID: "x", "ef")))
        rig.feed(.activity(.shows(activityID: "x", revision: 2)))
        rig.settleOrFail()
        rig.pass(.milliseconds(ClientLimits.telemetrySpacing))
        rig.settleOrFail()
        let bodies = rig.takeSent().filter { $0.path.hasSuffix("/telemetry") }.map { Self.text($0) }
        #expect(bodies.allSatisfy { $0.contains(#""sentAtMs":"#) })
        #expect(bodies.contains { $0.contains(#""rev":2"#) })
        #expect(bodies.count { $0.contains("tokenRotated") } >= 1)
        #expect(rig.state.record.counts.isEmpty, "a count is sent once")
    }

    @Test func aSecondActivityIsReportedAfterItsRegistrationSoThatTheFirstIsEnded() {
        let first = ObservedActivity(id: "x", matchID: "m", token: "ab", revision: 1)
        var rig = Self.rig([first])
        _ = rig.takeSent()
        let second = ObservedActivity(id: "y", matchID: "m", revision: 2, isStartedByPush: true)
        rig.activities = [first, second]
        rig.feed(.activity(.started(second)))
        rig.feed(.enteredForeground)
        rig.settleOrFail()
        let early = rig.takeSent()
        let report = Self.text(Self.request(early, "/reconcile"))
        #expect(report.contains(#""activityId":"x""#) && !report.contains(#""activityId":"y""#), "it has no token yet")
        rig.feed(.activity(.token(activityID: "y", "cd")))
        rig.settleOrFail()
        let sent = rig.takeSent()
        #expect(Array(sent.map(\.path).prefix(2)) == ["/v1/devices/me/activities/y", "/v1/devices/me/reconcile"])
        #expect(Self.text(Self.request(sent, "/reconcile")).contains(#""activityId":"y""#))
        rig.activities = [first, second, ObservedActivity(id: "z", matchID: "n", token: "ef", isStartedByPush: true)]
        rig.feed(.activity(.started(rig.activities[2])))
        rig.settleOrFail()
        let later = rig.takeSent()
        #expect(Self.request(later, "/reconcile") == nil, "the only activity of its match")
    }

    @Test func aServerWithoutReceiptsIsSentNone() {
        var rig = Self.rig()
        rig.server.hasReceipts = false
        rig.feed(.activity(.started(ObservedActivity(id: "x", matchID: "m", token: "ab", revision: 1))))
        rig.settleOrFail()
        let sent = rig.takeSent()
        #expect(Self.request(sent, "/telemetry") != nil)
        rig.feed(.activity(.shows(activityID: "x", revision: 2)))
        rig.pass(.seconds(60))
        rig.settleOrFail()
        let later = rig.takeSent()
        #expect(Self.request(later, "/telemetry") == nil)
    }

    @Test func anActivityThatTheServerRefusesEnds() {
        var rig = Self.rig()
        rig.feed(.activity(.started(ObservedActivity(id: "x", matchID: "m", token: "ab"))))
        rig.answer(ClientResponse(status: 404))
        rig.settleOrFail()
        #expect(rig.hostActions == [.endActivity(id: "x")])
        #expect(rig.state.record.activities.isEmpty)
    }
}
