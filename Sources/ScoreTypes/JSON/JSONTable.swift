// A reply of a megabyte has a hundred thousand values: one pass finds them all, and each is decoded once.

internal import Glibc

/// A JSON text and a flat table of its values.
final class JSONTable: Sendable {
    /// The form of a value.
    enum Form: UInt8, Sendable, Hashable {
        case null, yes, no, number
        /// A string of plain ASCII without escapes, and any other string.
        case text, escapedText
        /// Its elements follow.
        case array
        /// Its names and values follow in turn.
        case object
    }

    /// A value and its bytes; strings without their quotes.
    struct Node: Sendable, Hashable {
        let form: Form
        let start: Int32
        var end: Int32
        /// The node after this value and all that it contains; of a name the node after its value.
        var next: Int32
        /// Elements of an array, members of an object; of a name its mark.
        var count: Int32

        /// The same value so many bytes and nodes later.
        func moved(by step: Int32, nodes jump: Int32) -> Node {
            Node(form: form, start: start + step, end: end + step, next: next + jump, count: count)
        }
    }

    let bytes: [UInt8]
    /// In order of the text; the first is the whole text.
    let nodes: [Node]
    /// Reuses rows of the text before; nil where no rows are kept.
    let rows: JSONRowReuse?

    /// Finds the values of a text.
    ///
    /// - Throws: `JSONSyntaxError`.
    init(_ bytes: [UInt8], _ syntax: JSONSyntax, rows: JSONRowReuse? = nil) throws(JSONSyntaxError) {
        nodes = try bytes.withUnsafeBufferPointer { text throws(JSONSyntaxError) in
            try JSONScanner.scan(text, syntax, after: rows?.earlier?.table)
        }
        self.bytes = bytes
        self.rows = rows
    }

    /// The same values without the rows of the text before, which would keep all earlier texts.
    init(copying other: JSONTable) {
        bytes = other.bytes
        nodes = other.nodes
        rows = nil
    }

    // MARK: Values

    /// The string; nil for another value, and for a string with an invalid escape, control character or UTF-8.
    func string(_ node: Int) -> String? {
        let place = nodes[node]
        let range = Int(place.start)..<Int(place.end)
        switch place.form {
        case .text:
            return bytes.withUnsafeBufferPointer {
                String(decoding: UnsafeBufferPointer(rebasing: $0[range]), as: UTF8.self)
            }
        case .escapedText: return bytes.withUnsafeBufferPointer { JSONText.string($0[range]) }
        default: return nil
        }
    }

    /// The integer, which may be written as `20.0`; nil for another value and beyond 64 bits.
    func integer(_ node: Int) -> Int64? {
        guard nodes[node].form == .number else { return nil }
        return withDigits(of: node) { digits in
            if let integer = JSONNumber.integer(digits) { return integer }
            guard let value = JSONNumber.double(digits), abs(value) < JSONNumber.exactBound else { return nil }
            return Int64(exactly: value)
        }
    }

    /// The number; nil for another value and beyond every `Double`.
    func double(_ node: Int) -> Double? {
        nodes[node].form == .number ? withDigits(of: node, JSONNumber.double) : nil
    }

    /// The characters of a number or a plain string.
    func withDigits<Result>(of node: Int, _ body: (Slice<UnsafeBufferPointer<UInt8>>) -> Result) -> Result {
        let place = nodes[node]
        return bytes.withUnsafeBufferPointer { body($0[Int(place.start)..<Int(place.end)]) }
    }

    /// Whether another text has the bytes of a value at an offset, where it is long enough.
    func hasSameBytes(_ place: Node, as other: UnsafeRawBufferPointer, at offset: Int) -> Bool {
        bytes.withUnsafeBytes { own in
            guard let own = own.baseAddress, let other = other.baseAddress else { return false }
            return memcmp(own + Int(place.start), other + offset, Int(place.end - place.start)) == 0
        }
    }

    // MARK: Members

    /// The value of a member; of several with the name the first.
    ///
    /// - Parameters:
    ///   - name: The name, or the same in camel case: `teamId` finds `team_id`, else `teamId`.
    ///   - object: The node of an object.
    /// - Returns: The node of the value; nil when no member has the name.
    func member(_ name: String, of object: Int) -> Int? {
        var name = name
        return name.withUTF8 { wanted in
            guard wanted.contains(where: Self.isUpperCase) else { return member(wanted, of: object) }
            let found = withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 2 * wanted.count) { snake in
                var count = 0
                for byte in wanted {
                    if Self.isUpperCase(byte) {
                        snake[count] = UInt8(ascii: "_")
                        count += 1
                    }
                    snake[count] = Self.isUpperCase(byte) ? byte | 0x20 : byte
                    count += 1
                }
                return member(UnsafeBufferPointer(rebasing: snake[..<count]), of: object)
            }
            return found ?? member(wanted, of: object)
        }
    }

    /// The value of a member by the exact bytes of its name.
    func member(_ wanted: UnsafeBufferPointer<UInt8>, of object: Int) -> Int? {
        let mark = Self.mark(of: wanted)
        return nodes.withUnsafeBufferPointer { nodes in
            bytes.withUnsafeBufferPointer { bytes in
                var node = object + 1
                for _ in 0..<nodes[object].count {
                    let place = nodes[node]
                    if place.count == mark || place.form == .escapedText, Self.isName(place, wanted, bytes) {
                        return node + 1
                    }
                    node = Int(place.next)
                }
                return nil
            }
        }
    }

    /// Length and ends of a name: most other names differ in them.
    static func mark(of name: UnsafeBufferPointer<UInt8>) -> Int32 {
        guard let first = name.first, let last = name.last else { return 0 }
        return Int32(truncatingIfNeeded: name.count) &<< 16 | Int32(first) &<< 8 | Int32(last)
    }

    private static func isUpperCase(_ byte: UInt8) -> Bool { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) }

    private static func isName(
        _ place: Node,
        _ wanted: UnsafeBufferPointer<UInt8>,
        _ bytes: UnsafeBufferPointer<UInt8>
    ) -> Bool {
        let name = bytes[Int(place.start)..<Int(place.end)]
        guard place.form == .text else { return JSONText.string(name)?.utf8.elementsEqual(wanted) ?? false }
        guard name.count == wanted.count else { return false }
        for index in wanted.indices where bytes[name.startIndex + index] != wanted[index] { return false }
        return true
    }
}
