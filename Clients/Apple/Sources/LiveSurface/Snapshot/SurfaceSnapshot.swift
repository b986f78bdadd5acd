// The portable snapshot, contract version 5: one JSON form for every surface of a phone, distinguished by `kind`.

/// The content of one surface at one revision.
///
/// A value of this type always satisfies the contract: its initialiser throws for an invalid value, and decoding
/// refuses unknown keys, nulls and a slice of another kind. A `$schema` key of an editor has to be removed before
/// decoding.
public struct SurfaceSnapshot: Hashable, Sendable {
    /// The only contract version that is decoded and encoded.
    public static let schemaVersion = "5"

    /// Id of this revision, by convention `<surfaceId>@<revision>`; the same state always has the same id.
    public let id: String
    /// Id of the surface, the same in all its revisions.
    public let surfaceId: String
    /// When the revision was made; an older snapshot that arrives later is dropped.
    public let updatedAt: SurfaceTime
    /// The state of the subject.
    public let state: State
    /// The part that belongs to the kind.
    public let slice: Slice

    /// The slice of each kind.
    public enum Slice: Hashable, Sendable {
        case liveActivity(LiveActivity)
        case widget(Widget)
        case control(Control)
        case lockAccessory(LockAccessory)
        case standby(Standby)
        case notification(Notification)
    }

    /// Makes a snapshot.
    ///
    /// - Throws: `SurfaceError` when an id is empty.
    public init(
        id: String,
        surfaceId: String,
        updatedAt: SurfaceTime,
        state: State,
        slice: Slice
    ) throws(SurfaceError) {
        try SurfaceRule.filled(id, "id")
        try SurfaceRule.filled(surfaceId, "surfaceId")
        self.id = id
        self.surfaceId = surfaceId
        self.updatedAt = updatedAt
        self.state = state
        self.slice = slice
    }

    /// The kind of surface.
    public var kind: Kind {
        switch slice {
        case .liveActivity: .liveActivity
        case .widget: .widget
        case .control: .control
        case .lockAccessory: .lockAccessory
        case .standby: .standby
        case .notification: .notification
        }
    }

    /// The URL that a tap opens.
    public var deepLink: String {
        switch slice {
        case .liveActivity(let slice): slice.deepLink
        case .widget(let slice): slice.deepLink
        case .control(let slice): slice.deepLink
        case .lockAccessory(let slice): slice.deepLink
        case .standby(let slice): slice.deepLink
        case .notification(let slice): slice.deepLink
        }
    }

    /// The key under which an App Group keeps the surface's newest snapshot.
    public var appGroupKey: String { "surface.snapshot.\(surfaceId)" }

    /// Whether this is to be drawn in place of the other: same surface and kind, another revision, and not older.
    public func replaces(_ other: SurfaceSnapshot) -> Bool {
        surfaceId == other.surfaceId && kind == other.kind && id != other.id && updatedAt >= other.updatedAt
    }
}

extension SurfaceSnapshot: Codable {
    private static let frame = ["schemaVersion", "kind", "id", "surfaceId", "updatedAt", "state"]

    /// Decodes strictly.
    ///
    /// - Throws: `SurfaceError`.
    public init(from decoder: any Decoder) throws {
        // The kind defines which slice is permitted, so it is read before the other keys are checked.
        let probe = try StrictObject(decoder, known: nil)
        let version: String = try probe.required("schemaVersion", as: "the text \"\(Self.schemaVersion)\"")
        guard version == Self.schemaVersion else {
            let expected = "the text \"\(Self.schemaVersion)\"; other generations are not read"
            throw SurfaceError(path: "schemaVersion", problem: .wrongValue, expected: expected)
        }
        let kind = try probe.enumeration("kind", as: Kind.self)
        for other in Kind.allCases where other != kind && probe.contains(other.rawValue) {
            throw SurfaceError(path: other.rawValue, problem: .wrongKind, expected: "only the slice `\(kind.rawValue)`")
        }
        let object = try StrictObject(decoder, known: Self.frame + [kind.rawValue])
        try self.init(
            id: object.required("id", as: "a text"),
            surfaceId: object.required("surfaceId", as: "a text"),
            updatedAt: object.required("updatedAt", as: SurfaceTime.expectation),
            state: object.enumeration("state"),
            slice: Self.slice(kind, of: object)
        )
    }

    private static func slice(_ kind: Kind, of object: StrictObject) throws(SurfaceError) -> Slice {
        let expected = "the object of a \(kind.rawValue)"
        return switch kind {
        case .liveActivity: .liveActivity(try object.required(kind.rawValue, as: expected))
        case .widget: .widget(try object.required(kind.rawValue, as: expected))
        case .control: .control(try object.required(kind.rawValue, as: expected))
        case .lockAccessory: .lockAccessory(try object.required(kind.rawValue, as: expected))
        case .standby: .standby(try object.required(kind.rawValue, as: expected))
        case .notification: .notification(try object.required(kind.rawValue, as: expected))
        }
    }

    /// Encodes; keys of absent values are omitted.
    ///
    /// - Throws: The encoder's errors.
    public func encode(to encoder: any Encoder) throws {
        var keys = encoder.container(keyedBy: AnyKey.self)
        func key(_ name: String) -> AnyKey { AnyKey(stringValue: name) }
        try keys.encode(Self.schemaVersion, forKey: key("schemaVersion"))
        try keys.encode(kind, forKey: key("kind"))
        try keys.encode(id, forKey: key("id"))
        try keys.encode(surfaceId, forKey: key("surfaceId"))
        try keys.encode(updatedAt, forKey: key("updatedAt"))
        try keys.encode(state, forKey: key("state"))
        switch slice {
        case .liveActivity(let slice): try keys.encode(slice, forKey: key(kind.rawValue))
        case .widget(let slice): try keys.encode(slice, forKey: key(kind.rawValue))
        case .control(let slice): try keys.encode(slice, forKey: key(kind.rawValue))
        case .lockAccessory(let slice): try keys.encode(slice, forKey: key(kind.rawValue))
        case .standby(let slice): try keys.encode(slice, forKey: key(kind.rawValue))
        case .notification(let slice): try keys.encode(slice, forKey: key(kind.rawValue))
        }
    }
}
