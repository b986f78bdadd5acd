// Writes the bytes of snapshots and of pushes made from them, with the same keys in the same order every time.

public import LiveSurface
internal import ScoreTypes

extension SurfaceRenderer {
    /// The JSON of a snapshot.
    ///
    /// - Parameter snapshot: The snapshot to encode.
    /// - Returns: Compact JSON in UTF-8.
    public static func bytes(of snapshot: SurfaceSnapshot) -> [UInt8] {
        JSONWriter.document(reservingBytes: 768) { writer in
            writer.field("schemaVersion", SurfaceSnapshot.schemaVersion)
            writer.field("kind", snapshot.kind.rawValue)
            writer.field("id", snapshot.id)
            writer.field("surfaceId", snapshot.surfaceId)
            writer.field("updatedAt", snapshot.updatedAt.description)
            writer.field("state", snapshot.state.rawValue)
            writer.object(dynamic: snapshot.kind.rawValue) { write(snapshot.slice, to: &$0) }
        }
    }

    /// The JSON of the contract's content state.
    ///
    /// - Parameter content: The content state to encode.
    /// - Returns: Compact JSON in UTF-8.
    public static func bytes(of content: MobileSurfacesActivityAttributes.ContentState) -> [UInt8] {
        JSONWriter.document(reservingBytes: 256) { writer in
            writer.field("headline", content.headline)
            writer.field("subhead", content.subhead)
            writer.number("progress", content.progress)
            writer.field("stage", content.stage.rawValue)
        }
    }

    /// The JSON of the contract's attributes.
    ///
    /// - Parameter attributes: The attributes to encode.
    /// - Returns: Compact JSON in UTF-8.
    public static func bytes(of attributes: MobileSurfacesActivityAttributes) -> [UInt8] {
        JSONWriter.document(reservingBytes: 128) { writer in
            writer.field("surfaceId", attributes.surfaceId)
            writer.field("modeLabel", attributes.modeLabel)
        }
    }

    /// The JSON of a notification, which APNs receives as it is.
    ///
    /// - Parameter payload: The payload to encode.
    /// - Returns: Compact JSON in UTF-8.
    public static func bytes(of payload: NotificationPayload) -> [UInt8] {
        JSONWriter.document(reservingBytes: 1024) { writer in
            writer.field("schemaVersion", SurfaceSnapshot.schemaVersion)
            writer.key("aps")
            writer.object { write(payload.aps, to: &$0) }
            writer.key("liveSurface")
            writer.object { write(payload.liveSurface, to: &$0) }
        }
    }

    private static func write(_ aps: NotificationPayload.Aps, to writer: inout JSONWriter) {
        writer.key("alert")
        writer.object { alert in
            write(aps.alert.title, "title", ("title-loc-key", "title-loc-args"), to: &alert)
            if let subtitle = aps.alert.subtitle {
                write(subtitle, "subtitle", ("subtitle-loc-key", "subtitle-loc-args"), to: &alert)
            }
            write(aps.alert.body, "body", ("loc-key", "loc-args"), to: &alert)
        }
        writer.field("sound", ifPresent: aps.sound)
        writer.field("category", ifPresent: aps.category)
        writer.field("thread-id", ifPresent: aps.threadId)
        writer.field("interruption-level", ifPresent: aps.interruptionLevel)
        // Lets the app's notification service extension run, which refreshes widgets.
        writer.field("mutable-content", 1)
        writer.number("relevance-score", ifPresent: aps.relevanceScore)
        writer.field("target-content-id", ifPresent: aps.targetContentId)
    }

    private static func write(
        _ text: NotificationText,
        _ plain: StaticString,
        _ names: (key: StaticString, arguments: StaticString),
        to alert: inout JSONWriter
    ) {
        switch text {
        case .literal(let literal): alert.field(plain, literal)
        case .key(let key, let arguments):
            alert.field(names.key, key)
            if !arguments.isEmpty { alert.strings(names.arguments, arguments) }
        }
    }

    private static func write(_ sideCar: NotificationPayload.SideCar, to writer: inout JSONWriter) {
        if sideCar.schemaVersion != nil { writer.field("schemaVersion", SurfaceSnapshot.schemaVersion) }
        writer.field("kind", sideCar.kind)
        writer.field("snapshotId", sideCar.snapshotId)
        writer.field("surfaceId", sideCar.surfaceId)
        writer.field("state", sideCar.state.rawValue)
        writer.field("deepLink", sideCar.deepLink)
        writer.field("category", ifPresent: sideCar.category)
    }

    private static func write(_ slice: SurfaceSnapshot.Slice, to writer: inout JSONWriter) {
        switch slice {
        case .liveActivity(let slice): write(slice, to: &writer)
        case .widget(let slice):
            writer.field("title", slice.title)
            writer.field("body", slice.body)
            writer.number("progress", slice.progress)
            writer.field("deepLink", slice.deepLink)
            writer.field("family", ifPresent: slice.family?.rawValue)
            writer.field("reloadPolicy", ifPresent: slice.reloadPolicy?.rawValue)
        case .control(let slice):
            writer.field("label", slice.label)
            writer.field("deepLink", slice.deepLink)
            writer.field("controlKind", slice.controlKind.rawValue)
            if let state = slice.state { writer.field("state", state) }
            writer.field("intent", ifPresent: slice.intent)
        case .lockAccessory(let slice):
            writer.field("title", slice.title)
            writer.field("deepLink", slice.deepLink)
            writer.field("family", slice.family.rawValue)
            writer.number("gaugeValue", ifPresent: slice.gaugeValue)
            writer.field("shortText", ifPresent: slice.shortText)
        case .standby(let slice):
            writer.field("title", slice.title)
            writer.field("body", slice.body)
            writer.number("progress", slice.progress)
            writer.field("deepLink", slice.deepLink)
            writer.field("presentation", slice.presentation.rawValue)
            writer.field("tint", ifPresent: slice.tint?.rawValue)
        case .notification(let slice): write(slice, to: &writer)
        }
    }

    private static func write(_ slice: SurfaceSnapshot.LiveActivity, to writer: inout JSONWriter) {
        writer.field("title", slice.title)
        writer.field("body", slice.body)
        writer.number("progress", slice.progress)
        writer.field("deepLink", slice.deepLink)
        writer.field("modeLabel", slice.modeLabel)
        writer.field("contextLabel", ifPresent: slice.contextLabel)
        writer.field("statusLine", ifPresent: slice.statusLine)
        writer.field("actionLabel", ifPresent: slice.actionLabel)
        writer.field("stage", slice.stage.rawValue)
        if let seconds = slice.estimatedSeconds { writer.field("estimatedSeconds", seconds) }
        if let count = slice.morePartsCount { writer.field("morePartsCount", count) }
    }

    private static func write(_ slice: SurfaceSnapshot.Notification, to writer: inout JSONWriter) {
        writer.field("title", slice.title)
        writer.field("subtitle", ifPresent: slice.subtitle)
        writer.field("body", slice.body)
        writer.field("deepLink", slice.deepLink)
        writer.field("category", ifPresent: slice.category?.rawValue)
        writer.field("threadId", ifPresent: slice.threadId)
        writer.field("interruptionLevel", ifPresent: slice.interruptionLevel?.rawValue)
        writer.number("relevanceScore", ifPresent: slice.relevanceScore)
        writer.field("targetContentId", ifPresent: slice.targetContentId)
    }
}

extension JSONWriter {
    fileprivate mutating func number(_ name: StaticString, ifPresent value: Double?) {
        if let value { number(name, value) }
    }
}
