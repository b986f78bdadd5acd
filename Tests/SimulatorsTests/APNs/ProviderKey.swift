// Each test has its own provider key, so that the simulator verifies real signatures.

import COpenSSL
import Foundation
import ScoreTypes

/// A P-256 key that signs provider tokens.
final class ProviderKey {
    let publicPEM: [UInt8]
    private let key: OpaquePointer

    init?() {
        guard let context = EVP_PKEY_CTX_new_id(EVP_PKEY_EC, nil) else { return nil }
        defer { EVP_PKEY_CTX_free(context) }
        var made: OpaquePointer?
        guard EVP_PKEY_keygen_init(context) > 0,
            EVP_PKEY_CTX_set_ec_paramgen_curve_nid(context, NID_X9_62_prime256v1) > 0,
            EVP_PKEY_keygen(context, &made) > 0, let made, let bio = BIO_new(BIO_s_mem())
        else { return nil }
        defer { BIO_free(bio) }
        key = made
        PEM_write_bio_PUBKEY(bio, made)
        var start: UnsafeMutablePointer<CChar>?
        let count = bio_mem_data(bio, &start)
        publicPEM = [UInt8](UnsafeRawBufferPointer(start: start, count: count))
    }

    deinit { EVP_PKEY_free(key) }

    /// A token with the given JSON texts, signed.
    func sign(header: String, claims: String) -> String {
        let message = Base64URL.text(Array(header.utf8)) + "." + Base64URL.text(Array(claims.utf8))
        return message + "." + Base64URL.text(signature(of: Array(message.utf8)))
    }

    private func signature(of message: [UInt8]) -> [UInt8] {
        let context = EVP_MD_CTX_new()
        defer { EVP_MD_CTX_free(context) }
        var length = 128
        var der = [UInt8](repeating: 0, count: length)
        var raw = [UInt8](repeating: 0, count: 64)
        guard EVP_DigestSignInit(context, nil, EVP_sha256(), nil, key) == 1,
            EVP_DigestSign(context, &der, &length, message, message.count) == 1
        else { return raw }
        der.withUnsafeBufferPointer { buffer in
            var next = buffer.baseAddress
            let pair = d2i_ECDSA_SIG(nil, &next, length)
            defer { ECDSA_SIG_free(pair) }
            raw.withUnsafeMutableBufferPointer { target in
                BN_bn2binpad(ECDSA_SIG_get0_r(pair), target.baseAddress, 32)
                BN_bn2binpad(ECDSA_SIG_get0_s(pair), target.baseAddress.map { $0 + 32 }, 32)
            }
        }
        return raw
    }
}
