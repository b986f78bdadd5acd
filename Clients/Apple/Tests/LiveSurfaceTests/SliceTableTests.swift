// The contract's table of slices, row by row: what must be there, what may be left out, which values are allowed.

import Foundation
import LiveSurface
import Testing

/// The rows are those of the contract of generation 5 as its maintainers publish it, written down apart from the code.
@Suite struct SliceTableTests {
    /// The values of a field.
    enum Rule: Sendable {
        /// A text of at least so many characters.
        case text(min: Int)
        case link
        /// A number from 0 to 1.
        case share
        /// A whole number from 0 to 2^53 - 1.
        case count
        case flag
        case words([String])

        /// Values that have to be taken.
        var right: [Any] {
            switch self {
            case .text(let min): min == 0 ? ["", "é", String(repeating: "x", count: 300)] : [" ", "é", "123"]
            case .link: ["a://", "score://match/1?x=é#y", "h2+x-1.0://"]
            case .share: [0, 1, 0.5, 0.000_001]
            case .count: [0, 1, 9_007_199_254_740_991]
            case .flag: [true, false]
            case .words(let words): words
            }
        }

        /// Values of the right type that have to be refused.
        var wrong: [Any] {
            switch self {
            case .text(let min): min == 0 ? [] : [""]
            case .link: ["", "a:/", "A://", "a_b://x", "//x", " a://"]
            case .share: [-0.000_1, 1.000_1, -1, 2]
            case .count: [-1, 9_007_199_254_740_992]
            case .flag: []
            case .words(let words): ["", words[0].uppercased(), words[0] + " ", words[0] + "s", "default-"]
            }
        }
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let kind: String
        let field: String
        let isRequired: Bool
        let rule: Rule

        var testDescription: String { "\(kind).\(field)" }

        init(_ kind: String, _ field: String, _ isRequired: Bool, _ rule: Rule) {
            (self.kind, self.field, self.isRequired, self.rule) = (kind, field, isRequired, rule)
        }
    }

    static let rows: [Row] = [
        Row("liveActivity", "title", true, .text(min: 1)), Row("liveActivity", "body", true, .text(min: 0)),
        Row("liveActivity", "progress", true, .share), Row("liveActivity", "deepLink", true, .link),
        Row("liveActivity", "modeLabel", true, .text(min: 1)),
        Row("liveActivity", "stage", true, .words(["prompted", "inProgress", "completing"])),
        Row("liveActivity", "contextLabel", false, .text(min: 0)),
        Row("liveActivity", "statusLine", false, .text(min: 0)),
        Row("liveActivity", "estimatedSeconds", false, .count),
        Row("liveActivity", "morePartsCount", false, .count),
        Row("liveActivity", "actionLabel", false, .text(min: 1)),
        Row("widget", "title", true, .text(min: 1)), Row("widget", "body", true, .text(min: 0)),
        Row("widget", "progress", true, .share), Row("widget", "deepLink", true, .link),
        Row("widget", "family", false, .words(["systemSmall", "systemMedium", "systemLarge"])),
        Row("widget", "reloadPolicy", false, .words(["manual", "afterDate"])),
        Row("control", "label", true, .text(min: 1)), Row("control", "deepLink", true, .link),
        Row("control", "controlKind", true, .words(["toggle", "button", "deepLink"])),
        Row("control", "state", false, .flag), Row("control", "intent", false, .text(min: 0)),
        Row("lockAccessory", "title", true, .text(min: 1)), Row("lockAccessory", "deepLink", true, .link),
        Row(
            "lockAccessory",
            "family",
            true,
            .words(["accessoryCircular", "accessoryRectangular", "accessoryInline"])
        ),
        Row("lockAccessory", "gaugeValue", false, .share),
        Row("standby", "title", true, .text(min: 1)), Row("standby", "body", true, .text(min: 0)),
        Row("standby", "progress", true, .share), Row("standby", "deepLink", true, .link),
        Row("standby", "presentation", false, .words(["card", "night"])),
        Row("standby", "tint", false, .words(["default", "monochrome"])),
        Row("notification", "title", true, .text(min: 1)), Row("notification", "body", true, .text(min: 0)),
        Row("notification", "deepLink", true, .link), Row("notification", "subtitle", false, .text(min: 1)),
        Row("notification", "category", false, .words(["surface-update"])),
        Row("notification", "threadId", false, .text(min: 1)),
        Row(
            "notification",
            "interruptionLevel",
            false,
            .words(["passive", "active", "timeSensitive", "critical"])
        ),
        Row("notification", "relevanceScore", false, .share),
        Row("notification", "targetContentId", false, .text(min: 1)),
    ]

    private func sample(_ kind: String) throws -> [String: Any] {
        try #require(Samples.all.first { $0.kind == kind }?.object)
    }

    /// The table has a row for each field that the samples show, and the samples show each field.
    @Test func everyFieldHasARow() throws {
        for (kind, object) in Samples.all {
            let shown = Set((object[kind] as? [String: Any] ?? [:]).keys)
            let listed = Set(Self.rows.filter { $0.kind == kind }.map(\.field))
            #expect(shown.subtracting(listed).subtracting(["shortText"]).isEmpty, "\(kind)")
            #expect(listed.subtracting(shown).isEmpty, "\(kind)")
        }
    }

    @Test(arguments: rows) func onlyAnOptionalFieldMayBeLeftOut(row: Row) throws {
        let without = try sample(row.kind).with(row.kind, row.field, nil)
        let fault = Wire.fault { _ = try Wire.snapshot(without) }
        if row.isRequired {
            #expect(fault?.problem == .missing && fault?.path == row.testDescription)
        } else {
            #expect(fault == nil)
        }
    }

    @Test(arguments: rows) func aValidFieldIsReadAndWrittenBack(row: Row) throws {
        for value in row.rule.right {
            let object = try sample(row.kind).with(row.kind, row.field, value)
            let written = try Wire.object(Wire.snapshot(object))
            #expect(Wire.equal(written, object), "\(value)")
        }
    }

    @Test(arguments: rows) func anInvalidFieldIsRefusedAtItsPlace(row: Row) throws {
        for value in row.rule.wrong {
            let object = try sample(row.kind).with(row.kind, row.field, value)
            let fault = Wire.fault { _ = try Wire.snapshot(object) }
            #expect(fault?.problem == .wrongValue && fault?.path == row.testDescription, "\(value)")
        }
        for value in [["a"], ["a": 1], NSNull()] as [Any] {
            let object = try sample(row.kind).with(row.kind, row.field, value)
            let fault = Wire.fault { _ = try Wire.snapshot(object) }
            #expect(fault?.path == row.testDescription && fault?.problem != .missing, "\(value)")
        }
    }

    @Test(arguments: ["queued", "active", "paused", "attention", "bad_timing", "completed"])
    func aStateIsAccepted(state: String) throws {
        #expect(try Wire.snapshot(Samples.widget.with("state", state)).state.rawValue == state)
        let other = state == "bad_timing" ? "badTiming" : state.capitalized
        #expect(Wire.fault { _ = try Wire.snapshot(Samples.widget.with("state", other)) }?.path == "state")
    }

    @Test(arguments: ["liveactivity", "Widget", "", "lock_accessory", "push"])
    func aKindOutsideTheSixIsRefused(kind: String) {
        let fault = Wire.fault { _ = try Wire.snapshot(Samples.widget.with("kind", kind)) }
        #expect(fault?.path == "kind" && fault?.problem == .wrongValue)
    }
}
