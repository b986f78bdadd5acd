// A certificate with its key; tests and the demo make their own, since no authority would sign for loopback.

internal import COpenSSL
internal import Glibc

/// A certificate and the private key that belongs to it.
public struct TLSIdentity: Sendable, CustomStringConvertible {
    /// The certificate chain in PEM, leaf first.
    public let certificatePEM: [UInt8]
    /// The private key in PEM.
    let privateKeyPEM: [UInt8]

    /// Wraps PEM texts; they are read when a server starts.
    public init(certificatePEM: [UInt8], privateKeyPEM: [UInt8]) {
        self.certificatePEM = certificatePEM
        self.privateKeyPEM = privateKeyPEM
    }

    /// Never the key.
    public var description: String { "TLSIdentity" }

    /// Days for which a self-signed certificate holds.
    private static let validDays: Int64 = 30

    /// Makes a P-256 certificate that signs itself and may be trusted as an authority by clients.
    ///
    /// - Parameters:
    ///   - commonName: The subject's name.
    ///   - addresses: IP addresses and DNS names that it is valid for.
    /// - Returns: The identity, valid for 30 days.
    /// - Throws: `TLSError.setUp` when OpenSSL refuses.
    public static func selfSigned(commonName: String, addresses: [String]) throws(TLSError) -> TLSIdentity {
        guard let key = evp_p256_key() else { throw .setUp }
        defer { EVP_PKEY_free(key) }
        guard let certificate = X509_new() else { throw .setUp }
        defer { X509_free(certificate) }
        var serial: UInt32 = 0
        withUnsafeMutableBytes(of: &serial) { buffer in
            if let base = buffer.baseAddress { _ = RAND_bytes(base.assumingMemoryBound(to: UInt8.self), 4) }
        }
        X509_set_version(certificate, 2)
        ASN1_INTEGER_set(X509_get_serialNumber(certificate), Int(serial >> 1) + 1)
        X509_gmtime_adj(X509_getm_notBefore(certificate), -3600)
        X509_gmtime_adj(X509_getm_notAfter(certificate), Int(validDays * 86_400))
        X509_set_pubkey(certificate, key)
        let name = X509_get_subject_name(certificate)
        X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_UTF8, Array(commonName.utf8), -1, -1, 0)
        X509_set_issuer_name(certificate, name)
        try addExtension(NID_basic_constraints, "critical,CA:TRUE", to: certificate)
        let names = addresses.map { isAddress($0) ? "IP:\($0)" : "DNS:\($0)" }.joined(separator: ",")
        if !names.isEmpty { try addExtension(NID_subject_alt_name, names, to: certificate) }
        guard X509_sign(certificate, key, EVP_sha256()) > 0 else { throw .setUp }
        return TLSIdentity(
            certificatePEM: try pem { PEM_write_bio_X509($0, certificate) },
            privateKeyPEM: try pem { PEM_write_bio_PrivateKey($0, key, nil, nil, 0, nil, nil) }
        )
    }

    private static func addExtension(_ nid: Int32, _ value: String, to certificate: OpaquePointer) throws(TLSError) {
        guard let made = X509V3_EXT_conf_nid(nil, nil, nid, value) else { throw .setUp }
        defer { X509_EXTENSION_free(made) }
        X509_add_ext(certificate, made, -1)
    }

    private static func pem(_ write: (OpaquePointer) -> Int32) throws(TLSError) -> [UInt8] {
        guard let bio = BIO_new(BIO_s_mem()) else { throw .setUp }
        defer { BIO_free(bio) }
        guard write(bio) == 1 else { throw .setUp }
        var data: UnsafeMutablePointer<CChar>?
        let count = bio_mem_data(bio, &data)
        guard let data, count > 0 else { throw .setUp }
        return UnsafeRawBufferPointer(start: data, count: Int(count)).map { $0 }
    }

    /// Whether the text is an IPv4 or IPv6 address.
    static func isAddress(_ text: String) -> Bool {
        var v4 = in_addr()
        var v6 = in6_addr()
        return inet_pton(AF_INET, text, &v4) == 1 || inet_pton(AF_INET6, text, &v6) == 1
    }
}
