// A reply of a megabyte has a hundred thousand values, of which each is looked at once: they are found in one pass.

/// A JSON text with the places of all its values.
///
/// It takes only what no reader doubts: a text that it does not take may still be JSON, such as one in UTF-16, and is
/// for Foundation to read or to refuse.
final class FeedJSON: Sendable {
    /// What a value is.
    enum Form: UInt8, Sendable {
        case null, no, yes, number
        /// A text without escapes, and one with some.
        case text, escapedText
        /// Its values follow.
        case list
        /// Its keys and values follow in turn.
        case object
    }

    /// A value and the bytes between which it stands; texts without their quotes.
    struct Node: Sendable {
        let form: Form
        let start: Int32
        var end: Int32
        /// The node behind this value and all that is in it.
        var next: Int32
        /// Values of a list, pairs of an object; of a text its mark.
        var count: Int32
    }

    let bytes: [UInt8]
    /// In order of the text; the first is the whole.
    let nodes: [Node]

    init?(_ bytes: [UInt8]) {
        // Keys that nobody asks for are never read, and a reply that is damaged there is damaged all the same.
        guard String(validating: bytes, as: UTF8.self) != nil else { return nil }
        guard let nodes = bytes.withUnsafeBufferPointer({ FeedJSONScanner.nodes(of: $0) }) else { return nil }
        self.bytes = bytes
        self.nodes = nodes
    }

    // MARK: Values

    func text(_ node: Int) -> String? {
        let place = nodes[node]
        let slice = bytes[Int(place.start)..<Int(place.end)]
        switch place.form {
        case .text: return String(validating: slice, as: UTF8.self)
        case .escapedText: return FeedJSONText.unescaped(slice).flatMap { String(validating: $0, as: UTF8.self) }
        default: return nil
        }
    }

    func flag(_ node: Int) -> Bool? {
        switch nodes[node].form {
        case .yes: true
        case .no: false
        default: nil
        }
    }

    /// A whole number, also when it is written as 20.0.
    func integer<Number: FixedWidthInteger>(_ node: Int) -> Number? {
        let place = nodes[node]
        guard place.form == .number else { return nil }
        let digits = bytes[Int(place.start)..<Int(place.end)]
        if let small = FeedJSONNumber.whole(digits) { return Number(exactly: small) }
        guard let value = FeedJSONNumber.double(digits), abs(value) < FeedJSONNumber.exactMax else { return nil }
        return Number(exactly: value)
    }

    func double(_ node: Int) -> Double? {
        let place = nodes[node]
        guard place.form == .number else { return nil }
        return FeedJSONNumber.double(bytes[Int(place.start)..<Int(place.end)])
    }

    // MARK: Objects

    /// Pairs from which on keys are looked up in a table; a longer walk for each key would be a way to keep us busy.
    static let walkMax = 64

    /// The value of a key; of a key that stands twice the first, as Foundation has it.
    func value(of key: String, in object: Int) -> Int? {
        var key = key
        return key.withUTF8 { wanted in
            let mark = Self.mark(of: wanted[...])
            var name = object + 1
            for _ in 0..<nodes[object].count {
                if isKey(name, wanted, mark) { return name + 1 }
                name = Int(nodes[name + 1].next)
            }
            return nil
        }
    }

    /// Length and ends of a text: most keys that are not the wanted one differ in them already.
    static func mark(of text: Slice<UnsafeBufferPointer<UInt8>>) -> Int32 {
        guard let first = text.first, let last = text.last else { return 0 }
        return Int32(truncatingIfNeeded: text.count) &<< 16 | Int32(first) &<< 8 | Int32(last)
    }

    private func isKey(_ node: Int, _ wanted: UnsafeBufferPointer<UInt8>, _ mark: Int32) -> Bool {
        let place = nodes[node]
        if place.form == .escapedText { return text(node).map { $0.utf8.elementsEqual(wanted) } ?? false }
        guard place.count == mark, Int(place.end - place.start) == wanted.count else { return false }
        var at = Int(place.start)
        for byte in wanted {
            guard bytes[at] == byte else { return false }
            at += 1
        }
        return true
    }

    /// The keys of an object with the nodes of their values; nil when one is no text.
    func pairs(of object: Int) -> [(key: String, value: Int)]? {
        var pairs: [(key: String, value: Int)] = []
        pairs.reserveCapacity(Int(nodes[object].count))
        var name = object + 1
        for _ in 0..<nodes[object].count {
            guard let key = text(name) else { return nil }
            pairs.append((key, name + 1))
            name = Int(nodes[name + 1].next)
        }
        return pairs
    }
}
