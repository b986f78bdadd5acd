// `ssd1.<deviceId>.<secret>` and `ssa1.<id>.<secret>`: one form for phones and operators, shown once, never stored.

import COpenSSL
import ScoreTypes

/// A credential of an Authorization header.
struct BearerCredential: Sendable, CustomStringConvertible {
    /// The kind of its holder.
    enum Kind: String, Sendable { case device = "ssd1", admin = "ssa1" }

    /// Bytes of a secret; 256 bits cannot be guessed.
    static let secretByteCount = 32

    let kind: Kind
    /// The device's id or the token's id.
    let id: String
    private let secret: [UInt8]

    /// Makes a credential with a random secret.
    init(new kind: Kind, id: String) {
        self.kind = kind
        self.id = id
        secret = (0..<Self.secretByteCount).map { _ in UInt8.random(in: .min ... .max) }
    }

    /// The credential that replaces this one; each node derives the same from the same random bytes and key.
    ///
    /// Neither this secret alone nor the stored bytes alone give it.
    func successor(salt: [UInt8], key: String) throws(ServiceProblem) -> BearerCredential {
        let (data, size) = (salt + Array(key.utf8), Self.secretByteCount)
        var (code, count) = ([UInt8](repeating: 0, count: size), 0)
        let made = EVP_Q_mac(nil, "HMAC", nil, "SHA256", nil, secret, size, data, data.count, &code, size, &count)
        guard made != nil, count == size else { throw ServiceProblem(.internalError) }
        return BearerCredential(kind: kind, id: id, secret: code)
    }

    private init(kind: Kind, id: String, secret: [UInt8]) {
        self.kind = kind
        self.id = id
        self.secret = secret
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

    /// The digest, which is what is stored.
    var digest: SecretDigest { SecretDigest(of: secret) }

    /// The whole text, for the one answer that contains it.
    var text: String { "\(kind.rawValue).\(id).\(Base64URL.text(secret))" }

    var description: String { "\(kind.rawValue).\(id).‹secret›" }

    /// The credential of an Authorization header: `Bearer <credential>`; nil for another scheme or form.
    static func reading(_ header: String?) -> BearerCredential? {
        guard let header, header.utf8.count <= 256, header.lowercased().hasPrefix("bearer ") else { return nil }
        return BearerCredential(header.dropFirst("bearer ".count))
    }
}
