// Foundation takes the last of two equal names and nests 512 deep; what strangers send is read more strictly here.

import Foundation

/// Why bytes are not acceptable JSON; `offset` counts bytes from 0.
struct JSONMistake: Error, Sendable, Hashable {
    /// The rule that was broken.
    enum Rule: String, Sendable { case malformed, tooDeep, duplicateName, notUTF8 }
    let rule: Rule
    let offset: Int
}

/// Reads one JSON document in one pass.
struct JSONReader {
    /// Deepest nesting accepted; our own bodies need four.
    static let depthMax = 16

    private let bytes: [UInt8]
    private var position = 0

    private init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// The value of a whole document.
    static func read(_ bytes: [UInt8]) throws(JSONMistake) -> JSONValue {
        var reader = JSONReader(bytes)
        let value = try reader.value(depth: 0)
        reader.skipSpace()
        guard reader.position == bytes.count else { throw reader.mistake(.malformed) }
        return value
    }

    private mutating func value(depth: Int) throws(JSONMistake) -> JSONValue {
        skipSpace()
        switch peek {
        case UInt8(ascii: "{"): return try object(depth: depth + 1)
        case UInt8(ascii: "["): return try array(depth: depth + 1)
        case UInt8(ascii: "\""): return .text(try string())
        case UInt8(ascii: "t"): return try word("true", .bool(true))
        case UInt8(ascii: "f"): return try word("false", .bool(false))
        case UInt8(ascii: "n"): return try word("null", .null)
        default: return try number()
        }
    }

    private mutating func object(depth: Int) throws(JSONMistake) -> JSONValue {
        guard depth <= Self.depthMax else { throw mistake(.tooDeep) }
        position += 1
        var members: [JSONValue.Member] = []
        var names: Set<String> = []
        skipSpace()
        if take(UInt8(ascii: "}")) { return .object([]) }
        while true {
            skipSpace()
            let start = position
            let name = try string()
            guard names.insert(name).inserted else { throw JSONMistake(rule: .duplicateName, offset: start) }
            skipSpace()
            guard take(UInt8(ascii: ":")) else { throw mistake(.malformed) }
            members.append(.init(name: name, value: try value(depth: depth)))
            skipSpace()
            if take(UInt8(ascii: "}")) { return .object(members) }
            guard take(UInt8(ascii: ",")) else { throw mistake(.malformed) }
        }
    }

    private mutating func array(depth: Int) throws(JSONMistake) -> JSONValue {
        guard depth <= Self.depthMax else { throw mistake(.tooDeep) }
        position += 1
        var elements: [JSONValue] = []
        skipSpace()
        if take(UInt8(ascii: "]")) { return .array([]) }
        while true {
            elements.append(try value(depth: depth))
            skipSpace()
            if take(UInt8(ascii: "]")) { return .array(elements) }
            guard take(UInt8(ascii: ",")) else { throw mistake(.malformed) }
        }
    }

    private mutating func string() throws(JSONMistake) -> String {
        guard take(UInt8(ascii: "\"")) else { throw mistake(.malformed) }
        let start = position
        var characters: [UInt8] = []
        while let byte = peek {
            position += 1
            switch byte {
            case UInt8(ascii: "\""):
                guard let text = String(validating: characters, as: UTF8.self) else {
                    throw JSONMistake(rule: .notUTF8, offset: start)
                }
                return text
            case UInt8(ascii: "\\"): try escape(into: &characters)
            case 0..<0x20: throw mistake(.malformed)
            default: characters.append(byte)
            }
        }
        throw mistake(.malformed)
    }

    private mutating func escape(into characters: inout [UInt8]) throws(JSONMistake) {
        guard let byte = peek else { throw mistake(.malformed) }
        position += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): characters.append(byte)
        case UInt8(ascii: "b"): characters.append(0x08)
        case UInt8(ascii: "f"): characters.append(0x0c)
        case UInt8(ascii: "n"): characters.append(0x0a)
        case UInt8(ascii: "r"): characters.append(0x0d)
        case UInt8(ascii: "t"): characters.append(0x09)
        case UInt8(ascii: "u"): characters.append(contentsOf: String(try scalar()).utf8)
        default: throw mistake(.malformed)
        }
    }

    private mutating func scalar() throws(JSONMistake) -> Character {
        let first = try codeUnit()
        if let scalar = Unicode.Scalar(first) { return Character(scalar) }
        guard (0xd800..<0xdc00).contains(first), take(UInt8(ascii: "\\")), take(UInt8(ascii: "u")) else {
            throw mistake(.malformed)
        }
        let second = try codeUnit()
        guard (0xdc00..<0xe000).contains(second),
            let scalar = Unicode.Scalar(0x10000 + (UInt32(first) - 0xd800) << 10 + (UInt32(second) - 0xdc00))
        else { throw mistake(.malformed) }
        return Character(scalar)
    }

    private mutating func codeUnit() throws(JSONMistake) -> UInt16 {
        guard position + 4 <= bytes.count,
            let text = String(validating: bytes[position..<position + 4], as: UTF8.self),
            text.utf8.allSatisfy({ $0 != UInt8(ascii: "+") && $0 != UInt8(ascii: "-") }),
            let unit = UInt16(text, radix: 16)
        else { throw mistake(.malformed) }
        position += 4
        return unit
    }

    private mutating func number() throws(JSONMistake) -> JSONValue {
        let start = position
        _ = take(UInt8(ascii: "-"))
        let whole = digits()
        guard whole == 1 || (whole > 1 && bytes[position - whole] != UInt8(ascii: "0")) else {
            throw mistake(.malformed)
        }
        var isWhole = true
        if take(UInt8(ascii: ".")) {
            isWhole = false
            guard digits() > 0 else { throw mistake(.malformed) }
        }
        if take(UInt8(ascii: "e")) || take(UInt8(ascii: "E")) {
            isWhole = false
            if !take(UInt8(ascii: "+")) { _ = take(UInt8(ascii: "-")) }
            guard digits() > 0 else { throw mistake(.malformed) }
        }
        let text = String(decoding: bytes[start..<position], as: UTF8.self)
        if isWhole, let integer = Int64(text) { return .integer(integer) }
        guard let number = Double(text), number.isFinite else { throw JSONMistake(rule: .malformed, offset: start) }
        return .number(number)
    }

    private mutating func digits() -> Int {
        let start = position
        while let byte = peek, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) { position += 1 }
        return position - start
    }

    private mutating func word(_ text: StaticString, _ value: JSONValue) throws(JSONMistake) -> JSONValue {
        let matches = text.withUTF8Buffer { word in bytes[position...].starts(with: word) }
        guard matches else { throw mistake(.malformed) }
        position += text.utf8CodeUnitCount
        return value
    }

    private mutating func skipSpace() {
        while let byte = peek, [0x20, 0x09, 0x0a, 0x0d].contains(byte) { position += 1 }
    }

    private mutating func take(_ byte: UInt8) -> Bool {
        guard peek == byte else { return false }
        position += 1
        return true
    }

    private var peek: UInt8? { position < bytes.count ? bytes[position] : nil }

    private func mistake(_ rule: JSONMistake.Rule) -> JSONMistake { JSONMistake(rule: rule, offset: position) }
}
