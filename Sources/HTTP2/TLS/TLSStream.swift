// One TLS connection as a state machine on bytes, without a socket.

internal import COpenSSL

/// An `SSL` object between two memory buffers.
final class TLSStream {
    enum Progress {
        case done
        case needsInput
        case failed(TLSFailure)
    }

    enum Reading {
        case bytes(Int)
        case needsInput
        /// The peer sent close_notify.
        case ended
        case failed(TLSFailure)
    }

    private let ssl: OpaquePointer
    private let network: BytesBIO
    private let context: TLSContext

    /// A client's side: sends the server name and requires a certificate for it.
    ///
    /// - Throws: `TLSFailure` if the name is neither a host name nor an IP address.
    static func client(_ context: TLSContext, serverName: String) throws(TLSFailure) -> TLSStream {
        let stream = try TLSStream(context)
        SSL_set_connect_state(stream.ssl)
        if HostName.isAddress(serverName) {
            let accepted = X509_VERIFY_PARAM_set1_ip_asc(SSL_get0_param(stream.ssl), serverName)
            guard accepted == 1 else { throw .last("server name: expected an IP address or a host name") }
        } else {
            SSL_set_hostflags(stream.ssl, UInt32(X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS))
            guard SSL_set1_host(stream.ssl, serverName) == 1, ssl_set_server_name(stream.ssl, serverName) == 1 else {
                throw .last("server name: expected an IP address or a host name")
            }
        }
        return stream
    }

    /// A server's side.
    ///
    /// - Throws: `TLSFailure` if OpenSSL has no memory.
    static func server(_ context: TLSContext) throws(TLSFailure) -> TLSStream {
        let stream = try TLSStream(context)
        SSL_set_accept_state(stream.ssl)
        return stream
    }

    private init(_ context: TLSContext) throws(TLSFailure) {
        let network = BytesBIO()
        guard let made = SSL_new(context.pointer) else { throw .last("cannot make a TLS connection") }
        ssl = made
        self.network = network
        self.context = context
        guard let bio = network.makeHandle() else { throw .last("cannot make a TLS buffer") }
        // One BIO for both directions; SSL takes over the one reference.
        SSL_set_bio(made, bio, bio)
    }

    deinit { SSL_free(ssl) }

    /// Encrypted bytes that wait for the socket.
    var outgoing: ByteBuffer { network.outgoing }

    /// Sets bytes from the socket, which must stay valid until `read` or `handshake` returns `needsInput`.
    func offer(_ bytes: UnsafeRawBufferPointer) { network.incoming = bytes }

    func handshake() -> Progress {
        ERR_clear_error()
        let code = SSL_do_handshake(ssl)
        if code == 1 {
            return isForHTTP2 ? .done : .failed(TLSFailure("the peer did not select h2"))
        }
        guard SSL_get_error(ssl, code) == SSL_ERROR_WANT_READ else { return .failed(handshakeFailure()) }
        return .needsInput
    }

    func read(into buffer: UnsafeMutableRawBufferPointer) -> Reading {
        ERR_clear_error()
        let count = SSL_read(ssl, buffer.baseAddress, Int32(clamping: buffer.count))
        if count > 0 { return .bytes(Int(count)) }
        switch SSL_get_error(ssl, count) {
        case SSL_ERROR_WANT_READ: return .needsInput
        case SSL_ERROR_ZERO_RETURN: return .ended
        default: return .failed(.last("TLS record"))
        }
    }

    /// Encrypts all bytes into `outgoing`.
    func write(_ bytes: UnsafeRawBufferPointer) -> TLSFailure? {
        ERR_clear_error()
        let count = SSL_write(ssl, bytes.baseAddress, Int32(clamping: bytes.count))
        return Int(count) == bytes.count ? nil : .last("TLS write")
    }

    /// Appends close_notify to `outgoing`.
    func appendCloseNotify() {
        ERR_clear_error()
        SSL_shutdown(ssl)
    }

    /// Whether the peers agreed on h2; a server also takes a client without ALPN, which then has to send the preface.
    ///
    /// A server refuses a client whose ALPN lacks h2 during the handshake.
    private var isForHTTP2: Bool {
        var name: UnsafePointer<UInt8>?
        var length: UInt32 = 0
        SSL_get0_alpn_selected(ssl, &name, &length)
        if length == 0 { return SSL_is_server(ssl) == 1 }
        guard let name, length == 2 else { return false }
        return name[0] == UInt8(ascii: "h") && name[1] == UInt8(ascii: "2")
    }

    private func handshakeFailure() -> TLSFailure {
        let result = SSL_get_verify_result(ssl)
        guard result != Int(X509_V_OK) else { return .last("TLS handshake") }
        ERR_clear_error()
        let reason = X509_verify_cert_error_string(result).map { String(cString: $0) } ?? "unknown reason"
        return TLSFailure("certificate refused: \(reason)")
    }
}
