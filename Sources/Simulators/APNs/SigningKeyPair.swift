// The demo's own signing key: made for one run, in the form in which Apple hands keys out.

import COpenSSL

/// A P-256 key as two PEM texts.
struct DemoKeyPair: Sendable {
    /// PKCS#8, as a .p8 file holds it.
    let privatePEM: [UInt8]
    /// The half that the simulated Apple knows.
    let publicPEM: [UInt8]

    /// Draws a key; nil when OpenSSL has no randomness.
    init?() {
        guard let key = evp_p256_key() else { return nil }
        defer { EVP_PKEY_free(key) }
        guard let secret = Self.pem({ PEM_write_bio_PKCS8PrivateKey($0, key, nil, nil, 0, nil, nil) }),
            let open = Self.pem({ PEM_write_bio_PUBKEY($0, key) })
        else { return nil }
        privatePEM = secret
        publicPEM = open
    }

    private static func pem(_ write: (OpaquePointer) -> Int32) -> [UInt8]? {
        guard let bio = BIO_new(BIO_s_mem()) else { return nil }
        defer { BIO_free(bio) }
        guard write(bio) == 1 else { return nil }
        var data: UnsafeMutablePointer<CChar>?
        let count = bio_mem_data(bio, &data)
        guard let data, count > 0 else { return nil }
        return Array(UnsafeRawBufferPointer(start: data, count: Int(count)))
    }
}
