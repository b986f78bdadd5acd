// The data that an app's extension reads: the envelopes of the App Group, the payloads, the attributes.

import Foundation
import LiveSurface
import Testing

@Suite struct EnvelopeTests {
    /// An envelope as the contract's table of projections has it.
    struct Envelope: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let optional: [String]
        let write: @Sendable () throws -> [String: Any]
        let read: @Sendable (Data) throws -> any Encodable
    }

    static let envelopes = [
        Envelope(
            testDescription: "widget",
            optional: ["family", "reloadPolicy"],
            write: { try Wire.object(Wire.snapshot(Samples.widget).widgetEntry()) },
            read: { try JSONDecoder().decode(WidgetEntry.self, from: $0) }
        ),
        Envelope(
            testDescription: "control",
            optional: ["intent", "value"],
            write: { try Wire.object(Wire.snapshot(Samples.control).controlValue()) },
            read: { try JSONDecoder().decode(ControlValue.self, from: $0) }
        ),
        Envelope(
            testDescription: "lockAccessory",
            optional: ["gaugeValue", "shortText"],
            write: { try Wire.object(Wire.snapshot(Samples.accessory).lockAccessoryEntry()) },
            read: { try JSONDecoder().decode(LockAccessoryEntry.self, from: $0) }
        ),
        Envelope(
            testDescription: "standby",
            optional: ["tint"],
            write: { try Wire.object(Wire.snapshot(Samples.standby).standbyEntry()) },
            read: { try JSONDecoder().decode(StandbyEntry.self, from: $0) }
        ),
        Envelope(
            testDescription: "notification",
            optional: [],
            write: { try Wire.object(Wire.snapshot(Samples.notification).notificationPayload()) },
            read: { try JSONDecoder().decode(NotificationPayload.self, from: $0) }
        ),
    ]

    private func read(_ envelope: Envelope, _ object: [String: Any]) throws -> [String: Any] {
        try Wire.object(envelope.read(JSONSerialization.data(withJSONObject: object)))
    }

    @Test(arguments: envelopes) func anEnvelopeIsReadBackUnchanged(envelope: Envelope) throws {
        let object = try envelope.write()
        #expect(Wire.equal(try read(envelope, object), object))
    }

    @Test(arguments: envelopes) func onlyOptionalKeysMayBeAbsent(envelope: Envelope) throws {
        let object = try envelope.write()
        for key in object.keys.sorted() {
            let without = object.with(key, nil)
            if envelope.optional.contains(key) {
                #expect(Wire.equal(try read(envelope, without), without), "\(key)")
            } else {
                #expect(throws: (any Error).self, "\(key)") { try read(envelope, without) }
                #expect(throws: (any Error).self, "\(key)") { try read(envelope, object.with(key, NSNull())) }
            }
        }
        #expect(Set(envelope.optional).isSubset(of: object.keys), "the sample shows them all")
    }

    /// An extension that was built for generation 5 draws nothing of another one.
    @Test(arguments: envelopes) func anotherGenerationIsRefused(envelope: Envelope) throws {
        let object = try envelope.write()
        for version in ["4", "6", "", "05", "5.0"] {
            let fault = Wire.fault { _ = try read(envelope, object.with("schemaVersion", version)) }
            #expect(fault?.path == "schemaVersion" && fault?.problem == .wrongValue, "\(version)")
        }
        #expect(throws: DecodingError.self) { try read(envelope, object.with("schemaVersion", 5)) }
    }

    /// A widget's view must not draw the envelope of a StandBy card or a control, even if the keys fit.
    @Test(arguments: envelopes.filter { $0.testDescription != "notification" })
    func theEnvelopeOfAnotherKindIsRefused(envelope: Envelope) throws {
        let (object, own) = (try envelope.write(), envelope.testDescription)
        for word in SurfaceSnapshot.Kind.allCases.map(\.rawValue) + ["tile", "", own.uppercased()] where word != own {
            let fault = Wire.fault { _ = try read(envelope, object.with("kind", word)) }
            #expect(fault?.path == "kind" && fault?.problem == .wrongKind, "\(word)")
            #expect(fault?.expected.contains("`\(own)`") == true)
        }
        for other in Self.envelopes where other.testDescription != own && other.testDescription != "notification" {
            // Whatever keys both have: the other one's whole envelope is not this one's.
            let merged = object.merging(try other.write()) { _, theirs in theirs }
            #expect(Wire.fault { _ = try read(envelope, merged) }?.path == "kind", "\(other.testDescription)")
        }
        #expect(throws: DecodingError.self) { try read(envelope, object.with("kind", 1)) }
    }

    @Test(arguments: [
        ("widget", "family", "systemHuge"), ("widget", "reloadPolicy", "never"), ("widget", "state", "asleep"),
        ("control", "controlKind", "slider"), ("lockAccessory", "family", "systemSmall"),
        ("lockAccessory", "state", "Active"), ("standby", "presentation", "dusk"), ("standby", "tint", "red"),
        ("standby", "state", "badTiming"),
    ])
    func anUnknownWordIsRefused(kind: String, key: String, word: String) throws {
        let envelope = try #require(Self.envelopes.first { $0.testDescription == kind })
        let object = try envelope.write()
        #expect(object[key] != nil)
        #expect(throws: DecodingError.self) { try read(envelope, object.with(key, word)) }
    }

    /// The category is plain text on output on purpose: an older app reads a newer one's.
    @Test func anUnknownCategoryIsRead() throws {
        let object = try Wire.object(Wire.snapshot(Samples.notification).notificationPayload())
        let later = object.with("aps", "category", "surface-later").with("liveSurface", "category", "surface-later")
        let data = try JSONSerialization.data(withJSONObject: later)
        let payload = try JSONDecoder().decode(NotificationPayload.self, from: data)
        #expect(payload.aps.category == "surface-later" && payload.liveSurface.category == "surface-later")
        #expect(payload.aps.threadId == "match-1" && payload.aps.interruptionLevel == "time-sensitive")
        #expect(payload.aps.targetContentId == "match-1" && payload.aps.relevanceScore == 0.9)
    }

    /// The side-car names its generation in a notification; in the fallback of an activity it has none to name.
    @Test func theFallbackIsReadWithoutAGeneration() throws {
        let fallback = try Wire.snapshot(Samples.activity).alertFallback()
        let data = try JSONEncoder().encode(fallback)
        #expect(try JSONDecoder().decode(AlertFallback.self, from: data) == fallback)
        #expect(fallback.liveSurface.schemaVersion == nil && fallback.liveSurface.category == nil)
        let payload = try Wire.object(Wire.snapshot(Samples.notification).notificationPayload())
        let old = try JSONSerialization.data(withJSONObject: payload.with("liveSurface", "schemaVersion", "4"))
        #expect(Wire.fault { _ = try JSONDecoder().decode(NotificationPayload.self, from: old) } != nil)
    }

    /// A phone that refuses a content state shows an old one, so a key that it does not know is passed over.
    @Test func aContentStateIsReadWithUnknownKeys() throws {
        typealias State = MobileSurfacesActivityAttributes.ContentState
        let state = try Wire.snapshot(Samples.activity).contentState()
        let object = try Wire.object(state)
        func read(_ object: [String: Any]) throws -> State {
            try JSONDecoder().decode(State.self, from: JSONSerialization.data(withJSONObject: object))
        }
        #expect(try read(object.with("weather", "sun")) == state)
        for key in object.keys { #expect(throws: DecodingError.self, "\(key)") { try read(object.with(key, nil)) } }
        #expect(throws: DecodingError.self) { try read(object.with("stage", "done")) }
        #expect(throws: DecodingError.self) { try read(object.with("progress", "0.8")) }
    }

    @Test func theAttributesNameSurfaceAndMode() throws {
        let attributes = try Wire.snapshot(Samples.activity).activityAttributes()
        let object = try Wire.object(attributes)
        #expect(Wire.equal(object, ["surfaceId": "match-1", "modeLabel": "83 off 45"]))
        let data = try JSONEncoder().encode(attributes)
        #expect(try JSONDecoder().decode(MobileSurfacesActivityAttributes.self, from: data) == attributes)
    }
}
