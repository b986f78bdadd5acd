// Refuses invalid requests before they reach the driver's thread.

/// Checks a request.
enum TransferRules {
    /// Checks a request; returns the host as libcurl uses it.
    ///
    /// - Throws: `TransferError.badRequest` with the invalid field, `.hostNotAllowed`, `.addressNotAllowed`.
    static func check(_ transfer: Transfer) throws(TransferError) -> String {
        let isMethod = (1...16).contains(transfer.method.utf8.count) && transfer.method.utf8.allSatisfy(isUpper)
        guard isMethod else { throw .badRequest(field: "method") }
        guard transfer.body.count <= TransferLimits.requestBodyBytes else { throw .badRequest(field: "body") }
        guard transfer.headers.count <= TransferLimits.requestHeaders else { throw .badRequest(field: "headers") }
        for header in transfer.headers {
            let isName = !header.name.isEmpty && header.name.utf8.allSatisfy(isNameByte)
            // The error names the header only, since its value may be a secret.
            guard isName else { throw .badRequest(field: "headers") }
            guard isValue(header.value) else { throw .badRequest(field: "header \(header.name)") }
        }
        guard isValue(transfer.etag ?? "") else { throw .badRequest(field: "etag") }
        return try transfer.security.check(transfer.url)
    }

    private static func isUpper(_ byte: UInt8) -> Bool { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
            true
        default: false
        }
    }

    private static func isValue(_ text: String) -> Bool { text.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7f } }
}
