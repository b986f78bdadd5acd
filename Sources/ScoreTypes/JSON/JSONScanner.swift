// Finding the values of a text is one walk over its bytes, strict where readers differ.

/// Walks over a JSON text.
struct FeedJSONScanner {
    /// How deep values may stand in each other; replies have some ten levels, and Foundation takes 512.
    private static let depthMax = 500
    /// Longest text, in bytes: places are kept in 32 bits.
    private static let bytesMax = 1 << 30
    /// Bytes of a value, on the average of real replies, for which room is made beforehand.
    private static let bytesPerNode = 8

    private let bytes: UnsafeBufferPointer<UInt8>
    private var at = 0
    private var nodes: [FeedJSON.Node] = []
    private let earlier: FeedTrace?
    private var links: [FeedLink] = []

    /// The places of all values, and what of them stood in an earlier text; nil for what is not taken.
    static func scan(
        _ bytes: UnsafeBufferPointer<UInt8>,
        after earlier: FeedTrace?
    ) -> (nodes: [FeedJSON.Node], links: [FeedLink])? {
        guard bytes.count <= bytesMax else { return nil }
        var scanner = FeedJSONScanner(bytes: bytes, earlier: earlier)
        scanner.nodes.reserveCapacity(max(bytes.count / bytesPerNode, earlier.map { $0.nodes.count * 9 / 8 } ?? 0))
        scanner.skipSpace()
        guard scanner.takeValue(depth: 0, like: earlier == nil ? nil : 0) else { return nil }
        scanner.skipSpace()
        return scanner.at == bytes.count ? (scanner.nodes, scanner.links) : nil
    }

    private init(bytes: UnsafeBufferPointer<UInt8>, earlier: FeedTrace?) {
        self.bytes = bytes
        self.earlier = earlier
    }

    /// The byte here; 0, which is in no JSON, at the end.
    private var here: UInt8 { at < bytes.count ? bytes[at] : 0 }

    private mutating func skipSpace() {
        while true {
            switch here {
            case 0x20, 0x0A, 0x0D, 0x09: at += 1
            default: return
            }
        }
    }

    /// Takes a value that may be like one of the earlier text.
    private mutating func takeValue(depth: Int, like old: Int? = nil) -> Bool {
        switch here {
        case UInt8(ascii: "\""): return takeText()
        case UInt8(ascii: "{"): return takeSame(as: old) || takeObject(depth: depth, like: old)
        case UInt8(ascii: "["): return takeSame(as: old) || takeList(depth: depth, like: old)
        case UInt8(ascii: "t"): return takeWord("true", .yes)
        case UInt8(ascii: "f"): return takeWord("false", .no)
        case UInt8(ascii: "n"): return takeWord("null", .null)
        default: return takeNumber()
        }
    }

    private mutating func add(_ form: FeedJSON.Form, from start: Int, count: Int32 = 0) {
        let next = Int32(truncatingIfNeeded: nodes.count + 1)
        let (first, last) = (Int32(truncatingIfNeeded: start), Int32(truncatingIfNeeded: at))
        nodes.append(FeedJSON.Node(form: form, start: first, end: last, next: next, count: count))
    }

    private mutating func close(_ index: Int, count: Int32) {
        nodes[index].end = Int32(truncatingIfNeeded: at)
        nodes[index].next = Int32(truncatingIfNeeded: nodes.count)
        nodes[index].count = count
    }

    private mutating func takeWord(_ word: StaticString, _ form: FeedJSON.Form) -> Bool {
        let start = at
        for index in 0..<word.utf8CodeUnitCount {
            guard here == word.utf8Start[index] else { return false }
            at += 1
        }
        add(form, from: start)
        return true
    }

    private mutating func takeText(isKey: Bool = false) -> Bool {
        let start = at + 1
        var end = start
        var form = FeedJSON.Form.text
        while true {
            end = endOfPlain(from: end)
            guard end < bytes.count else { return false }
            if bytes[end] == UInt8(ascii: "\"") { break }
            form = .oddText
            end += bytes[end] == UInt8(ascii: "\\") ? 2 : 1
        }
        let text = bytes[start..<end]
        // Texts that nobody asks for are never looked into; a damaged key may be one that is asked for.
        if isKey, form == .oddText, FeedJSONText.text(text) == nil { return false }
        at = end
        add(form, from: start, count: form == .text ? FeedJSON.mark(of: text) : -1)
        at += 1
        return true
    }

    /// Where the first byte stands that is not plain: a quote, a backslash, a control character, no ASCII, or the end.
    private func endOfPlain(from start: Int) -> Int {
        let all = UnsafeRawBufferPointer(bytes)
        var end = start
        while end + 8 <= all.count {
            // Eight bytes at once; the lowest bit that is set is that of the first byte that is not plain.
            let word = UInt64(littleEndian: all.loadUnaligned(fromByteOffset: end, as: UInt64.self))
            let (quote, slash) = (word ^ Self.each &* 0x22, word ^ Self.each &* 0x5C)
            let odd =
                (quote &- Self.each) & ~quote | (slash &- Self.each) & ~slash | (word &- Self.each &* 0x20) & ~word
            let marks = (odd | word) & Self.highest
            if marks != 0 { return end + marks.trailingZeroBitCount / 8 }
            end += 8
        }
        while end < bytes.count, (0x20..<0x80).contains(bytes[end]), bytes[end] != UInt8(ascii: "\""),
            bytes[end] != UInt8(ascii: "\\")
        { end += 1 }
        return end
    }

    /// 1 in each of eight bytes.
    private static let each: UInt64 = 0x0101_0101_0101_0101
    /// The highest bit of each.
    private static let highest: UInt64 = 0x8080_8080_8080_8080

    private mutating func takeNumber() -> Bool {
        let start = at
        if here == UInt8(ascii: "-") { at += 1 }
        let isZero = here == UInt8(ascii: "0")
        let whole = takeDigits()
        guard whole > 0, !isZero || whole == 1 else { return false }
        if here == UInt8(ascii: ".") {
            at += 1
            guard takeDigits() > 0 else { return false }
        }
        if here | 0x20 == UInt8(ascii: "e") {
            at += 1
            if here == UInt8(ascii: "+") || here == UInt8(ascii: "-") { at += 1 }
            guard takeDigits() > 0 else { return false }
        }
        add(.number, from: start)
        return true
    }

    private mutating func takeDigits() -> Int {
        let start = at
        while case UInt8(ascii: "0")...UInt8(ascii: "9") = here { at += 1 }
        return at - start
    }

    /// Takes a list or an object whose bytes are those of an earlier one, which stood as deep as this.
    private mutating func takeSame(as old: Int?) -> Bool {
        guard let old, let earlier, let length = earlier.length(of: old, in: bytes, at: at) else { return false }
        let end = Int(earlier.nodes[old].next)
        let step = Int32(truncatingIfNeeded: at) - earlier.nodes[old].start
        let jump = Int32(truncatingIfNeeded: nodes.count - old)
        links.append(FeedLink(node: nodes.count, earlier: old, same: end - old))
        earlier.nodes.withUnsafeBufferPointer { known in
            for node in known[old..<end] { nodes.append(node.moved(by: step, nodes: jump)) }
        }
        at += length
        return true
    }

    private mutating func takeElement(depth: Int, beside column: inout FeedColumn?) -> Bool {
        guard var places = column, let earlier, here == UInt8(ascii: "{") || here == UInt8(ascii: "[") else {
            return takeValue(depth: depth)
        }
        defer { column = places }
        let (ahead, behind, kept) = (places.ahead, places.behind(earlier.nodes), places.kept)
        if ahead < places.end, takeSame(as: ahead) {
            places.met(ahead, earlier.nodes)
        } else if behind < places.end, takeSame(as: behind) {
            places.met(behind, earlier.nodes)
        } else if kept < places.end, kept != ahead, takeSame(as: kept) {
            places.met(kept, earlier.nodes)
        } else {
            return takeValue(depth: depth, like: places.missed(earlier.nodes))
        }
        return true
    }

    private mutating func takeList(depth: Int, like old: Int?) -> Bool {
        guard depth < Self.depthMax else { return false }
        let (index, start) = (nodes.count, at)
        var column: FeedColumn?
        if let earlier, let old, earlier.nodes[old].form == .list {
            links.append(FeedLink(node: index, earlier: old, same: 0))
            column = FeedColumn(old, earlier.nodes)
        }
        at += 1
        add(.list, from: start)
        var count: Int32 = 0
        skipSpace()
        if here != UInt8(ascii: "]") {
            repeat {
                skipSpace()
                guard takeElement(depth: depth + 1, beside: &column) else { return false }
                count += 1
                skipSpace()
            } while takeComma()
        }
        guard here == UInt8(ascii: "]") else { return false }
        at += 1
        close(index, count: count)
        return true
    }

    private mutating func takeObject(depth: Int, like old: Int?) -> Bool {
        guard depth < Self.depthMax else { return false }
        let (index, start) = (nodes.count, at)
        let old = old.flatMap { earlier?.nodes[$0].form == .object ? $0 : nil }
        var next = (old ?? 0) + 1
        at += 1
        add(.object, from: start)
        var count: Int32 = 0
        skipSpace()
        if here != UInt8(ascii: "}") {
            repeat {
                skipSpace()
                let key = nodes.count
                guard here == UInt8(ascii: "\""), takeText(isKey: true) else { return false }
                skipSpace()
                guard here == UInt8(ascii: ":") else { return false }
                at += 1
                skipSpace()
                let value = old.flatMap { earlier?.value(of: nodes[key], in: bytes, object: $0, next: &next) }
                guard takeValue(depth: depth + 1, like: value) else { return false }
                nodes[key].next = Int32(truncatingIfNeeded: nodes.count)
                count += 1
                skipSpace()
            } while takeComma()
        }
        guard here == UInt8(ascii: "}") else { return false }
        at += 1
        close(index, count: count)
        return true
    }

    private mutating func takeComma() -> Bool {
        guard here == UInt8(ascii: ",") else { return false }
        at += 1
        return true
    }
}
