// Decoding by the compiler's `init(from:)` costs three times as much as the reading of a member by its name.

/// A type that reads its members itself, since a document has thousands of its values.
public protocol JSONReadable: Decodable {
    /// Reads the value.
    ///
    /// - Throws: `JSONError` that names the place.
    init(json: JSONElement) throws
}

extension JSONReadable {
    /// Reads the value that a decoder has.
    ///
    /// - Throws: `JSONError` that names the place.
    public init(from decoder: any Decoder) throws { try self.init(json: JSONElement(from: decoder)) }
}

extension JSONElement {
    /// The value of a member by its exact name; nil where it is absent or `null`, and for a value that is no object.
    public func member(_ name: StaticString) -> JSONElement? {
        guard isObject else { return nil }
        let wanted = UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount)
        guard let found = table.member(wanted, of: node), table.nodes[found].form != .null else { return nil }
        return JSONElement(table, found)
    }

    /// Reads a member that is required.
    ///
    /// - Throws: `JSONError` that names the place.
    @inlinable
    public func read<Value: JSONReadable>(_ name: StaticString) throws -> Value {
        guard let value = member(name) else { throw missing(name) }
        return try Value(json: value)
    }

    /// Reads a member; nil where it is absent or `null`.
    ///
    /// - Throws: `JSONError` that names the place.
    @inlinable
    public func read<Value: JSONReadable>(_ name: StaticString) throws -> Value? {
        try member(name).map { try Value(json: $0) }
    }

    /// The error of a required member that is absent, or of a value that is no object.
    @usableFromInline
    func missing(_ name: StaticString) -> JSONError {
        isObject ? .missing(path: path(to: "\(name)")) : mismatch("an object")
    }

    /// The first element of an array that is not empty, and the value after an element.
    @usableFromInline var first: JSONElement { JSONElement(table, node + 1) }
    @usableFromInline var next: JSONElement { JSONElement(table, Int(table.nodes[node].next)) }

    /// The number of elements.
    ///
    /// - Throws: `JSONError` when the value is no array.
    @usableFromInline
    func elementCount() throws(JSONError) -> Int {
        guard isArray else { throw mismatch("an array") }
        return Int(table.nodes[node].count)
    }
}

extension Array: JSONReadable where Element: JSONReadable {
    /// Reads the elements of an array.
    ///
    /// - Throws: `JSONError` that names the place.
    @inlinable
    public init(json: JSONElement) throws {
        let count = try json.elementCount()
        self = []
        reserveCapacity(count)
        var element = json.first
        for _ in 0..<count {
            append(try Element(json: element))
            element = element.next
        }
    }
}

extension Bool: JSONReadable {
    /// Reads a boolean.
    ///
    /// - Throws: `JSONError` that names the place.
    public init(json: JSONElement) throws { self = try json.decode(Bool.self) }
}

extension Int: JSONReadable {
    /// Reads an integer, which may be written as `20.0`.
    ///
    /// - Throws: `JSONError` that names the place.
    public init(json: JSONElement) throws { self = try json.decode(Int.self) }
}

extension String: JSONReadable {
    /// Reads a string.
    ///
    /// - Throws: `JSONError` that names the place.
    public init(json: JSONElement) throws { self = try json.decode(String.self) }
}
