// A provider signs its tokens with a P-256 key; a simulation makes a new one in the format in which Apple issues keys.

import COpenSSL
import HTTP2

/// Why a key pair could not be generated.
public enum SigningKeyPairError: Error, CustomStringConvertible {
    /// OpenSSL has no source of randomness.
    case noRandomness

    /// One sentence with the way out.
    public var description: String { "OpenSSL could not make a key; check that /dev/urandom can be read." }
}

/// A P-256 key pair in PEM.
public struct SigningKeyPair: Sendable {
    /// The private key in PKCS#8, as in a .p8 file.
    public let privatePEM: [UInt8]
    /// The public key (SubjectPublicKeyInfo), which the simulated APNs verifies tokens with.
    public let publicPEM: [UInt8]

    /// Generates a key pair.
    ///
    /// - Throws: `SigningKeyPairError`.
    public init() throws(SigningKeyPairError) {
        guard let key = evp_p256_key() else { throw .noRandomness }
        defer { EVP_PKEY_free(key) }
        guard let secret = PEMText.write({ PEM_write_bio_PKCS8PrivateKey($0, key, nil, nil, 0, nil, nil) }),
            let open = PEMText.write({ PEM_write_bio_PUBKEY($0, key) })
        else { throw .noRandomness }
        privatePEM = secret
        publicPEM = open
    }
}
