// OpenSSL's settings for one side: at least TLS 1.2, HTTP/2 by ALPN, and the chain always verified by a client.

internal import COpenSSL
internal import Glibc

/// Settings shared by the connections of a client or a server; confined to one loop.
final class TLSContext {
    let pointer: OpaquePointer

    /// Wire form of the one protocol that is offered and accepted.
    static let alpn: [UInt8] = [2] + Array("h2".utf8)

    /// A client that trusts the system's authorities, or only those given.
    init(client trust: TLSTrust) throws(TLSError) {
        guard let context = SSL_CTX_new(TLS_client_method()) else { throw .setUp }
        pointer = context
        Self.harden(context)
        SSL_CTX_set_verify(context, SSL_VERIFY_PEER, nil)
        SSL_CTX_set_alpn_protos(context, Self.alpn, UInt32(Self.alpn.count))
        switch trust {
        case .system: SSL_CTX_set_default_verify_paths(context)
        case .certificates(let pem): try Self.trust(pem, in: context)
        }
    }

    /// A server that shows a certificate.
    init(server identity: TLSIdentity) throws(TLSError) {
        guard let context = SSL_CTX_new(TLS_server_method()) else { throw .setUp }
        pointer = context
        Self.harden(context)
        try Self.use(identity, in: context)
        SSL_CTX_set_alpn_select_cb(
            context,
            { _, chosen, chosenCount, offered, offeredCount, _ in
                guard let offered else { return SSL_TLSEXT_ERR_ALERT_FATAL }
                var index = 0
                while index < Int(offeredCount) {
                    let length = Int(offered[index])
                    guard index + 1 + length <= Int(offeredCount) else { break }
                    if length == 2, offered[index + 1] == UInt8(ascii: "h"), offered[index + 2] == UInt8(ascii: "2") {
                        chosen?.pointee = offered + index + 1
                        chosenCount?.pointee = 2
                        return SSL_TLSEXT_ERR_OK
                    }
                    index += 1 + length
                }
                return SSL_TLSEXT_ERR_ALERT_FATAL
            },
            nil
        )
    }

    deinit { SSL_CTX_free(pointer) }

    private static func harden(_ context: OpaquePointer) {
        _ = ssl_ctx_set_min_tls12(context)
        _ = ssl_ctx_set_mode(context, Int(SSL_MODE_RELEASE_BUFFERS | SSL_MODE_ENABLE_PARTIAL_WRITE))
        ssl_ctx_forbid_old_habits(context)
    }

    private static func trust(_ pem: [UInt8], in context: OpaquePointer) throws(TLSError) {
        guard let bio = BIO_new_mem_buf(pem, Int32(clamping: pem.count)) else { throw .setUp }
        defer { BIO_free(bio) }
        let store = SSL_CTX_get_cert_store(context)
        var count = 0
        while let certificate = PEM_read_bio_X509(bio, nil, nil, nil) {
            X509_STORE_add_cert(store, certificate)
            X509_free(certificate)
            count += 1
        }
        ERR_clear_error()
        guard count > 0 else { throw .badIdentity(field: "authority's certificate") }
    }

    private static func use(_ identity: TLSIdentity, in context: OpaquePointer) throws(TLSError) {
        let certificates = identity.certificatePEM
        guard let bio = BIO_new_mem_buf(certificates, Int32(clamping: certificates.count)) else { throw .setUp }
        defer { BIO_free(bio) }
        guard let certificate = PEM_read_bio_X509(bio, nil, nil, nil) else {
            throw .badIdentity(field: "certificate")
        }
        SSL_CTX_use_certificate(context, certificate)
        X509_free(certificate)
        let keyText = identity.privateKeyPEM
        guard let keyBio = BIO_new_mem_buf(keyText, Int32(clamping: keyText.count)) else { throw .setUp }
        defer { BIO_free(keyBio) }
        guard let key = PEM_read_bio_PrivateKey(keyBio, nil, nil, nil) else {
            throw .badIdentity(field: "private key")
        }
        defer { EVP_PKEY_free(key) }
        guard SSL_CTX_use_PrivateKey(context, key) == 1 else { throw .badIdentity(field: "private key") }
        ERR_clear_error()
    }
}

/// Whom a client believes.
public enum TLSTrust: Sendable, Hashable {
    /// The authorities that the system trusts.
    case system
    /// Only these certificates, in PEM.
    case certificates(pem: [UInt8])
}
