// Describes the portable snapshot, key by key, as LiveSurface reads it.

internal import LiveSurface

/// The objects of the snapshot: a slice and a frame for each kind.
enum SnapshotDescription {
    static let objects = SurfaceSnapshot.Kind.allCases.flatMap { [slice($0), frame($0)] }
    static let snapshots = SurfaceSnapshot.Kind.allCases.map(frameName)

    private static func sliceName(_ kind: SurfaceSnapshot.Kind) -> String { capitalized(kind) + "Slice" }
    private static func frameName(_ kind: SurfaceSnapshot.Kind) -> String { capitalized(kind) + "Snapshot" }
    private static func capitalized(_ kind: SurfaceSnapshot.Kind) -> String {
        kind.rawValue.prefix(1).uppercased() + kind.rawValue.dropFirst()
    }

    private static func words<Word: SurfaceEnumeration>(_ type: Word.Type) -> SchemaType {
        .words(type.allCases.map(\.rawValue))
    }

    /// Strict RFC 3339; days beyond the length of a month are accepted here and refused by the reader.
    private static let timePattern =
        #"^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])T([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]"#
        + #"(\.[0-9]+)?(Z|[+-]([01][0-9]|2[0-3]):[0-5][0-9])$"#
    private static let filled = SchemaType.text(least: 1)
    private static let count = SchemaType.integer(least: 0, most: SurfaceLimits.largestInteger)

    private static let title = SchemaField.required("title", filled, "The headline.")
    private static let body = SchemaField.required("body", .text(), "The line below it; may be empty.")
    private static let progress = SchemaField.required("progress", .share, "The finished share, 0 to 1.")
    private static let deepLink = SchemaField.required(
        "deepLink",
        .text(pattern: #"^[a-z][a-z0-9+\-.]*://"#),
        "The link that a tap opens."
    )

    private static func frame(_ kind: SurfaceSnapshot.Kind) -> SchemaObject {
        SchemaObject(
            frameName(kind),
            "The content of one surface of kind \(kind.rawValue) at one revision.",
            .required("schemaVersion", .constant(SurfaceSnapshot.schemaVersion), "The generation."),
            .required("kind", .constant(kind.rawValue), "Where it is drawn."),
            .required("id", filled, "Identity of this revision."),
            .required("surfaceId", filled, "Identity of the surface through all its revisions."),
            .required("updatedAt", .text(pattern: timePattern), "RFC 3339 with seconds and zone."),
            .required("state", words(SurfaceSnapshot.State.self), "The phase of the subject."),
            .required(kind.rawValue, .object(sliceName(kind)), "The part that belongs to the kind.")
        )
    }

    private static func slice(_ kind: SurfaceSnapshot.Kind) -> SchemaObject {
        let fields =
            switch kind {
            case .liveActivity: activity
            case .widget: widget
            case .control: control
            case .lockAccessory: accessory
            case .standby: standby
            case .notification: notification
            }
        return SchemaObject(sliceName(kind), "The slice of kind \(kind.rawValue).", fields)
    }

    private static let activity: [SchemaField] = [
        title, body, progress, deepLink,
        .required("modeLabel", filled, "The short text of the Dynamic Island."),
        .required("stage", words(SurfaceSnapshot.Stage.self), "The stage of the activity."),
        .optional("contextLabel", .text(), "The subject it belongs to."),
        .optional("statusLine", .text(), "The summary in one line."),
        .optional("actionLabel", filled, "The label of its button."),
        .optional("estimatedSeconds", count, "Estimated seconds that remain."),
        .optional("morePartsCount", count, "The number of further parts."),
    ]
    private static let widget: [SchemaField] = [
        title, body, progress, deepLink,
        .optional("family", words(SurfaceSnapshot.WidgetFamily.self), "The size it was made for."),
        .optional("reloadPolicy", words(SurfaceSnapshot.ReloadPolicy.self), "The time of the widget's next reload."),
    ]
    private static let control: [SchemaField] = [
        .required("label", filled, "Its label."), deepLink,
        .required("controlKind", words(SurfaceSnapshot.ControlKind.self), "The action of a press."),
        .optional("state", .flag, "Whether a toggle is on."),
        .optional("intent", .text(), "The name of the intent that it runs."),
    ]
    private static let accessory: [SchemaField] = [
        title, deepLink,
        .required("family", words(SurfaceSnapshot.AccessoryFamily.self), "Its shape."),
        .optional("gaugeValue", .share, "The level of its gauge."),
        .optional(
            "shortText",
            .text(most: SurfaceLimits.shortTextUnits),
            "At most twenty UTF-16 units, which a schema cannot count."
        ),
    ]
    private static let standby: [SchemaField] = [
        title, body, progress, deepLink,
        .optional("presentation", words(SurfaceSnapshot.Presentation.self), "By day or by night; absent means card."),
        .optional("tint", words(SurfaceSnapshot.Tint.self), "Its colours."),
    ]
    private static let notification: [SchemaField] = [
        title, body, deepLink,
        .optional("subtitle", filled, "The line below the headline."),
        .optional("category", words(SurfaceSnapshot.Category.self), "The registered category."),
        .optional("threadId", filled, "The key of its group."),
        .optional("interruptionLevel", words(SurfaceSnapshot.InterruptionLevel.self), "Its interruption level."),
        .optional("relevanceScore", .share, "Its place in the summary."),
        .optional("targetContentId", filled, "The window that it belongs to."),
    ]
}
