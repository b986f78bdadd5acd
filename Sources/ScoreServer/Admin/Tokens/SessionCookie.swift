// A browser keeps its session in a cookie that no script can read, and that no other site can use.

import HTTPTypes
import Hummingbird
import ScoreTypes

/// The cookie of a session.
enum SessionCookie {
    /// The prefix makes browsers refuse it without `Secure`, with a domain, or with another path (RFC 6265bis, 4.1.3).
    static let name = "__Host-score-admin"

    /// The credential of the cookie in a request; nil without one.
    static func credential(_ request: Request) -> BearerCredential? {
        for header in request.headers[values: .cookie] {
            for pair in header.split(separator: ";") {
                let parts = pair.split(separator: "=", maxSplits: 1)
                guard parts.count == 2, parts[0].drop(while: { $0 == " " }) == name else { continue }
                return BearerCredential(parts[1])
            }
        }
        return nil
    }

    /// The header that stores a session for so many seconds.
    static func storing(_ credential: BearerCredential, seconds: Int64) -> String {
        "\(name)=\(credential.text); \(attributes); Max-Age=\(seconds)"
    }

    /// The header that removes the session.
    static let removing = "\(name)=; \(attributes); Max-Age=0"

    private static let attributes = "Path=/; Secure; HttpOnly; SameSite=Strict"

    /// Whether a request that changes something comes from a page of this server.
    ///
    /// A browser sends `Sec-Fetch-Site`, an older one `Origin`; a request with neither is refused.
    static func isSameOrigin(_ request: Request) -> Bool {
        if let site = request.headers[.fetchSite] { return site == "same-origin" }
        guard let origin = request.headers[.origin], let host = request.head.authority else { return false }
        return origin == "https://\(host)" || origin == "http://\(host)"
    }
}

extension HTTPField.Name {
    /// How the origin of a request relates to that of its page (Fetch Metadata).
    fileprivate static let fetchSite = HTTPField.Name("Sec-Fetch-Site") ?? .origin
}
