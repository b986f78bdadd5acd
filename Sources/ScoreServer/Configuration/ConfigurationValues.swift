// Turns the texts of keys into typed values and collects all complaints.

import Foundation
import Providers
import ScoreTypes

/// Reads keys by name; for an invalid value it collects a complaint and returns the default.
struct ConfigurationValues {
    var problems: [String] = []
    /// The text of a variable that a file of settings names, for secrets.
    var environment: (String) -> String? = { _ in nil }
    /// The text set for a key; nil when it is not set.
    let lookUp: (ConfigurationKey) -> String?

    /// The text of a key; its default when it is not set or empty.
    mutating func text(_ name: String) -> String {
        guard let key = ConfigurationKeys.all.first(where: { $0.name == name }) else {
            problems.append("\(name) is read but not documented")
            return ""
        }
        return lookUp(key)?.unlessEmpty ?? key.defaultText
    }

    /// A whole number in the range of its key.
    mutating func integer(_ name: String) -> Int {
        checked(name) { kind, text in
            guard case .integer(let range) = kind, let value = Int(text), range.contains(value) else { return nil }
            return value
        } ?? 0
    }

    /// True or false.
    mutating func flag(_ name: String) -> Bool {
        checked(name) { _, text in ["true": true, "false": false][text.lowercased()] } ?? false
    }

    /// One of the words of its key, as a value of an enum; nil when the key has a word that the enum lacks.
    mutating func choice<Word: RawRepresentable<String>>(_ name: String, as type: Word.Type) -> Word? {
        Word(rawValue: choice(name))
    }

    /// One of the words of its key.
    mutating func choice(_ name: String) -> String {
        checked(name) { kind, text in
            guard case .choice(let words) = kind, words.contains(text) else { return nil }
            return text
        } ?? ""
    }

    /// Words between commas, trimmed; none for an empty text.
    mutating func list(_ name: String) -> [String] {
        text(name).split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
    }

    /// Addresses and ranges of addresses in CIDR form between commas.
    mutating func addressBlocks(_ name: String) -> [AddressBlock] {
        list(name).compactMap { text in
            if let block = AddressBlock(text) { return block }
            complain("\(name) must list addresses or ranges such as 10.0.0.0/8, but has \"\(text)\"")
            return nil
        }
    }

    /// A secret, from its key or from the file that another key names; nil when neither is set.
    mutating func secret(_ name: String, file: String) -> Secret? {
        if let text = text(name).unlessEmpty { return Secret(text) }
        guard let path = text(file).unlessEmpty else { return nil }
        if let text = SecretFile.secret(path) { return Secret(text) }
        problems.append("\(file): cannot read a secret from \(path)")
        return nil
    }

    /// An amount and the time in which it is refilled.
    mutating func quota(_ name: String) -> Quota {
        checked(name) { _, text in Quota(text) } ?? Quota(count: 1, per: .seconds(1))
    }

    /// An id, such as a node's.
    mutating func identity<ID: TextID>(_ name: String, as type: ID.Type) -> ID {
        let text = text(name)
        if let id = ID(text) { return id }
        problems.append("\(name) must be 1 to 64 of A-Z a-z 0-9 . _ -, but is \"\(text)\"")
        return ID(unchecked: "invalid")
    }

    /// Adds a complaint that concerns several keys.
    mutating func complain(_ sentence: String) { problems.append(sentence) }

    private mutating func checked<Value>(
        _ name: String,
        _ parse: (ConfigurationKey.Kind, String) -> Value?
    ) -> Value? {
        let text = text(name)
        guard let key = ConfigurationKeys.all.first(where: { $0.name == name }) else { return nil }
        if let value = parse(key.kind, text) { return value }
        let shown = key.isSecret ? "" : ", but is \"\(text)\""
        problems.append("\(name) (\(key.environmentName)) must be \(key.kind.expectation)\(shown)")
        return parse(key.kind, key.defaultText)
    }
}

extension String {
    /// The text; nil when it is empty.
    var unlessEmpty: String? { isEmpty ? nil : self }
}
