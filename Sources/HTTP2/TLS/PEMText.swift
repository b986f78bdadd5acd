// The only place that converts PEM text from and to OpenSSL objects.

internal import COpenSSL

/// Conversions between PEM bytes and OpenSSL objects.
public enum PEMText {
    /// The text that a writer of OpenSSL writes into memory; nil when it fails.
    public static func write(_ body: (OpaquePointer) -> Int32) -> [UInt8]? {
        guard let bio = BIO_new(BIO_s_mem()) else { return nil }
        defer { BIO_free(bio) }
        guard body(bio) == 1 else { return nil }
        var start: UnsafeMutablePointer<CChar>?
        let count = bio_mem_data(bio, &start)
        guard let start, count > 0 else { return nil }
        return [UInt8](UnsafeRawBufferPointer(start: start, count: count))
    }

    /// All certificates in the text, in order; the caller frees them.
    static func certificates(in pem: [UInt8]) -> [OpaquePointer] {
        read(pem) { bio in
            var found: [OpaquePointer] = []
            while let certificate = PEM_read_bio_X509(bio, nil, nil, nil) { found.append(certificate) }
            // OpenSSL reports the end of the text as an error.
            ERR_clear_error()
            return found
        } ?? []
    }

    /// The private key in the text; the caller frees it.
    static func privateKey(in pem: [UInt8]) -> OpaquePointer? {
        read(pem) { PEM_read_bio_PrivateKey($0, nil, nil, nil) }
    }

    private static func read<Result>(_ pem: [UInt8], _ body: (OpaquePointer) -> Result?) -> Result? {
        pem.withUnsafeBytes { bytes in
            guard let bio = BIO_new_mem_buf(bytes.baseAddress, Int32(clamping: bytes.count)) else { return nil }
            defer { BIO_free(bio) }
            return body(bio)
        }
    }
}
