// What the views of an app's extension read from the App Group: one small envelope for each kind.

/// The generation that stands in every envelope; another one is refused before anything else is read.
public struct SurfaceGeneration: Codable, Hashable, Sendable {
    /// The generation of this library.
    public init() {}

    /// Decodes the text `"5"` and nothing else.
    public init(from decoder: any Decoder) throws {
        guard try decoder.singleValueContainer().decode(String.self) == SurfaceSnapshot.schemaVersion else {
            let expected = "the text \"\(SurfaceSnapshot.schemaVersion)\""
            throw SurfaceError(path: "schemaVersion", problem: .wrongValue, expected: expected)
        }
    }

    /// Encodes the text `"5"`.
    public func encode(to encoder: any Encoder) throws {
        var value = encoder.singleValueContainer()
        try value.encode(SurfaceSnapshot.schemaVersion)
    }
}

/// An envelope that belongs to one kind of surface.
public protocol SurfaceEnvelope: Codable, Hashable, Sendable {
    /// The only kind that it carries.
    static var kind: SurfaceSnapshot.Kind { get }
}

/// The word at `kind` of an envelope; another one is refused, since what it says would be drawn in the wrong place.
public struct EnvelopeKind<Envelope: SurfaceEnvelope>: Codable, Hashable, Sendable {
    /// The word of the envelope.
    public init() {}

    /// The word itself.
    public var word: SurfaceSnapshot.Kind { Envelope.kind }

    /// Decodes the envelope's own word and nothing else.
    public init(from decoder: any Decoder) throws {
        let found = try decoder.singleValueContainer().decode(String.self)
        guard found == Envelope.kind.rawValue else {
            // What stands there came from outside and is not repeated in full.
            let given = SurfaceSnapshot.Kind(rawValue: found).map { "`\($0.rawValue)`" } ?? "an unknown word"
            let expected = "`\(Envelope.kind.rawValue)`, not \(given)"
            throw SurfaceError(path: "kind", problem: .wrongKind, expected: expected)
        }
    }

    /// Encodes the envelope's word.
    public func encode(to encoder: any Encoder) throws {
        var value = encoder.singleValueContainer()
        try value.encode(Envelope.kind)
    }
}

/// What a widget draws.
public struct WidgetEntry: SurfaceEnvelope {
    /// A widget's.
    public static var kind: SurfaceSnapshot.Kind { .widget }

    /// The contract's generation.
    public let schemaVersion: SurfaceGeneration
    /// `widget`.
    public let kind: EnvelopeKind<WidgetEntry>
    /// The snapshot's `id`.
    public let snapshotId: String
    /// The surface.
    public let surfaceId: String
    /// Where the subject stands.
    public let state: SurfaceSnapshot.State
    /// The size, when one was named.
    public let family: SurfaceSnapshot.WidgetFamily?
    /// When to ask again, when it was named.
    public let reloadPolicy: SurfaceSnapshot.ReloadPolicy?
    /// The headline.
    public let headline: String
    /// The line below it.
    public let subhead: String
    /// How much is done, 0 to 1.
    public let progress: Double
    /// What a tap opens.
    public let deepLink: String
}

/// What a control shows; it has no lifecycle.
public struct ControlValue: SurfaceEnvelope {
    /// A control's.
    public static var kind: SurfaceSnapshot.Kind { .control }

    /// The contract's generation.
    public let schemaVersion: SurfaceGeneration
    /// `control`.
    public let kind: EnvelopeKind<ControlValue>
    /// The snapshot's `id`.
    public let snapshotId: String
    /// The surface.
    public let surfaceId: String
    /// What pressing it does.
    public let controlKind: SurfaceSnapshot.ControlKind
    /// Whether a toggle is on; false is not the same as absent.
    public let value: Bool?
    /// The intent, when one was named.
    public let intent: String?
    /// The words on it.
    public let label: String
    /// What it opens.
    public let deepLink: String
}

/// What a Lock Screen accessory draws.
public struct LockAccessoryEntry: SurfaceEnvelope {
    /// A Lock Screen accessory's.
    public static var kind: SurfaceSnapshot.Kind { .lockAccessory }

    /// The contract's generation.
    public let schemaVersion: SurfaceGeneration
    /// `lockAccessory`.
    public let kind: EnvelopeKind<LockAccessoryEntry>
    /// The snapshot's `id`.
    public let snapshotId: String
    /// The surface.
    public let surfaceId: String
    /// Where the subject stands.
    public let state: SurfaceSnapshot.State
    /// Its shape.
    public let family: SurfaceSnapshot.AccessoryFamily
    /// The headline.
    public let headline: String
    /// At most twenty UTF-16 units.
    public let shortText: String?
    /// How full the gauge is, 0 to 1.
    public let gaugeValue: Double?
    /// What a tap opens.
    public let deepLink: String
}

/// What a StandBy card draws.
public struct StandbyEntry: SurfaceEnvelope {
    /// A StandBy card's.
    public static var kind: SurfaceSnapshot.Kind { .standby }

    /// The contract's generation.
    public let schemaVersion: SurfaceGeneration
    /// `standby`.
    public let kind: EnvelopeKind<StandbyEntry>
    /// The snapshot's `id`.
    public let snapshotId: String
    /// The surface.
    public let surfaceId: String
    /// Where the subject stands.
    public let state: SurfaceSnapshot.State
    /// By day or by night.
    public let presentation: SurfaceSnapshot.Presentation
    /// Its colours, when they were named.
    public let tint: SurfaceSnapshot.Tint?
    /// The headline.
    public let headline: String
    /// The line below it.
    public let subhead: String
    /// How much is done, 0 to 1.
    public let progress: Double
    /// What a tap opens.
    public let deepLink: String
}
