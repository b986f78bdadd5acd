// The console's two routes: the page without data needs no token on this machine, the data always needs one.

import HTTPTypes
import Hummingbird
import NIOCore
import ScoreTypes

/// `GET /admin` and `GET /admin/console`.
struct ConsoleRoutes: Sendable {
    let page: ConsolePage
    let admin: AdminRoutes

    /// Adds the routes.
    func add(to router: InternalRouter) {
        router.openOnLoopback(.get, "/admin", else: .read) { _ in shell() }
        router.read("/admin/console") { _ in
            let html = page.data(
                feeds: await admin.feeds.feeds(),
                matches: admin.matches.views(),
                streams: admin.hub.watcherCounts,
                pipeline: await admin.pipeline.pipeline()
            )
            return Self.answer(html, policy: "default-src 'none'")
        }
    }

    private func shell() -> Response {
        var generator = SystemRandomNumberGenerator()
        let nonce = Base64URL.text((0..<16).map { _ in UInt8.random(in: 0...255, using: &generator) })
        return Self.answer(page.shell(nonce: nonce), policy: ConsolePage.policy(nonce: nonce))
    }

    private static func answer(_ html: String, policy: String) -> Response {
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
}
