// Encryption without a socket: plain bytes on one side, records on the other, both in memory.

internal import COpenSSL
internal import Glibc

/// One TLS connection over memory BIOs.
final class TLSPipe {
    enum Progress { case done, waiting, failed(TLSError) }

    private let ssl: OpaquePointer
    private let incoming: OpaquePointer
    private let outgoing: OpaquePointer
    /// Keeps the settings alive as long as the connection.
    private let context: TLSContext
    private(set) var isReady = false

    init(client context: TLSContext, serverName: String) throws(TLSError) {
        (ssl, incoming, outgoing) = try Self.make(context)
        self.context = context
        if TLSIdentity.isAddress(serverName) {
            X509_VERIFY_PARAM_set1_ip_asc(SSL_get0_param(ssl), serverName)
        } else {
            _ = ssl_set_server_name(ssl, serverName)
            SSL_set1_host(ssl, serverName)
        }
        SSL_set_connect_state(ssl)
    }

    init(server context: TLSContext) throws(TLSError) {
        (ssl, incoming, outgoing) = try Self.make(context)
        self.context = context
        SSL_set_accept_state(ssl)
    }

    deinit { SSL_free(ssl) }

    private static func make(
        _ context: TLSContext
    ) throws(TLSError) -> (OpaquePointer, OpaquePointer, OpaquePointer) {
        guard let ssl = SSL_new(context.pointer) else { throw .setUp }
        guard let incoming = BIO_new(BIO_s_mem()), let outgoing = BIO_new(BIO_s_mem()) else {
            SSL_free(ssl)
            throw .setUp
        }
        SSL_set_bio(ssl, incoming, outgoing)
        return (ssl, incoming, outgoing)
    }

    /// Takes records from the socket.
    func feed(_ records: UnsafeRawBufferPointer) {
        _ = BIO_write(incoming, records.baseAddress, Int32(clamping: records.count))
    }

    /// Goes on with the handshake.
    func handshake() -> Progress {
        ERR_clear_error()
        let code = SSL_do_handshake(ssl)
        if code == 1 {
            guard offersHTTP2 else { return .failed(.noHTTP2) }
            isReady = true
            return .done
        }
        let error = SSL_get_error(ssl, code)
        if error == SSL_ERROR_WANT_READ || error == SSL_ERROR_WANT_WRITE { return .waiting }
        let verdict = SSL_get_verify_result(ssl)
        if verdict != X509_V_OK {
            return .failed(.untrusted(reason: String(cString: X509_verify_cert_error_string(verdict))))
        }
        return .failed(.handshake(reason: Self.lastReason()))
    }

    /// Reads plain bytes; 0 when none are there, nil when the peer closed or broke the connection.
    func read(into buffer: UnsafeMutableRawBufferPointer) -> Int? {
        ERR_clear_error()
        let count = SSL_read(ssl, buffer.baseAddress, Int32(clamping: buffer.count))
        if count > 0 { return Int(count) }
        return SSL_get_error(ssl, count) == SSL_ERROR_WANT_READ ? 0 : nil
    }

    /// Encrypts plain bytes; false when the connection is broken.
    func write(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard !bytes.isEmpty else { return true }
        ERR_clear_error()
        var written = 0
        while written < bytes.count {
            let rest = UnsafeRawBufferPointer(rebasing: bytes[written...])
            let count = SSL_write(ssl, rest.baseAddress, Int32(clamping: rest.count))
            guard count > 0 else { return false }
            written += Int(count)
        }
        return true
    }

    /// Asks the peer to close.
    func shutdown() { SSL_shutdown(ssl) }

    /// Records that wait for the socket, without taking them.
    func withRecords<R>(_ body: (UnsafeRawBufferPointer) -> R) -> R {
        var data: UnsafeMutablePointer<CChar>?
        let count = bio_mem_data(outgoing, &data)
        return body(UnsafeRawBufferPointer(start: data, count: max(0, Int(count))))
    }

    /// Records that wait, in bytes.
    var recordCount: Int { Int(bio_mem_pending(outgoing)) }

    /// Forgets all records: they are on the socket.
    func dropRecords() { _ = bio_reset(outgoing) }

    /// Forgets the first records.
    func dropRecords(first count: Int) {
        var left = count
        withUnsafeTemporaryAllocation(byteCount: 16 * 1024, alignment: 1) { scratch in
            while left > 0 {
                let taken = BIO_read(outgoing, scratch.baseAddress, Int32(min(left, scratch.count)))
                guard taken > 0 else { return }
                left -= Int(taken)
            }
        }
    }

    private var offersHTTP2: Bool {
        var name: UnsafePointer<UInt8>?
        var count: UInt32 = 0
        SSL_get0_alpn_selected(ssl, &name, &count)
        return count == 2 && name?[0] == UInt8(ascii: "h") && name?[1] == UInt8(ascii: "2")
    }

    private static func lastReason() -> String {
        let code = ERR_peek_last_error()
        guard code != 0, let text = ERR_reason_error_string(code) else { return "the peer closed the connection" }
        return String(cString: text)
    }
}
