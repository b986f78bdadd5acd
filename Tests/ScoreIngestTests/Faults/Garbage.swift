// Bodies without meaning that every provider has sent.

import Testing

/// Bodies with status 200 without a match.
enum Garbage {
    struct Body: Sendable, CustomTestStringConvertible {
        let name: String
        let bytes: [UInt8]
        var testDescription: String { name }
    }

    static let bodies: [Body] = [
        Body(name: "empty", bytes: []),
        Body(name: "spaces", bytes: Array("   \r\n".utf8)),
        Body(name: "error page", bytes: Array("<!doctype html><html><body>502 Bad Gateway</body></html>".utf8)),
        Body(name: "null", bytes: Array("null".utf8)),
        Body(name: "number", bytes: Array("7".utf8)),
        Body(name: "text", bytes: Array(#""ok""#.utf8)),
        Body(name: "empty list", bytes: Array("[]".utf8)),
        Body(name: "NUL bytes", bytes: [UInt8](repeating: 0, count: 64)),
        Body(name: "UTF-16 that ends early", bytes: [0xff, 0xfe, 0x7b, 0x00, 0x22, 0x00]),
        Body(name: "byte order mark before nothing", bytes: [0xef, 0xbb, 0xbf] + Array("{}".utf8)),
        Body(name: "number without end", bytes: Array(#"{"data":1e400,"info":1e400}"#.utf8)),
        Body(name: "lone surrogate", bytes: Array(#"{"data":"\ud800","info":"\ud800"}"#.utf8)),
        Body(name: "depth", bytes: [UInt8](repeating: UInt8(ascii: "["), count: 10_000)),
        Body(
            name: "depth that ends",
            bytes: [UInt8](repeating: UInt8(ascii: "["), count: 10_000)
                + [UInt8](repeating: UInt8(ascii: "]"), count: 10_000)
        ),
        Body(name: "a name twice, and no match", bytes: Array(#"{"data":1,"data":2,"info":1,"info":2}"#.utf8)),
    ]
}
