// A server's certificate and key; tests, simulators and demos make their own.

internal import COpenSSL
internal import Glibc

/// A certificate (chain) and its private key, both PEM.
public struct TLSIdentity: Sendable, CustomStringConvertible {
    /// The server's certificate, followed by intermediate ones.
    public let certificatePEM: [UInt8]
    /// The key of the first certificate; never printed.
    public let privateKeyPEM: [UInt8]

    /// Wraps PEM text; a server checks it when it starts.
    public init(certificatePEM: [UInt8], privateKeyPEM: [UInt8]) {
        self.certificatePEM = certificatePEM
        self.privateKeyPEM = privateKeyPEM
    }

    /// Omits the key.
    public var description: String { "TLSIdentity(\(certificatePEM.count) bytes of certificate)" }

    /// Makes a P-256 key and a certificate for it, valid for 30 days, which is also its own authority.
    ///
    /// - Parameters:
    ///   - commonName: Subject and issuer.
    ///   - addresses: Host names and IP addresses in the certificate.
    /// - Returns: A new identity with a random key.
    /// - Throws: `TLSFailure` if OpenSSL refuses, for example a malformed address.
    public static func selfSigned(commonName: String, addresses: [String]) throws(TLSFailure) -> TLSIdentity {
        guard let key = PrivateKey.makeP256() else { throw .last("cannot make a P-256 key") }
        defer { EVP_PKEY_free(key) }
        guard let certificate = X509_new() else { throw .last("cannot make a certificate") }
        defer { X509_free(certificate) }
        try SelfSigned.fill(certificate, commonName: commonName, addresses: addresses, key: key)
        guard X509_sign(certificate, key, EVP_sha256()) > 0 else { throw .last("cannot sign the certificate") }
        let certificatePEM = PEMText.write { PEM_write_bio_X509($0, certificate) }
        let keyPEM = PEMText.write { PEM_write_bio_PrivateKey($0, key, nil, nil, 0, nil, nil) }
        guard let certificatePEM, let keyPEM else { throw .last("cannot write PEM") }
        return TLSIdentity(certificatePEM: certificatePEM, privateKeyPEM: keyPEM)
    }
}

private enum PrivateKey {
    static func makeP256() -> OpaquePointer? {
        guard let context = EVP_PKEY_CTX_new_id(EVP_PKEY_EC, nil) else { return nil }
        defer { EVP_PKEY_CTX_free(context) }
        guard EVP_PKEY_keygen_init(context) > 0,
            EVP_PKEY_CTX_set_ec_paramgen_curve_nid(context, NID_X9_62_prime256v1) > 0
        else { return nil }
        var key: OpaquePointer?
        return EVP_PKEY_keygen(context, &key) > 0 ? key : nil
    }
}

private enum SelfSigned {
    /// Validity in seconds: long enough for a demo; production certificates come from elsewhere.
    static let validSeconds = 30 * 24 * 3600
    /// Seconds before now at which the validity starts, for clients whose clock is slow.
    static let earlierSeconds = -3600

    static func fill(
        _ certificate: OpaquePointer,
        commonName: String,
        addresses: [String],
        key: OpaquePointer
    ) throws(TLSFailure) {
        X509_set_version(certificate, 2)
        ASN1_INTEGER_set_int64(X509_get_serialNumber(certificate), Int64.random(in: 1...Int64.max))
        X509_gmtime_adj(X509_getm_notBefore(certificate), earlierSeconds)
        X509_gmtime_adj(X509_getm_notAfter(certificate), validSeconds)
        X509_set_pubkey(certificate, key)
        let name = X509_get_subject_name(certificate)
        X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_UTF8, commonName, -1, -1, 0)
        X509_set_issuer_name(certificate, name)
        try add(NID_basic_constraints, "critical,CA:TRUE", to: certificate)
        try add(NID_key_usage, "critical,digitalSignature,keyCertSign", to: certificate)
        try add(NID_ext_key_usage, "serverAuth", to: certificate)
        guard !addresses.isEmpty else { return }
        let names = addresses.map { HostName.isAddress($0) ? "IP:\($0)" : "DNS:\($0)" }
        try add(NID_subject_alt_name, names.joined(separator: ","), to: certificate)
    }

    private static func add(_ kind: Int32, _ value: String, to certificate: OpaquePointer) throws(TLSFailure) {
        var context = X509V3_CTX()
        X509V3_set_ctx(&context, certificate, certificate, nil, nil, 0)
        guard let made = X509V3_EXT_conf_nid(nil, &context, kind, value) else {
            throw .last("cannot make the certificate extension \(value)")
        }
        defer { X509_EXTENSION_free(made) }
        X509_add_ext(certificate, made, -1)
    }
}
