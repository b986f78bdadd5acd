// Secrets are random and long, so that a plain SHA-256 protects them; comparisons take constant time.

import COpenSSL

/// The SHA-256 of a secret.
struct SecretDigest: Sendable, Hashable, CustomStringConvertible {
    /// 32 bytes.
    let bytes: [UInt8]

    /// Wraps a stored digest; nil when it is not 32 bytes.
    init?(stored bytes: [UInt8]) {
        guard bytes.count == Int(SHA256_DIGEST_LENGTH) else { return nil }
        self.bytes = bytes
    }

    /// Digests bytes.
    init(of secret: [UInt8]) {
        var digest = [UInt8](repeating: 0, count: Int(SHA256_DIGEST_LENGTH))
        SHA256(secret, secret.count, &digest)
        bytes = digest
    }

    /// Whether two digests are equal, in constant time.
    func matches(_ other: SecretDigest) -> Bool { CRYPTO_memcmp(bytes, other.bytes, bytes.count) == 0 }

    var description: String { "‹digest›" }
}
