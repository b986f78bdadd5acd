// Reads the members of a body one by one and names every mistake by its JSON pointer, all in one answer.

import ScoreTypes

/// One mistake in a body or a query.
struct FieldError: Sendable, Hashable {
    /// JSON pointer (RFC 6901) of the member; the bare name of a query parameter.
    let pointer: String
    /// A word for machines: `missing`, `type`, `range`, `format`, `unknown`, `unsupported`.
    let code: String
    /// What was expected, for people.
    let detail: String
}

/// The members of one object; wrong ones are collected, and something harmless stands in until `finish`.
struct FieldReader {
    private let members: [String: JSONValue]
    private let path: String
    private var known: Set<String> = []
    /// What was found so far.
    private(set) var errors: [FieldError] = []

    /// Reads the members of an object; anything else is one mistake.
    init(_ value: JSONValue, path: String = "") {
        self.path = path
        if case .object(let members) = value {
            self.members = Dictionary(members.map { ($0.name, $0.value) }) { first, _ in first }
        } else {
            members = [:]
            errors = [FieldError(pointer: path, code: "type", detail: "expected an object")]
        }
    }

    /// Whether the member is there and not null.
    func has(_ name: String) -> Bool { members[name].map { $0 != .null } ?? false }

    /// A text of so many bytes of UTF-8, without control characters.
    mutating func text(_ name: String, bytes: ClosedRange<Int>) -> String {
        required(name, "a text of \(bytes.lowerBound) to \(bytes.upperBound) bytes") { Self.plain($0, bytes) } ?? ""
    }

    /// Like `text`, nil when absent.
    mutating func textIfPresent(_ name: String, bytes: ClosedRange<Int>) -> String? {
        optional(name, "a text of \(bytes.lowerBound) to \(bytes.upperBound) bytes") { Self.plain($0, bytes) }
    }

    /// A whole number in a range.
    mutating func integer(_ name: String, _ range: ClosedRange<Int64>) -> Int64 {
        required(name, "a whole number from \(range.lowerBound) to \(range.upperBound)") { Self.whole($0, range) }
            ?? range.lowerBound
    }

    /// Like `integer`, nil when absent.
    mutating func integerIfPresent(_ name: String, _ range: ClosedRange<Int64>) -> Int64? {
        optional(name, "a whole number from \(range.lowerBound) to \(range.upperBound)") { Self.whole($0, range) }
    }

    /// True or false, nil when absent.
    mutating func flagIfPresent(_ name: String) -> Bool? {
        optional(name, "true or false") { value in if case .bool(let flag) = value { flag } else { nil } }
    }

    /// One of the words of an enumeration.
    mutating func choice<Word: RawRepresentable<String> & CaseIterable>(_ name: String, as type: Word.Type) -> Word? {
        required(name, Self.expectation(of: type)) { value in
            if case .text(let text) = value { Word(rawValue: text) } else { nil }
        }
    }

    /// Like `choice`, without complaint when absent.
    mutating func choiceIfPresent<Word: RawRepresentable<String> & CaseIterable>(
        _ name: String,
        as type: Word.Type
    ) -> Word? {
        optional(name, Self.expectation(of: type)) { value in
            if case .text(let text) = value { Word(rawValue: text) } else { nil }
        }
    }

    /// An id of the house.
    mutating func identity<ID: TextID>(_ name: String, as type: ID.Type) -> ID {
        required(name, "1 to 64 of A-Z a-z 0-9 . _ -") { value in
            if case .text(let text) = value { ID(text) } else { nil }
        } ?? ID(unchecked: "-")
    }

    /// Hexadecimal digits of a push token; nothing of the value is repeated in the complaint.
    mutating func tokenIfPresent(_ name: String) -> PushToken? {
        optional(name, "an even number of 64 to 512 hexadecimal digits") { value in
            guard case .text(let text) = value, text.utf8.count >= 64 else { return nil }
            return PushToken(hex: text)
        }
    }

    /// A value that the caller reads itself.
    mutating func custom<Value>(_ name: String, _ expectation: String, _ parse: (String) -> Value?) -> Value? {
        optional(name, expectation) { value in if case .text(let text) = value { parse(text) } else { nil } }
    }

    /// An object inside, read by the body when it is there.
    mutating func nested<Value>(_ name: String, _ body: (inout FieldReader) -> Value) -> Value? {
        known.insert(name)
        guard let value = members[name], value != .null else { return nil }
        var inner = FieldReader(value, path: pointer(name))
        let result = body(&inner)
        errors += inner.allErrors
        return result
    }

    /// Objects in an array of at most so many; nil when absent.
    mutating func listIfPresent<Value>(
        _ name: String,
        max: Int,
        _ body: (inout FieldReader) -> Value
    ) -> [Value]? {
        optionalArray(name, max: max)?.enumerated().map { index, element in
            var inner = FieldReader(element, path: "\(pointer(name))/\(index)")
            let result = body(&inner)
            errors += inner.allErrors
            return result
        }
    }

    /// Different words of an enumeration; nil when absent.
    mutating func choicesIfPresent<Word: RawRepresentable<String> & CaseIterable & Hashable>(
        _ name: String,
        as type: Word.Type
    ) -> Set<Word>? {
        guard let elements = optionalArray(name, max: type.allCases.count) else { return nil }
        var words: Set<Word> = []
        for (index, element) in elements.enumerated() {
            if case .text(let text) = element, let word = Word(rawValue: text) {
                words.insert(word)
            } else {
                errors.append(.init(pointer: "\(pointer(name))/\(index)", code: "type", detail: expected(type)))
            }
        }
        return words
    }

    /// Whole numbers in an array of at most so many; nil when absent.
    mutating func integersIfPresent(_ name: String, max: Int, _ range: ClosedRange<Int64>) -> [Int64]? {
        guard let elements = optionalArray(name, max: max) else { return nil }
        return elements.enumerated().compactMap { index, element in
            if let whole = Self.whole(element, range) { return whole }
            let detail = "expected a whole number from \(range.lowerBound) to \(range.upperBound)"
            errors.append(.init(pointer: "\(pointer(name))/\(index)", code: "range", detail: detail))
            return nil
        }
    }

    /// Texts in an array of at most so many; nil when absent.
    mutating func textsIfPresent(_ name: String, max: Int, bytes: ClosedRange<Int>) -> [String]? {
        guard let elements = optionalArray(name, max: max) else { return nil }
        return elements.enumerated().compactMap { index, element in
            if let text = Self.plain(element, bytes) { return text }
            let detail = "expected a text of \(bytes.lowerBound) to \(bytes.upperBound) bytes"
            errors.append(.init(pointer: "\(pointer(name))/\(index)", code: "format", detail: detail))
            return nil
        }
    }

    /// Accepts members that are allowed and not used here.
    mutating func ignore(_ names: String...) { known.formUnion(names) }

    /// Adds a mistake that only the caller can see.
    mutating func complain(_ name: String, code: String, _ detail: String) {
        errors.append(FieldError(pointer: pointer(name), code: code, detail: detail))
    }

    /// Throws everything that is wrong, members that nobody asked for included.
    func finish() throws(ServiceProblem) {
        let errors = allErrors
        guard errors.isEmpty else { throw .validation(errors) }
    }

    /// Everything that is wrong so far, members that nobody asked for included.
    var allErrors: [FieldError] {
        errors
            + members.keys.filter { !known.contains($0) }.sorted().map { name in
                FieldError(pointer: pointer(name), code: "unknown", detail: "is not a member of this body")
            }
    }

    private mutating func optionalArray(_ name: String, max: Int) -> [JSONValue]? {
        optional(name, "a list of at most \(max)") { value in
            if case .array(let elements) = value, elements.count <= max { elements } else { nil }
        }
    }

    private mutating func required<Value>(
        _ name: String,
        _ expectation: String,
        _ parse: (JSONValue) -> Value?
    ) -> Value? {
        if !has(name) {
            known.insert(name)
            errors.append(.init(pointer: pointer(name), code: "missing", detail: "expected \(expectation)"))
            return nil
        }
        return optional(name, expectation, parse)
    }

    private mutating func optional<Value>(
        _ name: String,
        _ expectation: String,
        _ parse: (JSONValue) -> Value?
    ) -> Value? {
        known.insert(name)
        guard let value = members[name], value != .null else { return nil }
        if let parsed = parse(value) { return parsed }
        errors.append(.init(pointer: pointer(name), code: "format", detail: "expected \(expectation)"))
        return nil
    }

    private func pointer(_ name: String) -> String {
        path + "/" + name.replacing("~", with: "~0").replacing("/", with: "~1")
    }

    private func expected<Word: RawRepresentable<String> & CaseIterable>(_ type: Word.Type) -> String {
        "expected \(Self.expectation(of: type))"
    }

    private static func expectation<Word: RawRepresentable<String> & CaseIterable>(of type: Word.Type) -> String {
        "one of " + type.allCases.map(\.rawValue).joined(separator: ", ")
    }

    private static func plain(_ value: JSONValue, _ bytes: ClosedRange<Int>) -> String? {
        guard case .text(let text) = value, bytes.contains(text.utf8.count),
            !text.unicodeScalars.contains(where: { $0.properties.generalCategory == .control })
        else { return nil }
        return text
    }

    private static func whole(_ value: JSONValue, _ range: ClosedRange<Int64>) -> Int64? {
        guard case .integer(let whole) = value, range.contains(whole) else { return nil }
        return whole
    }
}
