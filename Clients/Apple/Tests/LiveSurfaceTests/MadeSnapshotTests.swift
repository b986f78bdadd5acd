// A snapshot that is made, not read, keeps the same rules: bounds, texts, links, what is written and what replaces.

import Foundation
import LiveSurface
import Testing

/// Slices whose every value is right, unless a test says otherwise.
private enum Made {
    static func activity(
        title: String = "t",
        progress: Double = 0,
        link: String = Samples.link,
        mode: String = "m",
        action: String? = nil,
        seconds: Int? = nil,
        parts: Int? = nil
    ) throws -> SurfaceSnapshot.Slice {
        .liveActivity(
            try .init(
                title: title,
                body: "",
                progress: progress,
                deepLink: link,
                modeLabel: mode,
                actionLabel: action,
                stage: .prompted,
                estimatedSeconds: seconds,
                morePartsCount: parts
            )
        )
    }

    static func widget(_ title: String = "t", progress: Double = 0, link: String = Samples.link) throws
        -> SurfaceSnapshot.Slice
    { .widget(try .init(title: title, body: "", progress: progress, deepLink: link)) }

    static func control(_ label: String = "l", link: String = Samples.link) throws -> SurfaceSnapshot.Slice {
        .control(try .init(label: label, deepLink: link, controlKind: .button))
    }

    static func accessory(
        _ title: String = "t",
        link: String = Samples.link,
        gauge: Double? = nil,
        short: String? = nil
    ) throws -> SurfaceSnapshot.Slice {
        .lockAccessory(
            try .init(title: title, deepLink: link, family: .accessoryInline, gaugeValue: gauge, shortText: short)
        )
    }

    static func standby(_ title: String = "t", progress: Double = 0, link: String = Samples.link) throws
        -> SurfaceSnapshot.Slice
    { .standby(try .init(title: title, body: "", progress: progress, deepLink: link)) }

    static func notification(
        _ title: String = "t",
        subtitle: String? = nil,
        link: String = Samples.link,
        thread: String? = nil,
        score: Double? = nil,
        target: String? = nil
    ) throws -> SurfaceSnapshot.Slice {
        .notification(
            try .init(
                title: title,
                subtitle: subtitle,
                body: "",
                deepLink: link,
                threadId: thread,
                relevanceScore: score,
                targetContentId: target
            )
        )
    }

    static func snapshot(
        _ slice: SurfaceSnapshot.Slice,
        id: String = "a@1",
        surface: String = "a",
        at time: String = "2026-11-21T09:30:00Z"
    ) throws -> SurfaceSnapshot {
        let updatedAt = try SurfaceTime(time)
        return try SurfaceSnapshot(id: id, surfaceId: surface, updatedAt: updatedAt, state: .active, slice: slice)
    }
}

@Suite struct MadeSnapshotTests {
    private static let links: [(String, @Sendable (String) throws -> SurfaceSnapshot.Slice)] = [
        ("liveActivity", { try Made.activity(link: $0) }), ("widget", { try Made.widget(link: $0) }),
        ("control", { try Made.control(link: $0) }), ("lockAccessory", { try Made.accessory(link: $0) }),
        ("standby", { try Made.standby(link: $0) }), ("notification", { try Made.notification(link: $0) }),
    ]

    @Test func aLinkIsJudgedInEachSlice() throws {
        for (kind, make) in Self.links {
            for link in ["", "match/1", "Score://x", "mailto:x", "1a://x", "a_b://x", "a:/x"] {
                let fault = Wire.fault { _ = try make(link) }
                #expect(fault?.path == "deepLink" && fault?.problem == .wrongValue, "\(kind) \(link)")
            }
            for link in ["a://", "https://x.y/z?é", "h2+x-1.0://"] {
                #expect(try Made.snapshot(make(link)).deepLink == link, "\(kind)")
            }
        }
    }

    private static let texts: [(String, @Sendable () throws -> SurfaceSnapshot.Slice)] = [
        ("title", { try Made.activity(title: "") }), ("modeLabel", { try Made.activity(mode: "") }),
        ("actionLabel", { try Made.activity(action: "") }), ("title", { try Made.widget("") }),
        ("label", { try Made.control("") }), ("title", { try Made.accessory("") }),
        ("shortText", { try Made.accessory(short: String(repeating: "x", count: 21)) }),
        ("title", { try Made.standby("") }), ("title", { try Made.notification("") }),
        ("subtitle", { try Made.notification(subtitle: "") }), ("threadId", { try Made.notification(thread: "") }),
        ("targetContentId", { try Made.notification(target: "") }),
        ("estimatedSeconds", { try Made.activity(seconds: -1) }),
        ("estimatedSeconds", { try Made.activity(seconds: 9_007_199_254_740_992) }),
        ("morePartsCount", { try Made.activity(parts: -1) }),
        ("morePartsCount", { try Made.activity(parts: .max) }),
    ]

    @Test func aTextOrCountOutsideItsRuleIsRefused() {
        for (index, (key, make)) in Self.texts.enumerated() {
            let fault = Wire.fault { _ = try make() }
            #expect(fault?.path == key && fault?.problem == .wrongValue, "row \(index)")
        }
    }

    private static let shares: [(String, @Sendable (Double) throws -> SurfaceSnapshot.Slice)] = [
        ("progress", { try Made.activity(progress: $0) }), ("progress", { try Made.widget(progress: $0) }),
        ("progress", { try Made.standby(progress: $0) }), ("gaugeValue", { try Made.accessory(gauge: $0) }),
        ("relevanceScore", { try Made.notification(score: $0) }),
    ]

    /// Also what JSON cannot say: it would stop the encoder, not the maker.
    @Test func aShareOutsideItsBoundsIsRefused() {
        for value in [-0.001, 1.001, -1, 2, .nan, .infinity, -.infinity, .greatestFiniteMagnitude] as [Double] {
            for (key, make) in Self.shares {
                let fault = Wire.fault { _ = try make(value) }
                #expect(fault?.path == key && fault?.problem == .wrongValue, "\(value)")
            }
        }
    }

    @Test(arguments: [0, 1, 0.5, 0.000_001] as [Double]) func aShareAtItsBoundsIsAccepted(value: Double) throws {
        for (_, make) in Self.shares {
            let snapshot = try Made.snapshot(make(value))
            #expect(try Wire.snapshot(Wire.object(snapshot)) == snapshot)
        }
    }

    /// Missing values are never written; only `presentation` has a default.
    @Test func aMinimalSnapshotHasItsRequiredKeysOnly() throws {
        for slice in [
            try Made.activity(), try Made.widget(), try Made.control(), try Made.accessory(), try Made.standby(),
            try Made.notification(),
        ] {
            let snapshot = try Made.snapshot(slice)
            let kind = snapshot.kind.rawValue
            let written = try Wire.object(snapshot)
            let frame = ["id", "kind", "schemaVersion", "state", "surfaceId", "updatedAt", kind]
            #expect(written.keys.sorted() == frame.sorted())
            let required = SliceTableTests.rows.filter { $0.kind == kind && $0.isRequired }.map(\.field)
            let keys = try #require(written[kind] as? [String: Any]).keys.sorted()
            #expect(keys == (required + (kind == "standby" ? ["presentation"] : [])).sorted())
            #expect(try Wire.snapshot(written) == snapshot)
        }
    }

    @Test func aSnapshotNeedsItsIdentity() throws {
        let slice = try Made.control()
        #expect(Wire.fault { _ = try Made.snapshot(slice, id: "") }?.path == "id")
        #expect(Wire.fault { _ = try Made.snapshot(slice, surface: "") }?.path == "surfaceId")
        #expect(try Made.snapshot(slice, surface: "match 1").appGroupKey == "surface.snapshot.match 1")
    }

    /// `updatedAt` is there to drop what is late; the same revision is never drawn twice.
    @Test(arguments: [
        ("a@2", "a", "2026-11-21T09:30:00Z", true), ("a@2", "a", "2026-11-21T09:30:01Z", true),
        ("a@2", "a", "2026-11-21T09:29:59.999Z", false), ("a@1", "a", "2026-11-21T09:30:01Z", false),
        ("a@2", "b", "2026-11-21T09:30:01Z", false), ("a@2", "a", "2026-11-21T10:29:59+01:00", false),
        ("a@2", "a", "2026-11-21T10:30:00.5+01:00", true), ("a@0", "a", "2026-11-21T09:30:00.0Z", true),
    ])
    func aSnapshotReplacesAnother(id: String, surface: String, time: String, replaces: Bool) throws {
        let drawn = try Made.snapshot(Made.widget())
        let came = try Made.snapshot(Made.widget(), id: id, surface: surface, at: time)
        #expect(came.replaces(drawn) == replaces)
        let other = try Made.snapshot(Made.standby(), id: id, surface: surface, at: time)
        #expect(!other.replaces(drawn), "of another kind")
    }
}
