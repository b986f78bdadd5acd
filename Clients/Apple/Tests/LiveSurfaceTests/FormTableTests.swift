// A value of another form than the contract's is refused at its place: fields of slices, the frame, the closed words.

import Foundation
import LiveSurface
import Testing

/// The contract of generation 5: every object level is strict, null is never a value, each list of words is closed.
@Suite struct FormTableTests {
    private func sample(_ kind: String) throws -> [String: Any] {
        try #require(Samples.all.first { $0.kind == kind }?.object)
    }

    private func fault(_ object: [String: Any]) -> SurfaceError? { Wire.fault { _ = try Wire.snapshot(object) } }

    /// Values of every JSON type but the one that the field has.
    private func strangers(to rule: SliceTableTests.Rule) -> [Any] {
        switch rule {
        case .text, .link, .words: [0, 1.5, true, ["a"], ["a": "b"]]
        case .share: ["0.5", "", true, [0.5], ["a": 0.5]]
        case .count: ["3", "", 1.5, true, [3], ["a": 3]]
        case .flag: [0, 1, "true", "", [true], ["a": true]]
        }
    }

    @Test(arguments: SliceTableTests.rows) func aFieldOfAnotherFormIsRefused(row: SliceTableTests.Row) throws {
        for value in strangers(to: row.rule) {
            let fault = fault(try sample(row.kind).with(row.kind, row.field, value))
            #expect(fault?.problem == .wrongType && fault?.path == row.testDescription, "\(value)")
        }
        let null = fault(try sample(row.kind).with(row.kind, row.field, NSNull()))
        #expect(null?.problem == .isNull && null?.path == row.testDescription)
    }

    @Test(arguments: ["schemaVersion", "kind", "id", "surfaceId", "updatedAt", "state"])
    func aFrameOfAnotherFormIsRefused(field: String) {
        for (_, object) in Samples.all {
            for value in [5, 1.5, true, ["a"], ["a": "b"]] as [Any] {
                let fault = fault(object.with(field, value))
                #expect(fault?.problem == .wrongType && fault?.path == field, "\(value)")
            }
            let null = fault(object.with(field, NSNull()))
            #expect(null?.problem == .isNull && null?.path == field)
        }
    }

    @Test func aSliceThatIsNoObjectIsRefused() {
        for (kind, object) in Samples.all {
            for value in [[], ["a"], "text", 3, true] as [Any] {
                let fault = fault(object.with(kind, value))
                #expect(fault?.problem == .wrongType && fault?.path == kind, "\(value)")
            }
            #expect(fault(object.with(kind, NSNull()))?.problem == .isNull)
            // The empty object lacks what comes first in the contract's table.
            let empty = fault(object.with(kind, [String: Any]()))
            let first = kind == "control" ? "control.label" : "\(kind).title"
            #expect(empty?.problem == .missing && empty?.path == first)
        }
    }

    /// A key of one slice is unknown in another.
    @Test(arguments: SliceTableTests.rows) func aFieldBelongsToItsOwnSlices(row: SliceTableTests.Row) throws {
        let value = try #require(row.rule.right.first)
        for (kind, object) in Samples.all {
            let isItsOwn = SliceTableTests.rows.contains { $0.kind == kind && $0.field == row.field }
            guard !isItsOwn else { continue }
            let fault = fault(object.with(kind, row.field, value))
            #expect(fault?.problem == .unknownKey && fault?.path == "\(kind).\(row.field)")
        }
    }

    /// Another generation is refused before anything else is read, then a kind outside the six, another slice, an
    /// unknown key (the first by name) and only then what is missing.
    @Test func theBreachesOfASnapshotAreNamedInOrder() {
        var object = Samples.widget.with("schemaVersion", "4").with("kind", "push").with("id", nil)
        object = object.with("zeta", 1).with("alpha", 1).with("control", Samples.control["control"])
        var places: [String?] = []
        for (key, value) in [
            ("schemaVersion", "5"), ("kind", "widget"), ("control", nil), ("alpha", nil), ("zeta", nil), ("id", "a"),
        ] as [(String, String?)] {
            places.append(fault(object)?.path)
            object = object.with(key, value)
        }
        #expect(places == ["schemaVersion", "kind", "control", "alpha", "zeta", "id"])
        #expect(fault(object) == nil)
    }

    @Test(arguments: [
        ("", true), ("x", true), (String(repeating: "x", count: 20), true), (String(repeating: "x", count: 21), false),
        (String(repeating: "😀", count: 10), true), (String(repeating: "😀", count: 10) + "x", false),
        (String(repeating: "é", count: 20), true), (String(repeating: "e\u{301}", count: 10), true),
        (String(repeating: "e\u{301}", count: 11), false),
    ])
    func shortTextIsCountedInUnits(text: String, isAllowed: Bool) {
        let fault = fault(Samples.accessory.with("lockAccessory", "shortText", text))
        #expect((fault == nil) == isAllowed)
        if !isAllowed { #expect(fault?.problem == .wrongValue && fault?.path == "lockAccessory.shortText") }
    }

    private static func words<Word: SurfaceEnumeration>(_ type: Word.Type) -> String {
        Word.allCases.map(\.rawValue).joined(separator: " ")
    }

    /// The lists of the contract's tables, whole: a word more would be sent to apps that refuse it.
    @Test func everyListOfWordsEqualsTheContract() {
        #expect(
            Self.words(SurfaceSnapshot.Kind.self)
                == "liveActivity widget control lockAccessory standby notification"
        )
        #expect(Self.words(SurfaceSnapshot.State.self) == "queued active paused attention bad_timing completed")
        #expect(Self.words(SurfaceSnapshot.Stage.self) == "prompted inProgress completing")
        #expect(Self.words(SurfaceSnapshot.WidgetFamily.self) == "systemSmall systemMedium systemLarge")
        #expect(Self.words(SurfaceSnapshot.ReloadPolicy.self) == "manual afterDate")
        #expect(Self.words(SurfaceSnapshot.ControlKind.self) == "toggle button deepLink")
        let families = "accessoryCircular accessoryRectangular accessoryInline"
        #expect(Self.words(SurfaceSnapshot.AccessoryFamily.self) == families)
        #expect(Self.words(SurfaceSnapshot.Presentation.self) == "card night")
        #expect(Self.words(SurfaceSnapshot.Tint.self) == "default monochrome")
        #expect(Self.words(SurfaceSnapshot.Category.self) == "surface-update")
        #expect(Self.words(SurfaceSnapshot.InterruptionLevel.self) == "passive active timeSensitive critical")
    }

    /// An error contains the expected value and its place.
    @Test func anErrorContainsTheExpectedValue() {
        #expect(
            fault(Samples.standby.with("standby", "presentation", "dusk"))?.description
                == "standby.presentation has a value that is not allowed; expected one of card, night"
        )
        #expect(
            fault(Samples.control.with("control", "title", "x"))?.description
                == "control.title is not a key of the contract; "
                + "expected only `label`, `deepLink`, `controlKind`, `state`, `intent`"
        )
        for (problem, words) in [
            (SurfaceError.Problem.unknownKey, "is not a key of the contract"), (.missing, "is missing"),
            (.isNull, "is null"), (.wrongType, "has the wrong type"), (.wrongValue, "has a value that is not allowed"),
            (.wrongKind, "is of another kind"),
        ] {
            let error = SurfaceError(path: "a.b", problem: problem, expected: "a text")
            #expect(error.description == "a.b \(words); expected a text")
        }
    }
}
