// A client corrects a body at once when the answer names every mistake, each by its JSON pointer.

import ScoreTypes

/// One mistake in a body or a query.
struct FieldError: Sendable, Hashable {
    /// JSON pointer (RFC 6901) of the member; the bare name of a query parameter.
    let pointer: String
    /// For programs: `missing`, `type`, `range`, `format`, `unknown`, `unsupported`.
    let code: String
    /// The expectation, for people.
    let detail: String
}

/// The members of one object; mistakes are collected, and a placeholder takes a wrong value's place until `finish`.
struct FieldReader {
    private let members: [String: JSONElement]
    private let path: String
    private var known: Set<String> = []
    /// The mistakes so far.
    private(set) var errors: [FieldError] = []

    /// Reads the members of the object at a JSON pointer; anything else is one mistake.
    init(_ value: JSONElement, path: String = "") {
        self.path = path
        members = Dictionary((value.members ?? []).map { ($0.name, $0.value) }) { first, _ in first }
        if !value.isObject { errors = [FieldError(pointer: path, code: "type", detail: "expected an object")] }
    }

    /// Whether the member is there and not null.
    func has(_ name: String) -> Bool { members[name].map { !$0.isNull } ?? false }

    /// A text of so many bytes of UTF-8, without control characters.
    mutating func text(_ name: String, bytes: ClosedRange<Int>) -> String {
        required(name, Self.expectation(of: bytes)) { Self.plain($0, bytes) } ?? ""
    }

    /// Like `text`, nil when absent.
    mutating func textIfPresent(_ name: String, bytes: ClosedRange<Int>) -> String? {
        optional(name, Self.expectation(of: bytes)) { Self.plain($0, bytes) }
    }

    /// A whole number in a range.
    mutating func integer(_ name: String, _ range: ClosedRange<Int64>) -> Int64 {
        required(name, Self.expectation(of: range)) { Self.whole($0, range) } ?? range.lowerBound
    }

    /// Like `integer`, nil when absent.
    mutating func integerIfPresent(_ name: String, _ range: ClosedRange<Int64>) -> Int64? {
        optional(name, Self.expectation(of: range)) { Self.whole($0, range) }
    }

    /// True or false, nil when absent.
    mutating func flagIfPresent(_ name: String) -> Bool? {
        optional(name, "true or false", \.bool)
    }

    /// One of the values of an enumeration.
    mutating func choice<Choice: RawRepresentable<String> & CaseIterable>(_ name: String, as type: Choice.Type)
        -> Choice?
    {
        required(name, Self.expectation(of: type)) { $0.string.flatMap(Choice.init) }
    }

    /// Like `choice`, nil when absent.
    mutating func choiceIfPresent<Choice: RawRepresentable<String> & CaseIterable>(
        _ name: String,
        as type: Choice.Type
    ) -> Choice? {
        optional(name, Self.expectation(of: type)) { $0.string.flatMap(Choice.init) }
    }

    /// An id of a device, a match or an activity.
    mutating func identity<ID: TextID>(_ name: String, as type: ID.Type) -> ID {
        required(name, "1 to 64 of A-Z a-z 0-9 . _ -") { $0.string.flatMap(ID.init) } ?? ID(unchecked: "-")
    }

    /// Hexadecimal digits of a push token; the error repeats nothing of the value.
    mutating func tokenIfPresent(_ name: String) -> PushToken? {
        optional(name, "an even number of 64 to 512 hexadecimal digits") { value in
            guard let text = value.string, text.utf8.count >= 64 else { return nil }
            return PushToken(hex: text)
        }
    }

    /// A string that the caller parses.
    mutating func custom<Value>(_ name: String, _ expectation: String, _ parse: (String) -> Value?) -> Value? {
        optional(name, expectation) { $0.string.flatMap(parse) }
    }

    /// An object inside, read by the body when it is there.
    mutating func nested<Value>(_ name: String, _ body: (inout FieldReader) -> Value) -> Value? {
        known.insert(name)
        guard let value = members[name], !value.isNull else { return nil }
        return read(value, at: pointer(name), body)
    }

    /// Objects in an array of at most so many; nil when absent.
    mutating func listIfPresent<Value>(
        _ name: String,
        max: Int,
        _ body: (inout FieldReader) -> Value
    ) -> [Value]? {
        optionalArray(name, max: max)?.enumerated().map { index, element in
            read(element, at: "\(pointer(name))/\(index)", body)
        }
    }

    /// Like `listIfPresent`, empty and a mistake when absent.
    mutating func list<Value>(_ name: String, max: Int, _ body: (inout FieldReader) -> Value) -> [Value] {
        if !has(name) { complain(name, code: "missing", "expected a list") }
        return listIfPresent(name, max: max, body) ?? []
    }

    /// Values of an enumeration, in any order; nil when absent.
    mutating func choicesIfPresent<Choice: RawRepresentable<String> & CaseIterable & Hashable>(
        _ name: String,
        as type: Choice.Type
    ) -> Set<Choice>? {
        elements(name, max: type.allCases.count, code: "type", Self.expectation(of: type)) {
            $0.string.flatMap(Choice.init)
        }.map { Set($0) }
    }

    /// Whole numbers in an array of at most so many; nil when absent.
    mutating func integersIfPresent(_ name: String, max: Int, _ range: ClosedRange<Int64>) -> [Int64]? {
        elements(name, max: max, code: "range", Self.expectation(of: range)) { Self.whole($0, range) }
    }

    /// Texts in an array of at most so many; nil when absent.
    mutating func textsIfPresent(_ name: String, max: Int, bytes: ClosedRange<Int>) -> [String]? {
        elements(name, max: max, code: "format", Self.expectation(of: bytes)) { Self.plain($0, bytes) }
    }

    /// Accepts members that are allowed and not used.
    mutating func ignore(_ names: String...) { known.formUnion(names) }

    /// Adds a mistake that the caller found.
    mutating func complain(_ name: String, code: String, _ detail: String) {
        errors.append(FieldError(pointer: pointer(name), code: code, detail: detail))
    }

    /// Ends the reading; throws `validation-failed` with all mistakes, unknown members included.
    func finish() throws(ServiceProblem) {
        let errors = allErrors
        guard errors.isEmpty else { throw .validation(errors) }
    }

    /// All mistakes so far, unknown members included.
    var allErrors: [FieldError] {
        errors
            + members.keys.filter { !known.contains($0) }.sorted().map { name in
                FieldError(pointer: pointer(name), code: "unknown", detail: "is not a member of this body")
            }
    }

    private mutating func optionalArray(_ name: String, max: Int) -> [JSONElement]? {
        optional(name, "a list of at most \(max)") { value in
            value.elements.flatMap { $0.count <= max ? $0 : nil }
        }
    }

    private mutating func elements<Value>(
        _ name: String,
        max: Int,
        code: String,
        _ expectation: String,
        _ parse: (JSONElement) -> Value?
    ) -> [Value]? {
        optionalArray(name, max: max)?.enumerated().compactMap { index, element in
            if let value = parse(element) { return value }
            errors.append(.init(pointer: "\(pointer(name))/\(index)", code: code, detail: "expected \(expectation)"))
            return nil
        }
    }

    private mutating func read<Value>(
        _ value: JSONElement,
        at path: String,
        _ body: (inout FieldReader) -> Value
    ) -> Value {
        var inner = FieldReader(value, path: path)
        let result = body(&inner)
        errors += inner.allErrors
        return result
    }

    private mutating func required<Value>(
        _ name: String,
        _ expectation: String,
        _ parse: (JSONElement) -> Value?
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
        _ parse: (JSONElement) -> Value?
    ) -> Value? {
        known.insert(name)
        guard let value = members[name], !value.isNull else { return nil }
        if let parsed = parse(value) { return parsed }
        errors.append(.init(pointer: pointer(name), code: "format", detail: "expected \(expectation)"))
        return nil
    }

    private func pointer(_ name: String) -> String {
        path + "/" + name.replacing("~", with: "~0").replacing("/", with: "~1")
    }

    private static func expectation(of bytes: ClosedRange<Int>) -> String {
        "a text of \(bytes.lowerBound) to \(bytes.upperBound) bytes"
    }

    private static func expectation(of range: ClosedRange<Int64>) -> String {
        "a whole number from \(range.lowerBound) to \(range.upperBound)"
    }

    private static func expectation<Choice: RawRepresentable<String> & CaseIterable>(of type: Choice.Type) -> String {
        "one of " + type.allCases.map(\.rawValue).joined(separator: ", ")
    }

    private static func plain(_ value: JSONElement, _ bytes: ClosedRange<Int>) -> String? {
        guard let text = value.string, bytes.contains(text.utf8.count),
            !text.unicodeScalars.contains(where: { $0.properties.generalCategory == .control })
        else { return nil }
        return text
    }

    private static func whole(_ value: JSONElement, _ range: ClosedRange<Int64>) -> Int64? {
        guard let whole = value.plainInteger, range.contains(whole) else { return nil }
        return whole
    }
}
