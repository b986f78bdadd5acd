// Describes the contracts that phones decode; JSON Schema and TypeScript are generated from the descriptions.

/// The described contracts.
public enum ContractSchema: String, Sendable, CaseIterable {
    /// The content state of pushes, HTTP snapshot and stream.
    case contentState = "content-state"
    /// The portable snapshot.
    case snapshot

    /// One line for readers.
    var title: String {
        switch self {
        case .contentState: "Content state of a match's Live Activity"
        case .snapshot: "Portable snapshot of one surface, wire generation 5"
        }
    }

    /// The objects, the outermost last; each after the objects that it refers to.
    var objects: [SchemaObject] {
        switch self {
        case .contentState: ContentStateDescription.objects
        case .snapshot: SnapshotDescription.objects
        }
    }

    /// The outermost type of the document.
    var root: SchemaRoot {
        switch self {
        case .contentState: .object("ContentState")
        case .snapshot: .oneOf("SurfaceSnapshot", SnapshotDescription.snapshots)
        }
    }

    /// Whether keys that are not described are refused; content states get new keys, snapshots do not.
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

    init(_ name: String, _ about: String, _ fields: SchemaField...) { self.init(name, about, fields) }

    init(_ name: String, _ about: String, _ fields: [SchemaField]) {
        (self.name, self.about, self.fields) = (name, about, fields)
    }
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

/// The type of a value.
indirect enum SchemaType: Sendable {
    case text(least: Int? = nil, most: Int? = nil, pattern: String? = nil)
    case integer(least: Int? = nil, most: Int? = nil)
    case share
    case flag
    case constant(String)
    /// A closed list; any other value is refused.
    case words([String])
    /// An open list; a reader must accept a value that it does not know.
    case openWords([String])
    /// A closed list of numbers.
    case numbers([Int])
    case object(String)
    case list(SchemaType, least: Int? = nil, most: Int? = nil)
}
