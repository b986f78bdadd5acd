// A document is decoded by `Decodable`; what has no fixed form is read value by value.

/// One value of a JSON text.
///
/// It is the decoder of types that are `Decodable`: a property `teamId` reads the member `team_id` or `teamId`, an
/// integer may be written as `20.0`, and an error names the place. A type that accepts several forms takes the element
/// itself: `init(from decoder: any Decoder) throws { let json = try JSONElement(from: decoder) … }`.
public struct JSONElement: Sendable {
    let table: JSONTable
    let node: Int

    /// Parses a text.
    ///
    /// - Throws: `JSONSyntaxError`.
    public init(parsing bytes: [UInt8], _ syntax: JSONSyntax) throws(JSONSyntaxError) {
        self.init(try JSONTable(bytes, syntax), 0)
    }

    init(_ table: JSONTable, _ node: Int) {
        self.table = table
        self.node = node
    }

    /// Decodes a reply: UTF-8, or UTF-16 and byte order marks, which some providers write.
    ///
    /// - Throws: `JSONSyntaxError`, `JSONError`, or what an initializer of the type throws itself.
    public static func read<Value: Decodable>(_ type: Value.Type, from body: [UInt8]) throws -> Value {
        try Value(from: JSONElement(lenient(body), 0))
    }

    static func lenient(_ body: [UInt8], rows: JSONRowReuse? = nil) throws(JSONSyntaxError) -> JSONTable {
        do throws(JSONSyntaxError) {
            return try JSONTable(body, .lenient, rows: rows)
        } catch {
            guard let text = JSONText.utf8(of: body) else { throw error }
            return try JSONTable(text, .lenient, rows: rows)
        }
    }

    /// The bytes of the value in its text, those of a string with its quotes.
    package var range: Range<Int> {
        let place = table.nodes[node]
        let quote = isString ? 1 : 0
        return Int(place.start) - quote..<Int(place.end) + quote
    }

    // MARK: Forms

    var form: JSONTable.Form { table.nodes[node].form }

    /// Whether the value is `null`.
    public var isNull: Bool { form == .null }
    /// Whether the value is an array.
    public var isArray: Bool { form == .array }
    /// Whether the value is an object.
    public var isObject: Bool { form == .object }
    /// Whether the value is a string, valid or not.
    public var isString: Bool { form == .text || form == .escapedText }
    /// Whether the value is `""`.
    public var isEmptyString: Bool { form == .text && table.nodes[node].start == table.nodes[node].end }

    // MARK: Values

    /// The boolean; nil for another value.
    public var bool: Bool? {
        switch form {
        case .yes: true
        case .no: false
        default: nil
        }
    }

    /// The string; nil for another value, and for a string with an invalid escape, control character or UTF-8.
    public var string: String? { table.string(node) }

    /// The integer, which may be written as `20.0`; nil for another value and beyond 64 bits.
    public var integer: Int64? { table.integer(node) }

    /// The integer when it is written without fraction and exponent.
    public var plainInteger: Int64? { form == .number ? table.withDigits(of: node, JSONNumber.integer) : nil }

    /// The number; nil for another value and beyond every `Double`.
    public var double: Double? { table.double(node) }

    /// The elements of an array; nil for another value.
    public var elements: [JSONElement]? {
        guard isArray else { return nil }
        return children { JSONElement(table, $0) }
    }

    /// The members of an object in their order; nil for another value.
    public var members: [(name: String, value: JSONElement)]? {
        guard isObject else { return nil }
        return children { (table.string($0) ?? "", JSONElement(table, $0 + 1)) }
    }

    /// The results of a function for the node of each element of an array, or of each name of an object.
    func children<Child>(_ child: (Int) -> Child) -> [Child] {
        var next = node + 1
        return (0..<table.nodes[node].count).map { _ in
            defer { next = Int(table.nodes[next].next) }
            return child(next)
        }
    }

    /// The value of a member, of several with the name the first; nil where there is none, and for another value.
    public subscript(name: String) -> JSONElement? {
        guard isObject else { return nil }
        return table.member(name, of: node).map { JSONElement(table, $0) }
    }

    /// The error of a value that has another form than expected; `null` counts as missing.
    ///
    /// - Parameter expected: The expected form, such as `an array`.
    /// - Returns: The error, with the path of the value.
    public func mismatch(_ expected: String) -> JSONError {
        isNull ? .missing(path: path) : .mismatch(path: path, expected: expected)
    }
}
