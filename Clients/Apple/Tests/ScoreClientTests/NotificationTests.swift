// Notifications as an app and its extensions get them: the payload, its link, and the refresh of the stored snapshots.

import Foundation
import LiveSurface
import Testing

@testable import ScoreClient

@Suite(.timeLimit(.minutes(1))) struct NotificationTests {
    private static let payload = """
        {"schemaVersion":"5","aps":{"alert":{"title":"Wicket!","subtitle":"MI 87/6","body":"X b Y"},"sound":"default",\
        "mutable-content":1,"relevance-score":0.9},"liveSurface":{"kind":"surface_snapshot","snapshotId":"match-a@7",\
        "surfaceId":"match-a","state":"attention","deepLink":"score://match/a"}}
        """

    private static func userInfo(_ json: String) throws -> [AnyHashable: Any] {
        try #require(JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any])
    }

    private static func notification() throws -> NotificationPayload {
        try #require(NotificationPayload(userInfo: userInfo(payload)))
    }

    @Test func theUserInfoIsThePayload() throws {
        let notification = try Self.notification()
        #expect(notification.link?.match == "a" && notification.liveSurface.state == .attention)
        #expect(NotificationPayload(userInfo: try Self.userInfo(#"{"aps":{"alert":"Hello"}}"#)) == nil)
        #expect(NotificationPayload(userInfo: [1: Date()]) == nil)
    }

    @Test(
        arguments: [
            ("score://match/12", "12"), ("score://match/12/", "12"), ("score://match/a%20b", "a b"),
            ("score://match", nil), ("score://match/", nil), ("score://match/1/2", nil), ("score://team/1", nil),
        ] as [(String, String?)]
    )
    func links(text: String, match: String?) throws {
        let url = try #require(URL(string: text))
        #expect(MatchLink(url)?.match == match)
    }

    @Test func theStoredSnapshotsOfTheMatchAreReadAgain() async throws {
        let shared = SharedSurfaces(MemoryStore())
        let ids = try ["a", "b"].map { try #require(shared.write(SharedSurfacesTests.snapshot($0, 1), at: 1)).id }
        _ = shared.retain(ids)
        let (transport, clock) = (ScriptedTransport(), ManualClock())
        let notification = try Self.notification()
        func refresh(_ status: Int, _ body: String) async throws -> Set<SurfaceSnapshot.Kind> {
            async let changed = shared.refresh(after: notification, over: transport, clock: clock)
            let exchange = try await transport.next()
            #expect(exchange.request.path == "/v1/matches/a/surfaces/widget")
            exchange.answer(status, body)
            return await changed
        }
        #expect(try await refresh(200, SharedSurfacesTests.text("a", 2)) == [.widget])
        #expect(shared.all(WidgetEntry.self).map(\.entry.headline) == ["MI 2/0", "MI 1/0"])
        #expect(try await refresh(200, SharedSurfacesTests.text("a", 2)).isEmpty)
        // A failure changes nothing, and a match without snapshots is not read.
        #expect(try await refresh(503, "").isEmpty)
        #expect(shared.all(WidgetEntry.self).map(\.entry.headline) == ["MI 2/0", "MI 1/0"])
        _ = shared.retain([ids[1]])
        #expect(await shared.refresh(after: notification, over: transport, clock: clock).isEmpty && transport.isIdle)
    }

    @Test func theAlertTokenIsReportedInDigits() async throws {
        let rig = LiveRig()
        let running = try await rig.register()
        defer { running.cancel() }
        await rig.client.setAlertToken(Data([0x0a, 0xff]))
        let change = try #require(await rig.client.pendingChanges.first)
        #expect(change.operation == .setToken(.alert, "0aff"))
    }

    @Test func theDeviceAndTheStartOfAMatchAreKnown() async throws {
        let rig = LiveRig()
        #expect(await rig.client.device == nil)
        let running = try await rig.register()
        defer { running.cancel() }
        var device = try #require(await rig.client.device)
        device.quietHours = .init(from: "22:30", until: "07:00")
        await rig.client.describe(device)
        #expect(await rig.client.device == device)
        let text = SampleMatch.detail(1).replacing(#""format""#, with: #""startsAt":"2026-11-23T09:30:00Z","format""#)
        let match = try JSONDecoder().decode(MatchDetail.self, from: Data(text.utf8))
        #expect(match.startTime == 1_795_426_200_000)
        #expect(try JSONDecoder().decode(MatchDetail.self, from: Data(SampleMatch.detail(1).utf8)).startTime == nil)
    }
}
