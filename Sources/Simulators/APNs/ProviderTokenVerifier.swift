// Reads the provider's JWT as Apple does: ES256 by a registered key, the right team, a numeric `iat`.

import COpenSSL
import Glibc
import ScoreTypes

/// A provider token with a valid signature.
struct ProviderToken: Sendable, Equatable {
    let text: [UInt8]
    let keyID: String
    /// Seconds since 1970.
    let issuedAt: Int64
}

/// Verifies the signature and the form of provider tokens.
struct ProviderTokenVerifier: Sendable {
    private static let scheme = Array("bearer ".utf8)

    private struct Header: Decodable {
        let alg: String
        let kid: String
    }

    private struct Claims: Decodable {
        let iss: String
        /// A number with or without a fraction; PyAPNs2 writes one.
        let iat: Double
    }

    let teamID: String
    /// The public keys in PEM, by key id.
    let keys: [String: [UInt8]]

    /// The token in the value of `authorization`.
    static func text(of authorization: UnsafeRawBufferPointer?) throws(PushRefusal) -> UnsafeRawBufferPointer {
        guard let authorization, authorization.count > scheme.count,
            UnsafeRawBufferPointer(rebasing: authorization[..<scheme.count]).equals(scheme)
        else { throw .missingToken }
        return UnsafeRawBufferPointer(rebasing: authorization[scheme.count...])
    }

    func read(_ text: [UInt8]) throws(PushRefusal) -> ProviderToken {
        let parts = text.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).map(Array.init)
        guard parts.count == 3, let header = Self.decode(Header.self, parts[0]),
            let claims = Self.decode(Claims.self, parts[1]), let signature = Base64URL.bytes(parts[2]),
            header.alg == "ES256", let key = keys[header.kid], claims.iss == teamID,
            let issuedAt = Int64(exactly: claims.iat.rounded(.down)),
            Self.verifies(signature, of: parts[0] + [UInt8(ascii: ".")] + parts[1], by: key)
        else { throw .invalidToken }
        return ProviderToken(text: text, keyID: header.kid, issuedAt: issuedAt)
    }

    private static func verifies(_ signature: [UInt8], of message: [UInt8], by publicKeyPEM: [UInt8]) -> Bool {
        guard signature.count == 64, let bio = BIO_new_mem_buf(publicKeyPEM, Int32(clamping: publicKeyPEM.count)) else {
            return false
        }
        defer { BIO_free(bio) }
        guard let key = PEM_read_bio_PUBKEY(bio, nil, nil, nil) else { return false }
        defer { EVP_PKEY_free(key) }
        guard let pair = ECDSA_SIG_new() else { return false }
        defer { ECDSA_SIG_free(pair) }
        // The signature takes over both numbers.
        let r = BN_bin2bn(signature, 32, nil)
        let s = signature.withUnsafeBufferPointer { BN_bin2bn($0.baseAddress.map { $0 + 32 }, 32, nil) }
        guard ECDSA_SIG_set0(pair, r, s) == 1 else { return false }
        var der: UnsafeMutablePointer<UInt8>?
        let count = i2d_ECDSA_SIG(pair, &der)
        guard count > 0, let der else { return false }
        defer { CRYPTO_free(der, nil, 0) }
        guard let context = EVP_MD_CTX_new() else { return false }
        defer { EVP_MD_CTX_free(context) }
        guard EVP_DigestVerifyInit(context, nil, EVP_sha256(), nil, key) == 1 else { return false }
        return EVP_DigestVerify(context, der, Int(count), message, message.count) == 1
    }

    private static func decode<Value: Decodable>(_ type: Value.Type, _ part: [UInt8]) -> Value? {
        Base64URL.bytes(part).flatMap { try? JSONElement.read(type, from: $0) }
    }
}
