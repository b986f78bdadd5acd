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

/// Reads the members of one object and collects mistakes; `finish` throws all of them.
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

    /// Whether the member is there.
    func has(_ name: String) -> Bool { members[name] != nil }

    /// A text of so many characters, without control characters.
    mutating func text(_ name: String, length: ClosedRange<Int>) -> String { required(name, .text(length)) ?? "" }

    /// A whole number in a range.
    mutating func integer(_ name: String, _ range: ClosedRange<Int64>) -> Int64 {
        required(name, .integer(range)) ?? range.lowerBound
    }

    /// The device's count of its changes.
    mutating func clientSequence() -> Int64 { integer("clientSeq", ServerLimits.clientSequences) }

    /// An id of a device, a match or an activity.
    mutating func identity<ID: TextID>(_ name: String, as type: ID.Type) -> ID {
        let form = FieldForm(expectation: "1 to 64 of A-Z a-z 0-9 . _ -") { $0.string.flatMap(ID.init) }
        return required(name, form) ?? ID(unchecked: "-")
    }

    /// A member that has to be there; nil for a mistake.
    mutating func required<Value>(_ name: String, _ form: FieldForm<Value>) -> Value? {
        if has(name) { return optional(name, form) }
        known.insert(name)
        complain(name, code: "missing", "expected \(form.expectation)")
        return nil
    }

    /// A member; nil when absent.
    ///
    /// Null is a mistake, as any other value of a wrong type.
    mutating func optional<Value>(_ name: String, _ form: FieldForm<Value>) -> Value? {
        known.insert(name)
        guard let value = members[name] else { return nil }
        if let parsed = form.parse(value) { return parsed }
        complain(name, code: "format", "expected \(form.expectation)")
        return nil
    }

    /// Values in an array of at most so many; nil when absent.
    mutating func elements<Value>(_ name: String, max: Int, _ form: FieldForm<Value>) -> [Value]? {
        optional(name, .list(max: max))?.enumerated().compactMap { index, element in
            if let value = form.parse(element) { return value }
            let place = "\(pointer(name))/\(index)"
            errors.append(.init(pointer: place, code: form.elementCode, detail: "expected \(form.expectation)"))
            return nil
        }
    }

    /// An object inside, read by the body when it is there.
    mutating func nested<Value>(_ name: String, _ body: (inout FieldReader) -> Value) -> Value? {
        known.insert(name)
        guard let value = members[name] else { return nil }
        return read(value, at: pointer(name), body)
    }

    /// Objects in an array of at most so many; nil when absent.
    mutating func listIfPresent<Value>(
        _ name: String,
        max: Int,
        _ body: (inout FieldReader) -> Value
    ) -> [Value]? {
        optional(name, .list(max: max))?.enumerated().map { index, element in
            read(element, at: "\(pointer(name))/\(index)", body)
        }
    }

    /// Like `listIfPresent`, empty and a mistake when absent.
    mutating func list<Value>(_ name: String, max: Int, _ body: (inout FieldReader) -> Value) -> [Value] {
        if !has(name) { complain(name, code: "missing", "expected a list") }
        return listIfPresent(name, max: max, body) ?? []
    }

    /// Accepts members that are allowed and not used.
    mutating func ignore(_ names: String...) { known.formUnion(names) }

    /// Accepts every member.
    mutating func ignoreAll() { known.formUnion(members.keys) }

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

    private func pointer(_ name: String) -> String {
        path + "/" + name.replacing("~", with: "~0").replacing("/", with: "~1")
    }
}

/// The form of a value in a body.
struct FieldForm<Value> {
    /// The expectation, for people.
    let expectation: String
    /// The code of a mistake in an element of a list.
    var elementCode = "format"
    /// The value; nil for another form.
    let parse: (JSONElement) -> Value?
}

extension FieldForm<String> {
    /// A text of so many characters (Unicode scalars, as JSON Schema counts them), without control characters.
    static func text(_ length: ClosedRange<Int>) -> FieldForm {
        FieldForm(expectation: "a text of \(length.lowerBound) to \(length.upperBound) characters") { value in
            guard let text = value.string, length.contains(text.unicodeScalars.count),
                !text.unicodeScalars.contains(where: { $0.properties.generalCategory == .control })
            else { return nil }
            return text
        }
    }
}

extension FieldForm<Int64> {
    /// A whole number in a range; 12.0 is one (JSON Schema, 6.1.1).
    static func integer(_ range: ClosedRange<Int64>) -> FieldForm {
        let expectation = "a whole number from \(range.lowerBound) to \(range.upperBound)"
        return FieldForm(expectation: expectation, elementCode: "range") { value in
            value.integer.flatMap { range.contains($0) ? $0 : nil }
        }
    }
}

extension FieldForm<Bool> {
    /// True or false.
    static var flag: FieldForm { FieldForm(expectation: "true or false", parse: \.bool) }
}

extension FieldForm where Value: RawRepresentable<String> & CaseIterable {
    /// One of the values of an enumeration.
    static func choice(_ type: Value.Type) -> FieldForm {
        let words = type.allCases.map(\.rawValue).joined(separator: ", ")
        return FieldForm(expectation: "one of \(words)", elementCode: "type") { $0.string.flatMap(Value.init) }
    }
}

extension FieldForm<PushToken> {
    /// Hexadecimal digits of a push token; the error repeats nothing of the value.
    static var token: FieldForm {
        FieldForm(expectation: "an even number of 64 to 512 hexadecimal digits") { value in
            value.string.flatMap { $0.utf8.count >= 64 ? PushToken(hex: $0) : nil }
        }
    }
}

extension FieldForm<[JSONElement]> {
    /// An array of at most so many elements.
    fileprivate static func list(max: Int) -> FieldForm {
        FieldForm(expectation: "a list of at most \(max)") { $0.elements.flatMap { $0.count <= max ? $0 : nil } }
    }
}
