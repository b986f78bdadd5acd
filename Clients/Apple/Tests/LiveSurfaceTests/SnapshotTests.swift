// The rules of the snapshot on our own objects: strictness, values, identity, projections.

import Foundation
import LiveSurface
import Testing

@Suite struct SnapshotTests {
    @Test(arguments: SurfaceSnapshot.Kind.allCases) func eachKindIsReadAndWrittenBack(kind: SurfaceSnapshot.Kind) throws
    {
        let object = try #require(Samples.all.first { $0.kind == kind.rawValue }?.object)
        let snapshot = try Wire.snapshot(object)
        #expect(snapshot.kind == kind && snapshot.deepLink == Samples.link)
        #expect(Wire.equal(try Wire.object(snapshot), object))
    }

    @Test(arguments: SurfaceSnapshot.Kind.allCases) func onlyItsOwnSliceIsAllowed(kind: SurfaceSnapshot.Kind) throws {
        let object = try #require(Samples.all.first { $0.kind == kind.rawValue }?.object)
        for other in Samples.all where other.kind != kind.rawValue {
            let both = object.with(other.kind, other.object[other.kind])
            let fault = Wire.fault { _ = try Wire.snapshot(both) }
            #expect(fault?.problem == .wrongKind && fault?.path == other.kind)
            let swapped = object.with(kind.rawValue, nil).with(other.kind, other.object[other.kind])
            #expect(Wire.fault { _ = try Wire.snapshot(swapped) }?.problem == .wrongKind)
        }
        let fault = Wire.fault { _ = try Wire.snapshot(object.with(kind.rawValue, nil)) }
        #expect(fault?.problem == .missing && fault?.path == kind.rawValue)
    }

    @Test(arguments: SurfaceSnapshot.Kind.allCases) func eachProjectionIsOpenToOneKind(kind: SurfaceSnapshot.Kind)
        throws
    {
        let snapshot = try Wire.snapshot(try #require(Samples.all.first { $0.kind == kind.rawValue }?.object))
        let ways: [(SurfaceSnapshot.Kind, () throws -> Void)] = [
            (.liveActivity, { _ = try snapshot.contentState() }), (.liveActivity, { _ = try snapshot.alertFallback() }),
            (.liveActivity, { _ = try snapshot.activityAttributes() }), (.widget, { _ = try snapshot.widgetEntry() }),
            (.control, { _ = try snapshot.controlValue() }),
            (.lockAccessory, { _ = try snapshot.lockAccessoryEntry() }),
            (.standby, { _ = try snapshot.standbyEntry() }),
            (.notification, { _ = try snapshot.notificationPayload() }),
        ]
        for (wanted, way) in ways {
            let fault = Wire.fault(way)
            #expect(wanted == kind ? fault == nil : fault?.problem == .wrongKind && fault?.path == "kind")
        }
    }

    @Test func unknownKeysAndNullsAreRefusedWithTheirPlace() {
        for (kind, object) in Samples.all {
            var fault = Wire.fault { _ = try Wire.snapshot(object.with("$schema", "x")) }
            #expect(fault?.problem == .unknownKey && fault?.path == "$schema")
            fault = Wire.fault { _ = try Wire.snapshot(object.with(kind, "extra", 1)) }
            #expect(fault?.problem == .unknownKey && fault?.path == "\(kind).extra")
            for key in (object[kind] as? [String: Any] ?? [:]).keys {
                fault = Wire.fault { _ = try Wire.snapshot(object.with(kind, key, NSNull())) }
                #expect(fault?.problem == .isNull && fault?.path == "\(kind).\(key)")
                fault = Wire.fault { _ = try Wire.snapshot(object.with(kind, key, ["a"])) }
                #expect(fault?.problem == .wrongType && fault?.path == "\(kind).\(key)")
            }
        }
        #expect(Wire.fault { _ = try Wire.snapshot("[]") }?.problem == .wrongType)
        let fault = Wire.fault { _ = try Wire.snapshot(Samples.widget.with("widget", 3)) }
        #expect(fault?.description == "widget has the wrong type; expected an object")
    }

    @Test(arguments: ["score://x", "https://a", "custom-scheme://x", "h+t.p://opaque", "a1://", "x://a b"])
    func aLinkIsAccepted(link: String) throws {
        #expect(try Wire.snapshot(Samples.widget.with("widget", "deepLink", link)).deepLink == link)
    }

    @Test(arguments: [
        "", "match/1", "://x", "1a://x", "Score://x", " score://x", "a_b://x", "mailto:x", "a:/x", "é://x",
    ])
    func aLinkIsRefused(link: String) {
        let fault = Wire.fault { _ = try Wire.snapshot(Samples.widget.with("widget", "deepLink", link)) }
        #expect(fault?.path == "widget.deepLink" && fault?.problem == .wrongValue)
    }

    @Test func numbersKeepTheirRange() throws {
        for value in [-0.01, 1.01] {
            #expect(Wire.fault { _ = try Wire.snapshot(Samples.widget.with("widget", "progress", value)) } != nil)
            let gauge = Samples.accessory.with("lockAccessory", "gaugeValue", value)
            #expect(Wire.fault { _ = try Wire.snapshot(gauge) }?.path == "lockAccessory.gaugeValue")
        }
        for value in [-1, 9_007_199_254_740_992] {
            let object = Samples.activity.with("liveActivity", "estimatedSeconds", value)
            #expect(Wire.fault { _ = try Wire.snapshot(object) }?.problem == .wrongValue)
        }
        for value in [1.5, "3"] as [Any] {
            let object = Samples.activity.with("liveActivity", "morePartsCount", value)
            #expect(Wire.fault { _ = try Wire.snapshot(object) }?.problem == .wrongType)
        }
        let faces = Samples.accessory.with("lockAccessory", "shortText", String(repeating: "😀", count: 11))
        #expect(Wire.fault { _ = try Wire.snapshot(faces) }?.path == "lockAccessory.shortText")
        _ = try Wire.snapshot(Samples.accessory.with("lockAccessory", "shortText", String(repeating: "x", count: 20)))
        #expect(
            Wire.fault {
                _ = try SurfaceSnapshot.Widget(title: "a", body: "", progress: .nan, deepLink: Samples.link)
            }?.path == "progress"
        )
    }

    @Test func aFalseToggleIsNotAnAbsentOne() throws {
        #expect(try Wire.snapshot(Samples.control).controlValue().value == false)
        let absent = try Wire.snapshot(Samples.control.with("control", "state", nil)).controlValue()
        #expect(absent.value == nil)
        #expect(try Wire.object(absent)["value"] == nil)
    }

    @Test func standbyIsACardByDefault() throws {
        let snapshot = try Wire.snapshot(Samples.standby.with("standby", "presentation", nil))
        #expect(try snapshot.standbyEntry().presentation == .card)
        let written = try #require(try Wire.object(snapshot)["standby"] as? [String: Any])
        #expect(written["presentation"] as? String == "card")
    }

    @Test func applesTermForUrgencyIsSent() throws {
        let payload = try Wire.object(Wire.snapshot(Samples.notification).notificationPayload())
        let aps = try #require(payload["aps"] as? [String: Any])
        #expect(aps["interruption-level"] as? String == "time-sensitive")
        #expect(SurfaceSnapshot.InterruptionLevel.allCases.map(\.apnsWord).contains("timeSensitive") == false)
    }

    @Test func anEnvelopeOfAnotherGenerationIsRefused() throws {
        var entry = try Wire.object(Wire.snapshot(Samples.widget).widgetEntry())
        let data = try JSONSerialization.data(withJSONObject: entry)
        #expect(try JSONDecoder().decode(WidgetEntry.self, from: data).headline == "MI 87/6")
        entry["schemaVersion"] = "4"
        let old = try JSONSerialization.data(withJSONObject: entry)
        #expect(Wire.fault { _ = try JSONDecoder().decode(WidgetEntry.self, from: old) }?.path == "schemaVersion")
    }

    @Test func aLateSnapshotDoesNotReplaceANewerOne() throws {
        let now = try Wire.snapshot(Samples.widget)
        let later = Samples.widget.with("id", "match-1@8").with("updatedAt", "2026-11-21T10:30:01+01:00")
        let earlier = Samples.widget.with("id", "match-1@6").with("updatedAt", "2026-11-21T09:29:59.999Z")
        #expect(try Wire.snapshot(later).replaces(now))
        #expect(try !Wire.snapshot(earlier).replaces(now))
        #expect(!now.replaces(now))
        #expect(try !Wire.snapshot(Samples.widget.with("id", "x@9").with("surfaceId", "x")).replaces(now))
        #expect(now.appGroupKey == "surface.snapshot.match-1")
    }

    @Test func versionsAndIdentityAreRequired() {
        for key in ["schemaVersion", "kind", "id", "surfaceId", "updatedAt", "state"] {
            let fault = Wire.fault { _ = try Wire.snapshot(Samples.control.with(key, nil)) }
            #expect(fault?.problem == .missing && fault?.path == key)
        }
        for key in ["id", "surfaceId"] {
            #expect(Wire.fault { _ = try Wire.snapshot(Samples.control.with(key, "")) }?.path == key)
        }
        for version in ["4", "3", "05", "6"] {
            let fault = Wire.fault { _ = try Wire.snapshot(Samples.control.with("schemaVersion", version)) }
            #expect(fault?.path == "schemaVersion" && fault?.problem == .wrongValue)
        }
        let number = Wire.fault { _ = try Wire.snapshot(Samples.control.with("schemaVersion", 5)) }
        #expect(number?.problem == .wrongType)
    }
}
