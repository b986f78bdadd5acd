// Pages for a browser have headers that let them load nothing and appear in no other page.

import HTTPTypes
import Hummingbird
import NIOCore
import ScoreTypes

extension Answer {
    /// A page with a content security policy.
    static func page(_ html: String, policy: String) -> Response {
        var headers: HTTPFields = [.contentType: "text/html; charset=utf-8", .cacheControl: "no-store"]
        headers[.contentSecurityPolicy] = policy
        for (name, value) in [
            ("Referrer-Policy", "no-referrer"), ("Cross-Origin-Opener-Policy", "same-origin"),
            ("Cross-Origin-Resource-Policy", "same-origin"), ("X-Frame-Options", "DENY"),
        ] {
            if let name = HTTPField.Name(name) { headers[name] = value }
        }
        return Response(status: .ok, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(string: html)))
    }

    /// A random word of one answer, by which its policy allows the styles and scripts of the page.
    static func nonce() -> String { Base64URL.text((0..<16).map { _ in UInt8.random(in: .min ... .max) }) }
}
