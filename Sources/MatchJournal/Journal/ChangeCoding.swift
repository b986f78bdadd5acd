// The journal outlives every version of the server, so the stored form of an entry has one definition.

internal import Foundation
public import MatchEngine

/// Turns changes into rows of `journal` and back.
public enum ChangeCoding {
    /// The JSON of a value, as `jsonb` accepts it.
    static func encode(_ value: some Encodable) throws(JournalError) -> [UInt8] {
        do { return withoutNul(Array(try JSONEncoder().encode(value))) } catch { throw JournalError(error) }
    }

    /// The JSON of a change with sorted keys, so that equal changes are equal bytes.
    ///
    /// - Throws: `EncodingError`.
    public static func canonical(_ change: Change) throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return withoutNul(Array(try encoder.encode(change)))
    }

    /// Reads a stored body.
    ///
    /// - Throws: `JournalError.unreadable` with the decoder's reason.
    static func decode(_ body: [UInt8], revision: Int64) throws(JournalError) -> Change {
        do { return try JSONDecoder().decode(Change.self, from: Data(body)) } catch {
            throw .unreadable(revision: revision, reason: String(describing: error))
        }
    }

    /// Replaces the escape of U+0000, which a feed may send and Postgres refuses, by that of U+FFFD.
    static func withoutNul(_ json: [UInt8]) -> [UInt8] {
        let nul = Array("u0000".utf8)
        var clean = json
        var index = 0
        while index < clean.count {
            guard clean[index] == UInt8(ascii: "\\") else {
                index += 1
                continue
            }
            if clean[(index + 1)...].starts(with: nul) {
                clean.replaceSubrange(index + 2..<index + 6, with: "fffd".utf8)
            }
            index += 2
        }
        return clean
    }
}

extension Change {
    /// The value of column `kind`.
    var kindWord: String {
        switch self {
        case .info: "info"
        case .innings: "innings"
        case .inningsWithdrawn: "inningsWithdrawn"
        case .inserted: "inserted"
        case .amended: "amended"
        case .withdrawn: "withdrawn"
        case .status: "status"
        case .result: "result"
        case .confirmed: "confirmed"
        case .keepAlive: "keepAlive"
        }
    }

    /// The value of column `item_key`; nil for a change of the whole match.
    var itemKey: String? {
        switch self {
        case .innings(let facts): String(facts.ordinal)
        case .inningsWithdrawn(let ordinal): String(ordinal)
        case .inserted(let delivery), .amended(let delivery): delivery.key.text.withoutNul
        case .withdrawn(let key): key.text.withoutNul
        case .confirmed(let keys): keys.map(\.text).joined(separator: " ").withoutNul
        case .info, .status, .result, .keepAlive: nil
        }
    }
}

extension String {
    /// The text without U+0000, which PostgreSQL cannot store; U+FFFD replaces it.
    public var withoutNul: String { contains("\0") ? replacing("\0", with: "\u{fffd}") : self }
}
