// The secret key that Apple trusts is confined to one type that signs and never prints it.

internal import COpenSSL

/// A P-256 private key for provider tokens; prints redacted.
public final class SigningKey: Sendable, CustomStringConvertible, CustomDebugStringConvertible {
    /// OpenSSL counts references atomically, and the key is only read after its creation.
    nonisolated(unsafe) private let key: OpaquePointer
    /// SHA-256 of the public key (DER, RFC 5280 section 4.1.2.7), 32 bytes.
    let publicDigest: [UInt8]

    /// Parses a PEM private key on P-256, as in Apple's `.p8` files.
    ///
    /// - Throws: `SigningError.notAPrivateKey` or `.notP256`.
    public init(pem: [UInt8]) throws(SigningError) {
        let parsed = pem.withUnsafeBytes { bytes -> OpaquePointer? in
            guard let memory = BIO_new_mem_buf(bytes.baseAddress, Int32(clamping: bytes.count)) else { return nil }
            defer { BIO_free(memory) }
            return PEM_read_bio_PrivateKey(memory, nil, nil, nil)
        }
        guard let parsed else { throw .notAPrivateKey }
        guard Self.isP256(parsed), let publicKey = Self.publicKey(of: parsed) else {
            EVP_PKEY_free(parsed)
            throw .notP256
        }
        key = parsed
        publicDigest = SHA256Digest.of(publicKey)
    }

    deinit { EVP_PKEY_free(key) }

    /// An ES256 signature: 64 bytes, r then s (RFC 7518 section 3.4).
    ///
    /// - Throws: `SigningError.signingFailed` if OpenSSL refuses.
    public func signature(of message: [UInt8]) throws(SigningError) -> [UInt8] {
        guard let context = EVP_MD_CTX_new() else { throw .signingFailed }
        defer { EVP_MD_CTX_free(context) }
        guard EVP_DigestSignInit(context, nil, EVP_sha256(), nil, key) == 1 else { throw .signingFailed }
        var length = PushLimits.derSignatureBytes
        var der = [UInt8](repeating: 0, count: length)
        guard EVP_DigestSign(context, &der, &length, message, message.count) == 1 else { throw .signingFailed }
        return try Self.fixedWidth(Array(der.prefix(length)))
    }

    /// One sentence, without anything secret.
    public var description: String { "‹signing key›" }
    /// The same as the description.
    public var debugDescription: String { description }

    /// Width of r and of s in bytes.
    private static let halfByteCount: Int32 = 32

    private static func isP256(_ key: OpaquePointer) -> Bool {
        var name = [CChar](repeating: 0, count: 64)
        var length = 0
        guard EVP_PKEY_get_group_name(key, &name, name.count, &length) == 1 else { return false }
        return String(decoding: name.prefix(length).map(UInt8.init(bitPattern:)), as: UTF8.self) == "prime256v1"
    }

    private static func publicKey(of key: OpaquePointer) -> [UInt8]? {
        var memory: UnsafeMutablePointer<UInt8>?
        let length = i2d_PUBKEY(key, &memory)
        guard length > 0, let memory else { return nil }
        defer { CRYPTO_free(memory, nil, 0) }
        return Array(UnsafeBufferPointer(start: memory, count: Int(length)))
    }

    private static func fixedWidth(_ der: [UInt8]) throws(SigningError) -> [UInt8] {
        let parsed = der.withUnsafeBufferPointer { bytes -> OpaquePointer? in
            var cursor = bytes.baseAddress
            return d2i_ECDSA_SIG(nil, &cursor, bytes.count)
        }
        guard let parsed else { throw .signingFailed }
        defer { ECDSA_SIG_free(parsed) }
        var (first, second) = ([UInt8](repeating: 0, count: 32), [UInt8](repeating: 0, count: 32))
        guard BN_bn2binpad(ECDSA_SIG_get0_r(parsed), &first, halfByteCount) == halfByteCount,
            BN_bn2binpad(ECDSA_SIG_get0_s(parsed), &second, halfByteCount) == halfByteCount
        else { throw .signingFailed }
        return first + second
    }
}

/// Why a key cannot be used; contains nothing of the key.
public enum SigningError: Error, Hashable, CustomStringConvertible {
    case unreadable(path: String)
    case notARegularFile(path: String)
    case readableByOthers(path: String)
    case tooLong(path: String)
    case nameWithoutID(path: String)
    case notAPrivateKey
    case notP256
    case signingFailed

    /// One sentence, without anything secret.
    public var description: String {
        switch self {
        case .unreadable(let path): "signing key \(path): cannot be read"
        case .notARegularFile(let path): "signing key \(path): expected a regular file"
        case .readableByOthers(let path):
            "signing key \(path): expected a file that not every user can read (chmod 600)"
        case .tooLong(let path): "signing key \(path): expected at most \(PushLimits.keyFileBytes) bytes"
        case .nameWithoutID(let path):
            "signing key \(path): expected a link to AuthKey_<key id>.p8, or a restart of the node"
        case .notAPrivateKey: "signing key: expected a PEM private key (Apple's .p8 file)"
        case .notP256: "signing key: expected a key on the curve P-256"
        case .signingFailed: "signing key: OpenSSL could not sign"
        }
    }
}
