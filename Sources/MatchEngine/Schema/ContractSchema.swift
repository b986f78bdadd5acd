// Describes what phones decode in one place, from which JSON Schema and TypeScript are written.

internal import LiveSurface

/// The contracts that are described.
public enum ContractSchema: String, Sendable, CaseIterable {
    /// The content state of pushes, snapshot and stream.
    case contentState = "content-state"
    /// The portable snapshot.
    case snapshot

    /// One line for people.
    var title: String {
        switch self {
        case .contentState: "Content state of a match's Live Activity"
        case .snapshot: "Portable snapshot of one surface, wire generation 5"
        }
    }

    /// The objects, the outermost last; those that refer to others stand behind them.
    var objects: [SchemaObject] {
        switch self {
        case .contentState: ContentStateDescription.objects
        case .snapshot: SnapshotDescription.objects
        }
    }

    /// What the document is: one object, or one of several.
    var root: SchemaRoot {
        switch self {
        case .contentState: .object("ContentState")
        case .snapshot: .oneOf("SurfaceSnapshot", SnapshotDescription.snapshots)
        }
    }

    /// Whether keys that are not described are refused; content states grow, snapshots do not.
    var isClosed: Bool { self == .snapshot }
}

/// The outermost type of a contract.
enum SchemaRoot: Sendable {
    case object(String)
    case oneOf(String, [String])
}

/// An object with its keys in order.
struct SchemaObject: Sendable {
    let name: String
    let about: String
    let fields: [SchemaField]
}

/// One key of an object.
struct SchemaField: Sendable {
    let key: String
    let type: SchemaType
    let isRequired: Bool
    let about: String

    static func required(_ key: String, _ type: SchemaType, _ about: String) -> SchemaField {
        SchemaField(key: key, type: type, isRequired: true, about: about)
    }

    static func optional(_ key: String, _ type: SchemaType, _ about: String) -> SchemaField {
        SchemaField(key: key, type: type, isRequired: false, about: about)
    }
}

/// What may stand at a key.
indirect enum SchemaType: Sendable {
    case text(least: Int? = nil, most: Int? = nil, pattern: String? = nil)
    case integer(least: Int? = nil, most: Int? = nil)
    case share
    case flag
    case constant(String)
    /// A closed list; any other word is refused.
    case words([String])
    /// A list that grows; a reader has to live with a word it does not know.
    case openWords([String])
    /// A closed list of numbers.
    case numbers([Int])
    case object(String)
    case list(SchemaType, least: Int? = nil, most: Int? = nil)
}
