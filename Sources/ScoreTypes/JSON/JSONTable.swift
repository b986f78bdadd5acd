// A reply of a megabyte has a hundred thousand values, of which each is looked at once: they are found in one pass.

internal import Synchronization

/// A JSON text with the places of all its values.
///
/// It takes JSON as the standard has it, except that texts which nobody asks for may be damaged, as Foundation has it.
final class FeedJSON: Sendable {
    /// What a value is.
    enum Form: UInt8, Sendable, Hashable {
        case null, no, yes, number
        /// A text of plain ASCII, and one with escapes, accents, or what should have been escaped.
        case text, oddText
        /// Its values follow.
        case list
        /// Its keys and values follow in turn.
        case object
    }

    /// A value and the bytes between which it stands; texts without their quotes.
    struct Node: Sendable, Hashable {
        let form: Form
        let start: Int32
        var end: Int32
        /// The node behind this value and all that is in it; of a key that behind its value.
        var next: Int32
        /// Values of a list, pairs of an object; of a text its mark, below 0 of an odd one.
        var count: Int32

        /// The same value so many bytes and nodes further on.
        func moved(by step: Int32, nodes jump: Int32) -> Node {
            Node(form: form, start: start + step, end: end + step, next: next + jump, count: count)
        }
    }

    let bytes: [UInt8]
    /// In order of the text; the first is the whole.
    let nodes: [Node]
    /// What stands as in an earlier text, in order.
    private let links: [FeedLink]
    /// The rows of that text.
    let earlierRows: [Int: any Sendable]
    /// Whether rows are kept for the next text.
    let keepsRows: Bool
    private let rows = Mutex<[Int: any Sendable]>([:])

    /// Finds the values; nil when they do not stand as in JSON.
    ///
    /// Texts are looked into when they are asked for, so a damaged one that nobody needs does no harm. An earlier text
    /// saves time and changes nothing: the nodes are the same with it and without it.
    init?(_ bytes: [UInt8], after earlier: FeedTrace? = nil, keepsRows: Bool = false) {
        guard let found = bytes.withUnsafeBufferPointer({ FeedJSONScanner.scan($0, after: earlier) }) else {
            return nil
        }
        self.bytes = bytes
        nodes = found.nodes
        links = found.links
        earlierRows = earlier?.rows ?? [:]
        self.keepsRows = keepsRows
    }

    /// Reads a body: a text in UTF-8, or what hardly any feed writes.
    static func read(_ body: [UInt8], after earlier: FeedTrace? = nil, keepsRows: Bool = false) -> FeedJSON? {
        FeedJSON(body, after: earlier, keepsRows: keepsRows)
            ?? FeedJSONText.rewritten(body).flatMap { FeedJSON($0, after: earlier, keepsRows: keepsRows) }
    }

    // MARK: Earlier text

    /// What to keep for the next text of this kind.
    var trace: FeedTrace { FeedTrace(bytes: bytes, nodes: nodes, rows: rows.withLock { $0 }) }

    /// Keeps rows for the next text.
    func keep(_ found: any Sendable, of list: Int) { rows.withLock { $0[list] = found } }

    /// How a value stands to the earlier text, moved to the value itself; nil when nothing is known of it there.
    func link(of node: Int) -> FeedLink? {
        var (low, high) = (0, links.count)
        while low < high {
            let middle = low + (high - low) / 2
            if links[middle].node <= node { low = middle + 1 } else { high = middle }
        }
        guard low > 0 else { return nil }
        let (found, step) = (links[low - 1], node - links[low - 1].node)
        guard step < max(1, found.same) else { return nil }
        return FeedLink(node: node, earlier: found.earlier + step, same: max(0, found.same - step))
    }

    /// The node of the earlier text that has the same bytes; nil when none is known.
    func same(as node: Int) -> Int? { link(of: node).flatMap { $0.same > 0 ? $0.earlier : nil } }

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
