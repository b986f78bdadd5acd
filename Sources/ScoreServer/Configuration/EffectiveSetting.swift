// Operators see which value a node uses and where it comes from; a secret shows only that it is set, and a fingerprint.

import ScoreTypes

/// A setting as this process uses it.
struct EffectiveSetting: Sendable, Hashable {
    /// Where a value comes from.
    enum Source: String, Sendable, Hashable { case `default`, file, environment }

    let key: ConfigurationKey
    let source: Source
    /// The value; of a secret, never shown.
    let text: String

    /// Finds the values of all keys.
    static func all(environment: [String: String], file: [String: String]) -> [EffectiveSetting] {
        ConfigurationKeys.all.map { key in
            // An empty value in the environment hides the file, and counts as not set.
            if let text = environment[key.environmentName] {
                return text.isEmpty ? .init(key) : .init(key, .environment, text)
            }
            return file[key.environmentName]?.unlessEmpty.map { .init(key, .file, $0) } ?? .init(key)
        }
    }

    private init(_ key: ConfigurationKey, _ source: Source = .default, _ text: String? = nil) {
        (self.key, self.source, self.text) = (key, source, text ?? key.defaultText)
    }

    /// The value as people may see it: nodes with equal secrets have equal fingerprints.
    var shown: String {
        guard key.isSecret else { return Redaction.scrub(text, isCounted: false) }
        guard !text.isEmpty else { return "unset" }
        return "set (\(fingerprint))"
    }

    /// 32 bits of a hash, too few to find a secret by them.
    private var fingerprint: String {
        let digest = SecretDigest(of: Array("\(key.name)=\(text)".utf8))
        return Hex.string(Array(digest.bytes.prefix(ServerLimits.fingerprintBytes)))
    }

    /// The setting for operators.
    var json: JSONValue {
        .record([
            "name": .text(key.name), "variable": .text(key.environmentName), "source": .text(source.rawValue),
            "value": .text(shown), "secret": .bool(key.isSecret), "set": .bool(!text.isEmpty),
            "doc": .text(key.doc),
        ])
    }
}
