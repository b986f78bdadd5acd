// Reads the provider's JWT as Apple does: ES256 by the registered key, the right team, a numeric and recent `iat`.

import COpenSSL
import Glibc
import ScoreTypes

/// Verifies provider tokens, each good one once; confined to one loop.
struct ProviderTokenVerifier {
    private static let scheme = Array("bearer ".utf8)

    private struct Header: Decodable {
        let alg: String
        let kid: String
    }

    private struct Claims: Decodable {
        let iss: String
        let iat: Int64
    }

    let keyID: String
    let teamID: String
    let publicKeyPEM: [UInt8]
    private(set) var known: [(token: [UInt8], issuedAt: Int64)] = []
    private(set) var lastUpdate: Int64?

    /// Verifies the value of `authorization`.
    mutating func verify(_ authorization: UnsafeRawBufferPointer?, now: Int64) throws(PushRefusal) {
        guard let authorization, authorization.count > Self.scheme.count,
            UnsafeRawBufferPointer(rebasing: authorization[..<Self.scheme.count]).equals(Self.scheme)
        else { throw .missingToken }
        let token = UnsafeRawBufferPointer(rebasing: authorization[Self.scheme.count...])
        let issuedAt: Int64
        if let found = known.last(where: { token.equals($0.token) }) {
            issuedAt = found.issuedAt
        } else {
            issuedAt = try read(Array(token))
            guard now - issuedAt <= SimulatorLimits.providerTokenSeconds else { throw .expiredToken }
            if let lastUpdate, now - lastUpdate < SimulatorLimits.providerTokenUpdateSeconds { throw .tooManyTokens }
            lastUpdate = now
            if known.count >= SimulatorLimits.checkedBodies { known.removeFirst() }
            known.append((Array(token), issuedAt))
        }
        guard now - issuedAt <= SimulatorLimits.providerTokenSeconds else { throw .expiredToken }
        guard issuedAt - now <= SimulatorLimits.providerTokenAheadSeconds else { throw .invalidToken }
    }

    private func read(_ token: [UInt8]) throws(PushRefusal) -> Int64 {
        let parts = token.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).map(Array.init)
        guard parts.count == 3, let header = Self.decode(Header.self, parts[0]),
            let claims = Self.decode(Claims.self, parts[1]), let signature = Base64URL.bytes(parts[2]),
            header.alg == "ES256", header.kid == keyID, claims.iss == teamID,
            verifies(signature, of: parts[0] + [UInt8(ascii: ".")] + parts[1])
        else { throw .invalidToken }
        return claims.iat
    }

    private func verifies(_ signature: [UInt8], of message: [UInt8]) -> Bool {
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
