// The published conformance set: positives accepted, negatives refused for their reason, projections equal.

import Foundation
import LiveSurface
import Testing

@Suite(.enabled(if: ConformanceData.isPresent, ConformanceData.absence)) struct ConformanceTests {
    @Test(arguments: ConformanceData.names(in: "surface-fixtures"))
    func aFixtureIsAcceptedAndWrittenBackUnchanged(name: String) throws {
        let object = try ConformanceData.object("surface-fixtures/" + name)
        let snapshot = try Wire.snapshot(object)
        #expect(Wire.equal(try Wire.object(snapshot), object))
        #expect(snapshot.kind.rawValue == object["kind"] as? String)
    }

    @Test(arguments: ConformanceData.names(in: "surface-fixtures"))
    func anUnknownKeyOrNullAtAnyLevelIsRefused(name: String) throws {
        let object = try ConformanceData.object("surface-fixtures/" + name)
        let kind = try #require(object["kind"] as? String)
        var slice = try #require(object[kind] as? [String: Any])
        var changed = object
        changed["surprise"] = 1
        #expect(Wire.fault { _ = try Wire.snapshot(changed) }?.problem == .unknownKey)
        for key in object.keys {
            changed = object
            changed[key] = NSNull()
            let fault = Wire.fault { _ = try Wire.snapshot(changed) }
            #expect(fault?.problem == .isNull && fault?.path == key)
            changed[key] = nil
            #expect(Wire.fault { _ = try Wire.snapshot(changed) } != nil, "without \(key)")
        }
        for key in slice.keys {
            changed = object
            var hurt = slice
            hurt[key] = NSNull()
            changed[kind] = hurt
            let fault = Wire.fault { _ = try Wire.snapshot(changed) }
            #expect(fault?.problem == .isNull && fault?.path == "\(kind).\(key)")
        }
        slice["surprise"] = 1
        changed = object
        changed[kind] = slice
        let fault = Wire.fault { _ = try Wire.snapshot(changed) }
        #expect(fault?.problem == .unknownKey && fault?.path == "\(kind).surprise")
    }

    /// File, place, problem: what each negative is about.
    static let reasons: [String: (path: String, problem: SurfaceError.Problem)] = [
        "bad-deeplink-scheme.json": ("widget.deepLink", .wrongValue),
        "empty-notification-subtitle.json": ("notification.subtitle", .wrongValue),
        "kind-slice-mismatch.json": ("liveActivity", .wrongKind),
        "missing-discriminator-kind.json": ("kind", .missing),
        "out-of-range-widget-progress.json": ("widget.progress", .wrongValue),
        "oversized-lock-accessory-shortText.json": ("lockAccessory.shortText", .wrongValue),
        "plain-date-updatedAt.json": ("updatedAt", .wrongValue),
        "wrong-schema-version.json": ("schemaVersion", .wrongValue),
        "wrong-state-enum.json": ("state", .wrongValue),
    ]

    @Test(arguments: ConformanceData.names(in: "surface-fixtures-negative"))
    func aNegativeIsRefusedForItsReason(name: String) throws {
        let object = try ConformanceData.object("surface-fixtures-negative/" + name)
        let reason = try #require(Self.reasons[name], "a new negative without a reason")
        let fault = try #require(Wire.fault { _ = try Wire.snapshot(object) })
        #expect(fault.path == reason.path && fault.problem == reason.problem, "\(fault)")
        #expect(!fault.expected.isEmpty)
    }

    @Test(arguments: ConformanceData.names(in: "historical-v3-fixtures"))
    func anOldGenerationIsRefused(name: String) throws {
        let object = try ConformanceData.object("historical-v3-fixtures/" + name)
        #expect(Wire.fault { _ = try Wire.snapshot(object) }?.path == "schemaVersion")
    }

    @Test(arguments: ConformanceData.names(in: "scenarios")) func everyStepOfAScenarioIsAccepted(name: String) throws {
        let scenario = try ConformanceData.object("scenarios/" + name)
        let steps = try #require(scenario["steps"] as? [[String: Any]])
        var count = 0
        var last: [SurfaceSnapshot.Kind: SurfaceSnapshot] = [:]
        for step in steps {
            for (kind, value) in try #require(step["snapshots"] as? [String: [String: Any]]) {
                let snapshot = try Wire.snapshot(value)
                #expect(snapshot.kind.rawValue == kind)
                #expect(Wire.equal(try Wire.object(snapshot), value))
                if let before = last[snapshot.kind] {
                    #expect(snapshot.replaces(before) && !before.replaces(snapshot))
                }
                last[snapshot.kind] = snapshot
                count += 1
            }
        }
        #expect(steps.count == 3 && count == 15)
    }

    @Test func theFixturesOfPushTestsAreRead() throws {
        let active = try Wire.snapshot(ConformanceData.object("push-test-fixtures/active-snapshot.json"))
        #expect(try active.contentState().headline == "Surface in progress")
        let widget = try Wire.snapshot(ConformanceData.object("push-test-fixtures/widget-snapshot.json"))
        #expect(try widget.widgetEntry().headline == "Widget headline")
        // An activity cannot be updated, and no fallback be sent, from a widget's snapshot.
        #expect(Wire.fault { _ = try widget.contentState() }?.problem == .wrongKind)
        #expect(Wire.fault { _ = try widget.alertFallback() }?.problem == .wrongKind)
    }

    @Test func theSampleContentStateIsRead() throws {
        let object = try ConformanceData.object("sample-content-state.json")
        let data = try JSONSerialization.data(withJSONObject: object)
        let state = try JSONDecoder().decode(MobileSurfacesActivityAttributes.ContentState.self, from: data)
        #expect(state.headline == "Surface updated" && state.progress == 0.5 && state.stage == .inProgress)
        #expect(Wire.equal(try Wire.object(state), object))
    }
}
