// The portable snapshot, wire generation 5: one shape for every surface of a phone, told apart by `kind`.

/// What one surface shows at one revision.
///
/// A value of this type always keeps the contract: making one throws where a rule is broken, and decoding refuses
/// unknown keys, nulls and a slice of another kind. An editor's `$schema` has to be taken off before decoding.
public struct SurfaceSnapshot: Hashable, Sendable {
    /// The only generation that is read and written.
    public static let schemaVersion = "5"

    /// Identity of this revision; the same state always has the same one, by custom `<surfaceId>@<revision>`.
    public let id: String
    /// Identity of the surface through all its revisions.
    public let surfaceId: String
    /// When it was made; what comes late is dropped by it.
    public let updatedAt: SurfaceTime
    /// Where the subject stands in its life.
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

    /// Makes a snapshot; an empty id is refused.
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

    /// Where it is drawn.
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

    /// Where a tap leads.
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

    /// Decodes strictly; every failure is a `SurfaceError`.
    public init(from decoder: any Decoder) throws {
        // The kind decides which slice is known, so it is read before the other keys are judged.
        let probe = try StrictObject(decoder, known: StrictObject.names(in: decoder))
        let version: String = try probe.required("schemaVersion", as: "the text \"\(Self.schemaVersion)\"")
        guard version == Self.schemaVersion else {
            let expected = "the text \"\(Self.schemaVersion)\"; other generations are not read"
            throw SurfaceError(path: "schemaVersion", problem: .wrongValue, expected: expected)
        }
        let kind = try probe.word("kind", as: Kind.self)
        for other in Kind.allCases where other != kind && probe.contains(other.rawValue) {
            throw SurfaceError(path: other.rawValue, problem: .wrongKind, expected: "only the slice `\(kind.rawValue)`")
        }
        let object = try StrictObject(decoder, known: Self.frame + [kind.rawValue])
        try self.init(
            id: object.required("id", as: "a text"),
            surfaceId: object.required("surfaceId", as: "a text"),
            updatedAt: object.required("updatedAt", as: SurfaceTime.expectation),
            state: object.word("state"),
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

    /// Encodes; absent values leave their key out.
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
