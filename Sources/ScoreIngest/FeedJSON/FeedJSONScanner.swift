// Finding the values of a text is one walk over its bytes, strict where readers differ.

/// Walks over a JSON text.
struct FeedJSONScanner {
    /// How deep values may stand in each other; replies have some ten levels, and Foundation takes 512.
    private static let depthMax = 100
    /// Longest text, in bytes: places are kept in 32 bits.
    private static let bytesMax = 1 << 30
    /// Bytes of a value, on the average of real replies, for which room is made beforehand.
    private static let bytesPerNode = 8

    private let bytes: UnsafeBufferPointer<UInt8>
    private var at = 0
    private var nodes: [FeedJSON.Node] = []

    /// The places of all values; nil for what is not taken.
    static func nodes(of bytes: UnsafeBufferPointer<UInt8>) -> [FeedJSON.Node]? {
        guard bytes.count <= bytesMax else { return nil }
        var scanner = FeedJSONScanner(bytes: bytes)
        scanner.nodes.reserveCapacity(bytes.count / bytesPerNode)
        scanner.skipSpace()
        guard scanner.takeValue(depth: 0) else { return nil }
        scanner.skipSpace()
        return scanner.at == bytes.count ? scanner.nodes : nil
    }

    private init(bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

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

    private mutating func takeValue(depth: Int) -> Bool {
        switch here {
        case UInt8(ascii: "\""): return takeText()
        case UInt8(ascii: "{"): return takeObject(depth: depth)
        case UInt8(ascii: "["): return takeList(depth: depth)
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

    private mutating func takeText() -> Bool {
        at += 1
        let start = at
        var form = FeedJSON.Form.text
        while at < bytes.count {
            switch bytes[at] {
            case UInt8(ascii: "\""):
                // Keys that nobody asks for are not read later, and a damaged one damages the reply all the same.
                if form == .escapedText, FeedJSONText.unescaped(Array(bytes[start..<at])[...]) == nil { return false }
                add(form, from: start, count: FeedJSON.mark(of: bytes[start..<at]))
                at += 1
                return true
            case UInt8(ascii: "\\"):
                form = .escapedText
                at += 2
            case 0..<0x20: return false
            default: at += 1
            }
        }
        return false
    }

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

    private mutating func takeList(depth: Int) -> Bool {
        guard depth < Self.depthMax else { return false }
        let (index, start) = (nodes.count, at)
        at += 1
        add(.list, from: start)
        var count: Int32 = 0
        skipSpace()
        if here != UInt8(ascii: "]") {
            repeat {
                skipSpace()
                guard takeValue(depth: depth + 1) else { return false }
                count += 1
                skipSpace()
            } while takeComma()
        }
        guard here == UInt8(ascii: "]") else { return false }
        at += 1
        close(index, count: count)
        return true
    }

    private mutating func takeObject(depth: Int) -> Bool {
        guard depth < Self.depthMax else { return false }
        let (index, start) = (nodes.count, at)
        at += 1
        add(.object, from: start)
        var count: Int32 = 0
        skipSpace()
        if here != UInt8(ascii: "}") {
            repeat {
                skipSpace()
                guard here == UInt8(ascii: "\""), takeText() else { return false }
                skipSpace()
                guard here == UInt8(ascii: ":") else { return false }
                at += 1
                skipSpace()
                guard takeValue(depth: depth + 1) else { return false }
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
