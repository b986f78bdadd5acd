// Decodes one JSON object and refuses what synthesized decoding accepts: unknown keys and nulls.

/// Any key of an object, for the detection of unknown keys.
struct AnyKey: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }
    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { return nil }
}

/// An object whose keys are all known and whose values are not null.
struct StrictObject {
    private let keys: KeyedDecodingContainer<AnyKey>

    /// Opens the object.
    ///
    /// - Parameters:
    ///   - decoder: The decoder of the object.
    ///   - known: The permitted keys; nil for any.
    /// - Throws: `SurfaceError` for the first unknown key in alphabetical order, and for another type.
    init(_ decoder: any Decoder, known: [String]?) throws(SurfaceError) {
        guard let keys = try? decoder.container(keyedBy: AnyKey.self) else {
            throw SurfaceError(path: "", problem: .wrongType, expected: "an object")
        }
        if let known, let unknown = keys.allKeys.map(\.stringValue).filter({ !known.contains($0) }).min() {
            let list = known.map { "`\($0)`" }.joined(separator: ", ")
            throw SurfaceError(path: unknown, problem: .unknownKey, expected: "only \(list)")
        }
        self.keys = keys
    }

    /// Whether the object has a key.
    func contains(_ name: String) -> Bool { keys.contains(AnyKey(stringValue: name)) }

    /// A mandatory value.
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

    /// A value of a closed enumeration.
    func enumeration<Value: SurfaceEnumeration>(
        _ name: String,
        as type: Value.Type = Value.self
    ) throws(SurfaceError) -> Value {
        guard let value: Value = try enumerationIfPresent(name) else {
            throw SurfaceError(path: name, problem: .missing, expected: Value.expectation)
        }
        return value
    }

    /// A value of a closed enumeration, or nil.
    func enumerationIfPresent<Value: SurfaceEnumeration>(_ name: String) throws(SurfaceError) -> Value? {
        guard let text: String = try optional(name, as: Value.expectation) else { return nil }
        guard let value = Value(rawValue: text) else {
            throw SurfaceError(path: name, problem: .wrongValue, expected: Value.expectation)
        }
        return value
    }
}

/// A closed enumeration of strings in JSON.
public protocol SurfaceEnumeration: RawRepresentable<String>, CaseIterable, Codable, Hashable, Sendable {}

extension SurfaceEnumeration {
    /// `one of a, b, c`.
    public static var expectation: String { "one of \(allCases.map(\.rawValue).joined(separator: ", "))" }
}
