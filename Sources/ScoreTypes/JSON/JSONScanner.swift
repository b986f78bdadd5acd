// The values of a text are found in one pass over its bytes.

/// Finds the values of a JSON text.
struct JSONScanner {
    /// Bytes of a value on the average of real replies, to reserve memory for the nodes.
    private static let bytesPerNode = 8

    private let bytes: UnsafeBufferPointer<UInt8>
    private let syntax: JSONSyntax
    /// An earlier text of the same kind, from which elements with the same bytes are copied.
    private let earlier: JSONTable?
    private var at = 0
    private var nodes: [JSONTable.Node] = []
    private var fault: JSONSyntaxError?

    /// The nodes of all values; they do not depend on the earlier text.
    ///
    /// - Throws: `JSONSyntaxError`.
    static func scan(
        _ bytes: UnsafeBufferPointer<UInt8>,
        _ syntax: JSONSyntax,
        after earlier: JSONTable?
    ) throws(JSONSyntaxError) -> [JSONTable.Node] {
        guard bytes.count <= syntax.bytesMax else { throw JSONSyntaxError(rule: .tooLong, offset: syntax.bytesMax) }
        var scanner = JSONScanner(bytes: bytes, syntax: syntax, earlier: earlier)
        scanner.nodes.reserveCapacity(max(bytes.count / bytesPerNode, earlier.map { $0.nodes.count * 9 / 8 } ?? 0))
        scanner.skipSpace()
        if scanner.takeValue(depth: 0, like: earlier == nil ? nil : 0) {
            scanner.skipSpace()
            if scanner.at == bytes.count { return scanner.nodes }
        }
        throw scanner.fault ?? JSONSyntaxError(rule: .malformed, offset: scanner.at)
    }

    /// Records the rule that is broken, where it is not the grammar at the current byte; returns false.
    private mutating func fail(_ rule: JSONSyntaxError.Rule, at offset: Int) -> Bool {
        fault = JSONSyntaxError(rule: rule, offset: offset)
        return false
    }

    /// The current byte; 0, which no text contains, at the end.
    private var here: UInt8 { at < bytes.count ? bytes[at] : 0 }

    private mutating func skipSpace() {
        while true {
            switch here {
            case 0x20, 0x0A, 0x0D, 0x09: at += 1
            default: return
            }
        }
    }

    private mutating func take(_ byte: UInt8) -> Bool {
        guard here == byte else { return false }
        at += 1
        return true
    }

    // MARK: Nodes

    private mutating func add(_ form: JSONTable.Form, from start: Int, count: Int32 = 0) {
        let next = Int32(truncatingIfNeeded: nodes.count + 1)
        let (first, last) = (Int32(truncatingIfNeeded: start), Int32(truncatingIfNeeded: at))
        nodes.append(JSONTable.Node(form: form, start: first, end: last, next: next, count: count))
    }

    private mutating func close(_ index: Int, count: Int32) {
        nodes[index].end = Int32(truncatingIfNeeded: at)
        nodes[index].next = Int32(truncatingIfNeeded: nodes.count)
        nodes[index].count = count
    }

    // MARK: Values

    private mutating func takeValue(depth: Int, like old: Int?) -> Bool {
        switch here {
        case UInt8(ascii: "\""): takeString(isName: false)
        case UInt8(ascii: "{"): takeAll(.object, until: "}", depth: depth, like: old)
        case UInt8(ascii: "["): takeAll(.array, until: "]", depth: depth, like: old)
        case UInt8(ascii: "t"): takeLiteral("true", .yes)
        case UInt8(ascii: "f"): takeLiteral("false", .no)
        case UInt8(ascii: "n"): takeLiteral("null", .null)
        default: takeNumber()
        }
    }

    private mutating func takeLiteral(_ literal: StaticString, _ form: JSONTable.Form) -> Bool {
        let (start, count) = (at, literal.utf8CodeUnitCount)
        guard count <= bytes.count - start else { return false }
        for index in 0..<count where bytes[start + index] != literal.utf8Start[index] { return false }
        at += count
        add(form, from: start)
        return true
    }

    private mutating func takeNumber() -> Bool {
        let start = at
        _ = take(UInt8(ascii: "-"))
        let isZero = here == UInt8(ascii: "0")
        let whole = takeDigits()
        guard whole > 0, !isZero || whole == 1 else { return false }
        if take(UInt8(ascii: ".")) {
            guard takeDigits() > 0 else { return false }
        }
        if here | 0x20 == UInt8(ascii: "e") {
            at += 1
            if here == UInt8(ascii: "+") || here == UInt8(ascii: "-") { at += 1 }
            guard takeDigits() > 0 else { return false }
        }
        if syntax.isStrict, JSONNumber.double(bytes[start..<at]) == nil { return fail(.malformed, at: start) }
        add(.number, from: start)
        return true
    }

    private mutating func takeDigits() -> Int {
        let start = at
        while case UInt8(ascii: "0")...UInt8(ascii: "9") = here { at += 1 }
        return at - start
    }

    /// Takes an array or an object with all that it contains.
    private mutating func takeAll(
        _ form: JSONTable.Form,
        until closing: Unicode.Scalar,
        depth: Int,
        like old: Int?
    ) -> Bool {
        guard depth < syntax.depthMax else { return fail(.tooDeep, at: at) }
        let (index, start) = (nodes.count, at)
        var places = EarlierElements(of: old, in: earlier, form: form)
        at += 1
        add(form, from: start)
        var count: Int32 = 0
        skipSpace()
        if here != UInt8(ascii: closing) {
            repeat {
                skipSpace()
                let isTaken =
                    form == .array
                    ? takeElement(depth: depth + 1, like: &places) : takeMember(depth: depth + 1, like: &places)
                guard isTaken else { return false }
                count += 1
                skipSpace()
            } while take(UInt8(ascii: ","))
        }
        guard take(UInt8(ascii: closing)) else { return false }
        close(index, count: count)
        return form == .array || !syntax.isStrict || hasUniqueNames(index)
    }

    private mutating func takeMember(depth: Int, like members: inout EarlierElements?) -> Bool {
        let name = nodes.count
        guard here == UInt8(ascii: "\""), takeString(isName: true) else { return false }
        skipSpace()
        guard take(UInt8(ascii: ":")) else { return false }
        skipSpace()
        let like = earlier.flatMap { members?.value(named: nodes[name], in: bytes, $0) }
        guard takeValue(depth: depth, like: like) else { return false }
        nodes[name].next = Int32(truncatingIfNeeded: nodes.count)
        return true
    }

    private mutating func hasUniqueNames(_ object: Int) -> Bool {
        var names: Set<String> = []
        var node = object + 1
        for _ in 0..<nodes[object].count {
            let (start, end) = (Int(nodes[node].start), Int(nodes[node].end))
            guard let name = JSONText.string(bytes[start..<end]), names.insert(name).inserted else {
                return fail(.duplicateName, at: start - 1)
            }
            node = Int(nodes[node].next)
        }
        return true
    }

    // MARK: Elements of an earlier text

    /// Takes an element, with the nodes of an element of the earlier array when it has the same bytes.
    private mutating func takeElement(depth: Int, like column: inout EarlierElements?) -> Bool {
        guard let earlier, let places = column, here == UInt8(ascii: "{") || here == UInt8(ascii: "[") else {
            return takeValue(depth: depth, like: nil)
        }
        for old in [places.ahead, places.kept] where old < places.end && takeSame(as: old, earlier) {
            column?.found(old, earlier)
            return true
        }
        column?.missed(earlier)
        return takeValue(depth: depth, like: places.ahead < places.end ? places.ahead : nil)
    }

    /// Takes an array or an object whose bytes are those of an earlier one at the same depth.
    private mutating func takeSame(as old: Int, _ earlier: JSONTable) -> Bool {
        let place = earlier.nodes[old]
        let length = Int(place.end - place.start)
        guard length <= bytes.count - at, earlier.hasSameBytes(place, as: UnsafeRawBufferPointer(bytes), at: at) else {
            return false
        }
        let (step, jump) = (Int32(truncatingIfNeeded: at) - place.start, Int32(truncatingIfNeeded: nodes.count - old))
        earlier.nodes.withUnsafeBufferPointer { known in
            for node in known[old..<Int(place.next)] { nodes.append(node.moved(by: step, nodes: jump)) }
        }
        at += length
        return true
    }

    // MARK: Strings

    private mutating func takeString(isName: Bool) -> Bool {
        let start = at + 1
        var end = start
        var form = JSONTable.Form.text
        while true {
            end = endOfPlain(from: end)
            guard end < bytes.count else { return fail(.malformed, at: bytes.count) }
            if bytes[end] == UInt8(ascii: "\"") { break }
            form = .escapedText
            end += bytes[end] == UInt8(ascii: "\\") ? 2 : 1
        }
        let text = bytes[start..<end]
        // A lenient text is checked value by value as it is read; each name is compared with the names that are read.
        if form == .escapedText, isName || syntax.isStrict, JSONText.string(text) == nil {
            return fail(JSONText.unescaped(Array(text)[...]) == nil ? .malformed : .notUTF8, at: start)
        }
        at = end
        add(form, from: start, count: isName ? JSONTable.mark(of: UnsafeBufferPointer(rebasing: text)) : 0)
        at += 1
        return true
    }

    /// The offset of the next quote, backslash, control character or byte that is not ASCII, or of the end.
    private func endOfPlain(from start: Int) -> Int {
        let all = UnsafeRawBufferPointer(bytes)
        var end = start
        while end + 8 <= all.count {
            // Tests eight bytes at once; the lowest bit that is set belongs to the first byte that is not plain.
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
    /// The highest bit of each of eight bytes.
    private static let highest: UInt64 = 0x8080_8080_8080_8080
}

/// A position in the array or object of the earlier text at the place of the current one.
private struct EarlierElements {
    /// The node after the last element.
    let end: Int
    /// The element after the last that was found, were all in between added.
    private(set) var kept: Int
    /// The same, were all in between changed.
    private(set) var ahead: Int

    /// The first element; nil when the earlier value is unknown or has another form.
    init?(of old: Int?, in earlier: JSONTable?, form: JSONTable.Form) {
        guard let old, let earlier, earlier.nodes[old].form == form else { return nil }
        end = Int(earlier.nodes[old].next)
        kept = old + 1
        ahead = old + 1
    }

    mutating func found(_ old: Int, _ earlier: JSONTable) {
        kept = Int(earlier.nodes[old].next)
        ahead = kept
    }

    mutating func missed(_ earlier: JSONTable) {
        if ahead < end { ahead = Int(earlier.nodes[ahead].next) }
    }

    /// The value of the next member if it has the name.
    mutating func value(
        named name: JSONTable.Node,
        in bytes: UnsafeBufferPointer<UInt8>,
        _ earlier: JSONTable
    ) -> Int? {
        guard kept < end, earlier.nodes[kept].count == name.count,
            earlier.nodes[kept].end - earlier.nodes[kept].start == name.end - name.start,
            earlier.hasSameBytes(earlier.nodes[kept], as: UnsafeRawBufferPointer(bytes), at: Int(name.start))
        else { return nil }
        defer { found(kept, earlier) }
        return kept + 1
    }
}
