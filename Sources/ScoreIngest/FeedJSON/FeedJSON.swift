// A reply of a megabyte has a hundred thousand values, of which each is looked at once: they are found in one pass.

/// A JSON text with the places of all its values.
///
/// It takes JSON as the standard has it, except that texts which nobody asks for may be damaged, as Foundation has it.
final class FeedJSON: Sendable {
    /// What a value is.
    enum Form: UInt8, Sendable {
        case null, no, yes, number
        /// A text of plain ASCII, and one with escapes, accents, or what should have been escaped.
        case text, oddText
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
        /// The node behind this value and all that is in it; of a key that behind its value.
        var next: Int32
        /// Values of a list, pairs of an object; of a text its mark, below 0 of an odd one.
        var count: Int32
    }

    let bytes: [UInt8]
    /// In order of the text; the first is the whole.
    let nodes: [Node]

    /// Finds the values; nil when they do not stand as in JSON.
    ///
    /// Texts are looked into when they are asked for, so a damaged one that nobody needs does no harm.
    init?(_ bytes: [UInt8]) {
        guard let nodes = bytes.withUnsafeBufferPointer({ FeedJSONScanner.nodes(of: $0) }) else { return nil }
        self.bytes = bytes
        self.nodes = nodes
    }

    /// Reads a body: a text in UTF-8, or what hardly any feed writes.
    static func read(_ body: [UInt8]) -> FeedJSON? {
        FeedJSON(body) ?? FeedJSONText.rewritten(body).flatMap(FeedJSON.init)
    }

    // MARK: Values

    func text(_ node: Int) -> String? {
        let place = nodes[node]
        let range = Int(place.start)..<Int(place.end)
        switch place.form {
        case .text:
            return bytes.withUnsafeBufferPointer {
                String(decoding: UnsafeBufferPointer(rebasing: $0[range]), as: UTF8.self)
            }
        case .oddText: return bytes.withUnsafeBufferPointer { FeedJSONText.text($0[range]) }
        default: return nil
        }
    }

    /// A whole number, also when it is written as 20.0.
    func integer(_ node: Int) -> Int64? {
        let place = nodes[node]
        guard place.form == .number else { return nil }
        return bytes.withUnsafeBufferPointer { bytes in
            let digits = bytes[Int(place.start)..<Int(place.end)]
            if let whole = FeedJSONNumber.whole(digits) { return whole }
            guard let value = FeedJSONNumber.double(digits), abs(value) < FeedJSONNumber.exactMax else { return nil }
            return Int64(exactly: value)
        }
    }

    func double(_ node: Int) -> Double? {
        let place = nodes[node]
        guard place.form == .number else { return nil }
        return bytes.withUnsafeBufferPointer { FeedJSONNumber.double($0[Int(place.start)..<Int(place.end)]) }
    }

    /// The number that a text of few digits writes: most numbers of some feeds stand in quotes.
    func digits(_ node: Int) -> Double? {
        let place = nodes[node]
        guard place.form == .text else { return nil }
        return bytes.withUnsafeBufferPointer { bytes in
            let text = bytes[Int(place.start)..<Int(place.end)]
            guard let first = text.first, first != UInt8(ascii: "-") else { return nil }
            return FeedJSONNumber.whole(text).flatMap { Double(exactly: $0) }
        }
    }

    // MARK: Objects

    /// The value of a key; of a key that stands twice the first, as Foundation has it.
    func value(of key: StaticString, in object: Int) -> Int? {
        let wanted = UnsafeBufferPointer(start: key.utf8Start, count: key.utf8CodeUnitCount)
        let mark = Self.mark(of: wanted[...])
        return nodes.withUnsafeBufferPointer { nodes in
            bytes.withUnsafeBufferPointer { bytes in
                var name = object + 1
                for _ in 0..<nodes[object].count {
                    let place = nodes[name]
                    if place.count == mark || place.count < 0, isKey(place, wanted, bytes) { return name + 1 }
                    name = Int(place.next)
                }
                return nil
            }
        }
    }

    /// Length and ends of a text: most keys that are not the wanted one differ in them already.
    static func mark(of text: Slice<UnsafeBufferPointer<UInt8>>) -> Int32 {
        guard let first = text.first, let last = text.last else { return 0 }
        return Int32(truncatingIfNeeded: text.count) &<< 16 | Int32(first) &<< 8 | Int32(last)
    }

    private func isKey(
        _ place: Node,
        _ wanted: UnsafeBufferPointer<UInt8>,
        _ bytes: UnsafeBufferPointer<UInt8>
    ) -> Bool {
        let (start, end) = (Int(place.start), Int(place.end))
        guard place.form == .text else {
            return FeedJSONText.text(bytes[start..<end])?.utf8.elementsEqual(wanted) ?? false
        }
        guard end - start == wanted.count else { return false }
        for index in wanted.indices where bytes[start + index] != wanted[index] { return false }
        return true
    }
}
