// The keys of each projection: their sources, and the keys that it must not have.

import Foundation
import LiveSurface
import Testing

@Suite struct ProjectionTableTests {
    private func object(_ kind: String) throws -> [String: Any] {
        try #require(Samples.all.first { $0.kind == kind }?.object)
    }

    /// Projects a snapshot and reads what is on the wire.
    private func projected(_ object: [String: Any]) throws -> [String: Any] {
        let snapshot = try Wire.snapshot(object)
        return switch snapshot.kind {
        case .liveActivity: try Wire.object(snapshot.contentState())
        case .widget: try Wire.object(snapshot.widgetEntry())
        case .control: try Wire.object(snapshot.controlValue())
        case .lockAccessory: try Wire.object(snapshot.lockAccessoryEntry())
        case .standby: try Wire.object(snapshot.standbyEntry())
        case .notification: try Wire.object(snapshot.notificationPayload())
        }
    }

    /// The keys on the wire with all optional values given.
    @Test(
        arguments: [
            ("liveActivity", ["headline", "progress", "stage", "subhead"]),
            (
                "widget",
                [
                    "deepLink", "family", "headline", "kind", "progress", "reloadPolicy", "schemaVersion", "snapshotId",
                    "state", "subhead", "surfaceId",
                ]
            ),
            (
                "control",
                [
                    "controlKind", "deepLink", "intent", "kind", "label", "schemaVersion", "snapshotId", "surfaceId",
                    "value",
                ]
            ),
            (
                "lockAccessory",
                [
                    "deepLink", "family", "gaugeValue", "headline", "kind", "schemaVersion", "shortText", "snapshotId",
                    "state", "surfaceId",
                ]
            ),
            (
                "standby",
                [
                    "deepLink", "headline", "kind", "presentation", "progress", "schemaVersion", "snapshotId", "state",
                    "subhead", "surfaceId", "tint",
                ]
            ),
            ("notification", ["aps", "liveSurface", "schemaVersion"]),
        ] as [(String, [String])]
    )
    func aProjectionHasExactlyItsKeys(kind: String, keys: [String]) throws {
        #expect(try projected(object(kind)).keys.sorted() == keys)
    }

    /// A value absent in the snapshot is absent on the wire, never null.
    @Test(
        arguments: [
            ("widget", ["family", "reloadPolicy"], ["family", "reloadPolicy"]),
            ("control", ["state", "intent"], ["value", "intent"]),
            ("lockAccessory", ["gaugeValue", "shortText"], ["gaugeValue", "shortText"]),
            ("standby", ["tint"], ["tint"]),
        ] as [(String, [String], [String])]
    )
    func absentValuesStayAbsent(kind: String, fields: [String], keys: [String]) throws {
        for (field, key) in zip(fields, keys) {
            let without = try projected(object(kind).with(kind, field, nil))
            #expect(without[key] == nil && !without.keys.contains(key))
            #expect(without.count == (try projected(object(kind))).count - 1)
        }
    }

    @Test func valuesComeFromTheirFields() throws {
        let state = try projected(object("liveActivity"))
        #expect(state["headline"] as? String == "MI 87/6" && state["subhead"] as? String == "MI need 83 from 45 balls")
        #expect(state["progress"] as? Double == 0.8 && state["stage"] as? String == "inProgress")
        for kind in ["widget", "control", "lockAccessory", "standby"] {
            let entry = try projected(object(kind))
            #expect(entry["snapshotId"] as? String == "match-1@7" && entry["surfaceId"] as? String == "match-1")
            #expect(entry["schemaVersion"] as? String == "5" && entry["kind"] as? String == kind)
            #expect(entry["deepLink"] as? String == Samples.link)
        }
    }

    @Test func aNotificationHasApplesKeys() throws {
        let payload = try projected(object("notification"))
        let aps = try #require(payload["aps"] as? [String: Any])
        let keys = [
            "alert", "category", "interruption-level", "relevance-score", "sound", "target-content-id", "thread-id",
        ]
        #expect(aps.keys.sorted() == keys)
        let alert = try #require(aps["alert"] as? [String: Any])
        #expect(alert.keys.sorted() == ["body", "subtitle", "title"])
        #expect(aps["sound"] as? String == "default" && aps["thread-id"] as? String == "match-1")
        #expect(aps["relevance-score"] as? Double == 0.9 && aps["target-content-id"] as? String == "match-1")
        let sideCar = try #require(payload["liveSurface"] as? [String: Any])
        #expect(
            sideCar.keys.sorted() == [
                "category", "deepLink", "kind", "schemaVersion", "snapshotId", "state", "surfaceId",
            ]
        )
        #expect(sideCar["kind"] as? String == "surface_snapshot" && sideCar["snapshotId"] as? String == "match-1@7")
    }

    /// Each optional value of a notification goes to its own key of `aps`, and leaves no trace when it is absent.
    @Test(
        arguments: [
            ("subtitle", "subtitle"), ("category", "category"), ("threadId", "thread-id"),
            ("interruptionLevel", "interruption-level"), ("relevanceScore", "relevance-score"),
            ("targetContentId", "target-content-id"),
        ]
    )
    func aNotificationWithoutAnOptionalValue(field: String, key: String) throws {
        let payload = try projected(object("notification").with("notification", field, nil))
        let aps = try #require(payload["aps"] as? [String: Any])
        let alert = try #require(aps["alert"] as? [String: Any])
        #expect(aps[key] == nil && alert[key] == nil)
        let sideCar = try #require(payload["liveSurface"] as? [String: Any])
        #expect((sideCar["category"] == nil) == (field == "category"))
        #expect(aps["sound"] as? String == "default", "always")
    }

    @Test(
        arguments: [
            ("passive", "passive"), ("active", "active"), ("timeSensitive", "time-sensitive"),
            ("critical", "critical"),
        ]
    )
    func urgencyIsWrittenInApplesTerms(level: String, word: String) throws {
        let payload = try projected(object("notification").with("notification", "interruptionLevel", level))
        #expect((payload["aps"] as? [String: Any])?["interruption-level"] as? String == word)
    }

    /// The alert for phones that cannot show the activity: title, body and the side-car, and nothing that only a
    /// notification has.
    @Test func theAlertFallbackIsPlain() throws {
        let payload = try Wire.object(Wire.snapshot(Samples.activity).alertFallback())
        #expect(payload.keys.sorted() == ["aps", "liveSurface"])
        let aps = try #require(payload["aps"] as? [String: Any])
        #expect(aps.keys.sorted() == ["alert", "sound"])
        let alert = try #require(aps["alert"] as? [String: Any])
        #expect(alert.keys.sorted() == ["body", "title"] && alert["title"] as? String == "MI 87/6")
        let sideCar = try #require(payload["liveSurface"] as? [String: Any])
        #expect(sideCar.keys.sorted() == ["deepLink", "kind", "snapshotId", "state", "surfaceId"])
    }

    /// Toggles and bars at their ends are values like any other, not absent ones.
    @Test func zeroAndFalseAreWritten() throws {
        #expect(try projected(object("control"))["value"] as? Bool == false)
        let accessory = try object("lockAccessory").with("lockAccessory", "gaugeValue", 0)
        #expect(try projected(accessory)["gaugeValue"] as? Double == 0)
        let quiet = try object("notification").with("notification", "relevanceScore", 0)
        let aps = try projected(quiet)["aps"] as? [String: Any]
        #expect(aps?["relevance-score"] as? Double == 0)
        #expect(try projected(object("widget"))["progress"] as? Double == 0)
    }
}
