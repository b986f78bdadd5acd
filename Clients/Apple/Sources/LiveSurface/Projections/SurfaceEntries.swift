// The envelopes that the views of an app's extension read from the App Group, one type for each kind of surface.

/// The version of the contract in every envelope; another version is refused before anything else is read.
public struct SurfaceGeneration: Codable, Hashable, Sendable {
    /// The version of this library.
    public init() {}

    /// Decodes the string `"5"`.
    ///
    /// - Throws: `SurfaceError` for another value; `DecodingError` for another type.
    public init(from decoder: any Decoder) throws {
        guard try decoder.singleValueContainer().decode(String.self) == SurfaceSnapshot.schemaVersion else {
            let expected = "the text \"\(SurfaceSnapshot.schemaVersion)\""
            throw SurfaceError(path: "schemaVersion", problem: .wrongValue, expected: expected)
        }
    }

    /// Encodes the string `"5"`.
    ///
    /// - Throws: The encoder's errors.
    public func encode(to encoder: any Encoder) throws {
        var value = encoder.singleValueContainer()
        try value.encode(SurfaceSnapshot.schemaVersion)
    }
}

/// An envelope of one kind of surface.
public protocol SurfaceEnvelope: Codable, Hashable, Sendable {
    /// The kind.
    static var kind: SurfaceSnapshot.Kind { get }
}

/// The value of `kind` in an envelope; another kind is refused, since it would be drawn by the wrong view.
public struct EnvelopeKind<Envelope: SurfaceEnvelope>: Codable, Hashable, Sendable {
    /// The kind of the envelope.
    public init() {}

    /// The kind.
    public var value: SurfaceSnapshot.Kind { Envelope.kind }

    /// Decodes the kind of the envelope.
    ///
    /// - Throws: `SurfaceError` for another kind; `DecodingError` for another type.
    public init(from decoder: any Decoder) throws {
        let found = try decoder.singleValueContainer().decode(String.self)
        guard found == Envelope.kind.rawValue else {
            // The value is external and is not repeated in full.
            let given = SurfaceSnapshot.Kind(rawValue: found).map { "`\($0.rawValue)`" } ?? "an unknown value"
            let expected = "`\(Envelope.kind.rawValue)`, not \(given)"
            throw SurfaceError(path: "kind", problem: .wrongKind, expected: expected)
        }
    }

    /// Encodes the kind.
    ///
    /// - Throws: The encoder's errors.
    public func encode(to encoder: any Encoder) throws {
        var value = encoder.singleValueContainer()
        try value.encode(Envelope.kind)
    }
}

/// The data of a widget.
public struct WidgetEntry: SurfaceEnvelope {
    /// Always `widget`.
    public static var kind: SurfaceSnapshot.Kind { .widget }

    /// The version of the contract.
    public private(set) var schemaVersion = SurfaceGeneration()
    /// Always `widget`.
    public private(set) var kind = EnvelopeKind<WidgetEntry>()
    /// The id of the snapshot.
    public let snapshotId: String
    /// The id of the surface.
    public let surfaceId: String
    /// The state of the subject.
    public let state: SurfaceSnapshot.State
    /// The size; nil for any.
    public let family: SurfaceSnapshot.WidgetFamily?
    /// When the widget requests its next timeline; nil when unspecified.
    public let reloadPolicy: SurfaceSnapshot.ReloadPolicy?
    /// The title.
    public let headline: String
    /// The line below it.
    public let subhead: String
    /// The completed share, 0 to 1.
    public let progress: Double
    /// The URL that a tap opens.
    public let deepLink: String
}

/// The data of a control; it has no lifecycle.
public struct ControlValue: SurfaceEnvelope {
    /// Always `control`.
    public static var kind: SurfaceSnapshot.Kind { .control }

    /// The version of the contract.
    public private(set) var schemaVersion = SurfaceGeneration()
    /// Always `control`.
    public private(set) var kind = EnvelopeKind<ControlValue>()
    /// The id of the snapshot.
    public let snapshotId: String
    /// The id of the surface.
    public let surfaceId: String
    /// The action of the control.
    public let controlKind: SurfaceSnapshot.ControlKind
    /// Whether a toggle is on; nil for other controls.
    public let value: Bool?
    /// The intent that it runs; nil for none.
    public let intent: String?
    /// The text on the control.
    public let label: String
    /// The URL that it opens.
    public let deepLink: String
}

/// The data of a Lock Screen accessory.
public struct LockAccessoryEntry: SurfaceEnvelope {
    /// Always `lockAccessory`.
    public static var kind: SurfaceSnapshot.Kind { .lockAccessory }

    /// The version of the contract.
    public private(set) var schemaVersion = SurfaceGeneration()
    /// Always `lockAccessory`.
    public private(set) var kind = EnvelopeKind<LockAccessoryEntry>()
    /// The id of the snapshot.
    public let snapshotId: String
    /// The id of the surface.
    public let surfaceId: String
    /// The state of the subject.
    public let state: SurfaceSnapshot.State
    /// The shape.
    public let family: SurfaceSnapshot.AccessoryFamily
    /// The title.
    public let headline: String
    /// At most twenty UTF-16 units.
    public let shortText: String?
    /// Value of the gauge, 0 to 1; nil without a gauge.
    public let gaugeValue: Double?
    /// The URL that a tap opens.
    public let deepLink: String
}

/// The data of a StandBy card.
public struct StandbyEntry: SurfaceEnvelope {
    /// Always `standby`.
    public static var kind: SurfaceSnapshot.Kind { .standby }

    /// The version of the contract.
    public private(set) var schemaVersion = SurfaceGeneration()
    /// Always `standby`.
    public private(set) var kind = EnvelopeKind<StandbyEntry>()
    /// The id of the snapshot.
    public let snapshotId: String
    /// The id of the surface.
    public let surfaceId: String
    /// The state of the subject.
    public let state: SurfaceSnapshot.State
    /// The presentation by day or by night.
    public let presentation: SurfaceSnapshot.Presentation
    /// The colours; nil for the default ones.
    public let tint: SurfaceSnapshot.Tint?
    /// The title.
    public let headline: String
    /// The line below it.
    public let subhead: String
    /// The completed share, 0 to 1.
    public let progress: Double
    /// The URL that a tap opens.
    public let deepLink: String
}
