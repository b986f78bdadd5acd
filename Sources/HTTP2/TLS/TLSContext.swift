// OpenSSL's settings for many connections, made once since loading authorities takes milliseconds.

internal import COpenSSL

/// Owns an `SSL_CTX` for one role.
final class TLSContext {
    /// "h2" in ALPN's encoding.
    private static let protocols: [UInt8] = [2, UInt8(ascii: "h"), UInt8(ascii: "2")]

    let pointer: OpaquePointer

    private init(_ method: OpaquePointer?) throws(TLSFailure) {
        guard let method, let made = SSL_CTX_new(method), ssl_ctx_set_min_tls12(made) == 1 else {
            throw .last("cannot set up TLS 1.2 or newer")
        }
        pointer = made
    }

    deinit { SSL_CTX_free(pointer) }

    /// A client's settings, which always verify the peer's chain.
    ///
    /// - Throws: `TLSFailure` if the authorities cannot be loaded.
    static func client(_ trust: TLSTrust) throws(TLSFailure) -> TLSContext {
        let context = try TLSContext(TLS_client_method())
        SSL_CTX_set_verify(context.pointer, SSL_VERIFY_PEER, nil)
        switch trust {
        case .system:
            guard SSL_CTX_set_default_verify_paths(context.pointer) == 1 else {
                throw .last("cannot load the system's certificate authorities")
            }
        case .certificates(let pem):
            let certificates = PEMText.certificates(in: pem)
            guard !certificates.isEmpty else { throw TLSFailure("expected at least one PEM certificate to trust") }
            let store = SSL_CTX_get_cert_store(context.pointer)
            for certificate in certificates {
                X509_STORE_add_cert(store, certificate)
                X509_free(certificate)
            }
        }
        // Unlike other functions of OpenSSL this one returns 0 for success.
        guard SSL_CTX_set_alpn_protos(context.pointer, protocols, 3) == 0 else { throw .last("cannot offer h2") }
        return context
    }

    /// A server's settings: its identity, and h2 as the only protocol of clients that use ALPN.
    ///
    /// - Throws: `TLSFailure` if the certificate or the key cannot be used.
    static func server(_ identity: TLSIdentity) throws(TLSFailure) -> TLSContext {
        let context = try TLSContext(TLS_server_method())
        let certificates = PEMText.certificates(in: identity.certificatePEM)
        defer { for certificate in certificates { X509_free(certificate) } }
        guard let first = certificates.first else { throw TLSFailure("certificate: expected PEM") }
        guard let key = PEMText.privateKey(in: identity.privateKeyPEM) else { throw .last("private key: expected PEM") }
        defer { EVP_PKEY_free(key) }
        guard SSL_CTX_use_certificate(context.pointer, first) == 1,
            SSL_CTX_use_PrivateKey(context.pointer, key) == 1,
            SSL_CTX_check_private_key(context.pointer) == 1
        else { throw .last("private key: expected the key of the certificate") }
        for intermediate in certificates.dropFirst() {
            // The context takes over the reference.
            X509_up_ref(intermediate)
            SSL_CTX_ctrl(context.pointer, SSL_CTRL_EXTRA_CHAIN_CERT, 0, UnsafeMutableRawPointer(intermediate))
        }
        SSL_CTX_set_alpn_select_cb(context.pointer, selectProtocol, nil)
        return context
    }

    private static let selectProtocol: SSL_CTX_alpn_select_cb_func = { _, out, outLength, offered, offeredLength, _ in
        guard let offered else { return SSL_TLSEXT_ERR_ALERT_FATAL }
        var index = 0
        while index < Int(offeredLength) {
            let length = Int(offered[index])
            guard index + 1 + length <= Int(offeredLength) else { break }
            if length == 2, offered[index + 1] == UInt8(ascii: "h"), offered[index + 2] == UInt8(ascii: "2") {
                out?.pointee = offered + index + 1
                outLength?.pointee = 2
                return SSL_TLSEXT_ERR_OK
            }
            index += 1 + length
        }
        return SSL_TLSEXT_ERR_ALERT_FATAL
    }
}
