// The alphabet of credentials: base64 that needs no escaping in a header or a URL.

import Foundation

/// Base64 as RFC 4648 section 5 has it, without padding.
enum Base64URL {
    /// The text of some bytes.
    static func text(_ bytes: [UInt8]) -> String {
        Data(bytes).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }

    /// The bytes of a text; nil when it holds another character, padding or a length that cannot be.
    static func bytes(_ text: String) -> [UInt8]? {
        guard text.utf8.allSatisfy(isAllowed) else { return nil }
        let padding = String(repeating: "=", count: (4 - text.utf8.count % 4) % 4)
        let classic = text.replacing("-", with: "+").replacing("_", with: "/") + padding
        return Data(base64Encoded: classic).map { [UInt8]($0) }
    }

    private static func isAllowed(_ byte: UInt8) -> Bool {
        switch Unicode.Scalar(byte) {
        case "A"..."Z", "a"..."z", "0"..."9", "-", "_": true
        default: false
        }
    }
}
