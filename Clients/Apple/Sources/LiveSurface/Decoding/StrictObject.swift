// Reads one JSON object and refuses what synthesized decoding lets through: unknown keys and nulls.

/// Any key of an object, so that keys nobody asked for can be seen.
struct AnyKey: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }
    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { return nil }
}

/// An object whose keys are all known and whose values are never null.
struct StrictObject {
    private let keys: KeyedDecodingContainer<AnyKey>

    /// Opens the object and refuses the first key, in alphabetical order, that is not among `known`.
    init(_ decoder: any Decoder, known: [String]) throws(SurfaceError) {
        guard let keys = try? decoder.container(keyedBy: AnyKey.self) else {
            throw SurfaceError(path: "", problem: .wrongType, expected: "an object")
        }
        let stranger = keys.allKeys.map(\.stringValue).filter { !known.contains($0) }.min()
        if let stranger {
            let list = known.map { "`\($0)`" }.joined(separator: ", ")
            throw SurfaceError(path: stranger, problem: .unknownKey, expected: "only \(list)")
        }
        self.keys = keys
    }

    /// The keys that stand in the object behind a decoder, known or not.
    static func names(in decoder: any Decoder) throws(SurfaceError) -> [String] {
        guard let keys = try? decoder.container(keyedBy: AnyKey.self) else {
            throw SurfaceError(path: "", problem: .wrongType, expected: "an object")
        }
        return keys.allKeys.map(\.stringValue)
    }

    /// Whether a key stands in the object.
    func contains(_ name: String) -> Bool { keys.contains(AnyKey(stringValue: name)) }

    /// A value that has to be there.
    func required<Value: Decodable>(_ name: String, as expected: String) throws(SurfaceError) -> Value {
        guard let value: Value = try optional(name, as: expected) else {
            throw SurfaceError(path: name, problem: .missing, expected: expected)
        }
        return value
    }

    /// A value that may be absent, but not null.
    func optional<Value: Decodable>(_ name: String, as expected: String) throws(SurfaceError) -> Value? {
        let key = AnyKey(stringValue: name)
        guard keys.contains(key) else { return nil }
        if (try? keys.decodeNil(forKey: key)) == true {
            throw SurfaceError(path: name, problem: .isNull, expected: "\(expected), or no key at all")
        }
        do {
            return try keys.decode(Value.self, forKey: key)
        } catch let error as SurfaceError {
            throw error.below(name)
        } catch {
            throw SurfaceError(path: name, problem: .wrongType, expected: expected)
        }
    }

    /// One of a closed list of words.
    func word<Word: SurfaceWord>(_ name: String, as type: Word.Type = Word.self) throws(SurfaceError) -> Word {
        guard let word: Word = try wordIfPresent(name) else {
            throw SurfaceError(path: name, problem: .missing, expected: Word.expectation)
        }
        return word
    }

    /// One of a closed list of words, or none.
    func wordIfPresent<Word: SurfaceWord>(_ name: String) throws(SurfaceError) -> Word? {
        guard let text: String = try optional(name, as: Word.expectation) else { return nil }
        guard let word = Word(rawValue: text) else {
            throw SurfaceError(path: name, problem: .wrongValue, expected: Word.expectation)
        }
        return word
    }
}

/// A closed list of words on the wire.
public protocol SurfaceWord: RawRepresentable<String>, CaseIterable, Codable, Hashable, Sendable {}

extension SurfaceWord {
    /// `one of a, b, c`.
    static var expectation: String { "one of \(allCases.map(\.rawValue).joined(separator: ", "))" }
}
