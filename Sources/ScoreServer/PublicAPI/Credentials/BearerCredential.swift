// `ssd1.<deviceId>.<secret>` and `ssa1.<id>.<secret>`: one form for phones and operators, shown once, never stored.

import COpenSSL
import ScoreTypes

/// A credential as it stands in an Authorization header.
struct BearerCredential: Sendable, CustomStringConvertible {
    /// Who may hold one.
    enum Kind: String, Sendable { case device = "ssd1", admin = "ssa1" }

    /// Bytes of a secret; nobody guesses 256 bits.
    static let secretByteCount = 32

    let kind: Kind
    /// The device's id or the token's id.
    let id: String
    private let secret: [UInt8]

    /// Draws a new secret from the system.
    init(new kind: Kind, id: String) {
        var generator = SystemRandomNumberGenerator()
        self.kind = kind
        self.id = id
        secret = (0..<Self.secretByteCount).map { _ in UInt8.random(in: 0...255, using: &generator) }
    }

    /// Reads the text of a credential; nil when it is not one.
    init?(_ text: some StringProtocol) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, let kind = Kind(rawValue: String(parts[0])), (1...64).contains(parts[1].utf8.count),
            let secret = Base64URL.bytes(parts[2].utf8), secret.count == Self.secretByteCount
        else { return nil }
        self.kind = kind
        id = String(parts[1])
        self.secret = secret
    }

    /// What is stored of it.
    var digest: SecretDigest { SecretDigest(of: secret) }

    /// The whole text, for the one answer that hands it over.
    var text: String { "\(kind.rawValue).\(id).\(Base64URL.text(secret))" }

    var description: String { "\(kind.rawValue).\(id).‹secret›" }

    /// The credential of an Authorization header: `Bearer <credential>`; nil for another scheme or form.
    static func reading(_ header: String?) -> BearerCredential? {
        guard let header, header.utf8.count <= 256, header.lowercased().hasPrefix("bearer ") else { return nil }
        return BearerCredential(header.dropFirst("bearer ".count))
    }
}
