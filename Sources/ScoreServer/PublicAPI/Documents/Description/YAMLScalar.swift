// The parts of YAML within a line: members, scalars and flow collections.

import ScoreTypes

/// Scans a text of YAML byte by byte.
struct YAMLScalar {
    enum Failure: Error { case incomplete, malformed }

    /// The characters after a backslash that are read.
    private static let escapes: [UInt8: UInt8] = [
        UInt8(ascii: "\""): UInt8(ascii: "\""), UInt8(ascii: "\\"): UInt8(ascii: "\\"),
        UInt8(ascii: "n"): UInt8(ascii: "\n"), UInt8(ascii: "t"): UInt8(ascii: "\t"),
    ]

    private let bytes: [UInt8]
    private var next = 0

    init(_ text: some StringProtocol) { bytes = Array(text.utf8) }

    /// The name and the text after the colon, when the text begins with a member.
    static func member(of text: Substring) -> (name: String, rest: Substring)? {
        guard let first = text.utf8.first else { return nil }
        if first == UInt8(ascii: "'") || first == UInt8(ascii: "\"") {
            var scanner = YAMLScalar(text)
            guard let name = try? scanner.quoted(), scanner.peek == UInt8(ascii: ":") else { return nil }
            return rest(of: text, after: scanner.next + 1).map { (name, $0) }
        }
        if first == UInt8(ascii: "{") || first == UInt8(ascii: "[") { return nil }
        var colon = text.utf8.firstIndex(of: UInt8(ascii: ":"))
        while let place = colon {
            let count = text.utf8.distance(from: text.startIndex, to: place)
            if let rest = rest(of: text, after: count + 1) { return (String(text[..<place]), rest) }
            colon = text.utf8[text.utf8.index(after: place)...].firstIndex(of: UInt8(ascii: ":"))
        }
        return nil
    }

    /// The text behind a colon, which a space or the end follows; nil when another byte follows.
    private static func rest(of text: Substring, after count: Int) -> Substring? {
        let rest = text.utf8.dropFirst(count)
        guard rest.first.map({ $0 == UInt8(ascii: " ") }) ?? true else { return nil }
        let found = Substring(rest.drop { $0 == UInt8(ascii: " ") })
        return found.hasPrefix("#") ? "" : found
    }

    /// A plain text up to a comment.
    static func withoutComment(_ text: Substring) -> String {
        let bytes = Array(text.utf8)
        let hash = bytes.indices.dropFirst().first {
            bytes[$0] == UInt8(ascii: "#") && bytes[$0 - 1] == UInt8(ascii: " ")
        }
        var kept = bytes[..<(hash ?? bytes.endIndex)]
        while kept.last == UInt8(ascii: " ") { kept.removeLast() }
        return String(decoding: kept, as: UTF8.self)
    }

    /// The value of a scalar without quotes (YAML 1.2, core schema).
    static func plain(_ text: String) -> JSONValue {
        switch text {
        case "", "~", "null": return .null
        case "true": return .bool(true)
        case "false": return .bool(false)
        default: break
        }
        if let integer = Int64(text) { return .integer(integer) }
        let isNumeric = text.utf8.allSatisfy { (0x30...0x39).contains($0) || "+-.eE".utf8.contains($0) }
        if isNumeric, let number = Double(text) { return .number(number) }
        return .text(text)
    }

    /// The flow collection or quoted scalar that is the whole text.
    mutating func whole() throws(Failure) -> JSONValue {
        let value = try value()
        skipBlanks()
        guard peek == nil || peek == UInt8(ascii: "#") else { throw .malformed }
        return value
    }

    private var peek: UInt8? { next < bytes.count ? bytes[next] : nil }

    private mutating func skipBlanks() {
        while peek == UInt8(ascii: " ") { next += 1 }
    }

    private mutating func value() throws(Failure) -> JSONValue {
        skipBlanks()
        switch peek {
        case nil: throw .incomplete
        case UInt8(ascii: "{"): return try mapping()
        case UInt8(ascii: "["): return try sequence()
        case UInt8(ascii: "'"), UInt8(ascii: "\""): return .text(try quoted())
        default: return Self.plain(try plainText())
        }
    }

    private mutating func mapping() throws(Failure) -> JSONValue {
        var members: [JSONValue.Member] = []
        next += 1
        while true {
            skipBlanks()
            if try closes(with: UInt8(ascii: "}")) { return .object(members) }
            let isQuoted = peek == UInt8(ascii: "'") || peek == UInt8(ascii: "\"")
            let name = isQuoted ? try quoted() : try plainText()
            skipBlanks()
            guard peek == UInt8(ascii: ":") else { throw peek == nil ? .incomplete : .malformed }
            next += 1
            members.append(JSONValue.Member(name: name, value: try value()))
        }
    }

    private mutating func sequence() throws(Failure) -> JSONValue {
        var elements: [JSONValue] = []
        next += 1
        while true {
            skipBlanks()
            if try closes(with: UInt8(ascii: "]")) { return .array(elements) }
            elements.append(try value())
        }
    }

    /// Passes a comma; true when the collection ends here.
    private mutating func closes(with end: UInt8) throws(Failure) -> Bool {
        if peek == UInt8(ascii: ",") {
            next += 1
            skipBlanks()
        }
        guard let byte = peek else { throw .incomplete }
        if byte == end { next += 1 }
        return byte == end
    }

    /// A text without quotes inside a flow collection.
    private mutating func plainText() throws(Failure) -> String {
        let start = next
        while let byte = peek {
            if byte == UInt8(ascii: ",") || byte == UInt8(ascii: "}") || byte == UInt8(ascii: "]") { break }
            let following = next + 1 < bytes.count ? bytes[next + 1] : UInt8(ascii: " ")
            if byte == UInt8(ascii: ":") && following == UInt8(ascii: " ") { break }
            next += 1
        }
        guard peek != nil else { throw .incomplete }
        var found = bytes[start..<next]
        while found.last == UInt8(ascii: " ") { found.removeLast() }
        guard !found.isEmpty else { throw .malformed }
        return String(decoding: found, as: UTF8.self)
    }

    private mutating func quoted() throws(Failure) -> String {
        guard let quote = peek else { throw .incomplete }
        var text: [UInt8] = []
        next += 1
        while let byte = peek {
            next += 1
            if byte == quote {
                guard quote == UInt8(ascii: "'"), peek == quote else { return String(decoding: text, as: UTF8.self) }
                // Two single quotes are one.
                next += 1
            } else if byte == UInt8(ascii: "\\"), quote == UInt8(ascii: "\"") {
                guard let escaped = peek else { throw .incomplete }
                guard let character = Self.escapes[escaped] else { throw .malformed }
                text.append(character)
                next += 1
                continue
            }
            text.append(byte)
        }
        throw .incomplete
    }
}
