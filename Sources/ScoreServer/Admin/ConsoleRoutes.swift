// The console's two routes: the page without data needs no token on this machine, the data always needs one.

import HTTPTypes
import Hummingbird
import NIOCore
import ScoreTypes

/// `GET /admin` and `GET /admin/console`.
struct ConsoleRoutes: Sendable {
    let page: ConsolePage
    let dependencies: InternalDependencies

    /// Adds the routes.
    func add(to router: InternalRouter) {
        router.read("/admin", .loopback(else: .read)) { _ in shell() }
        router.read("/admin/console") { _ in
            let html = page.data(
                feeds: await dependencies.feeds.feeds(),
                matches: dependencies.matches.views(),
                streams: dependencies.hub.watcherCounts,
                pipeline: await dependencies.pipeline()
            )
            return Self.answer(html, policy: "default-src 'none'")
        }
    }

    private func shell() -> Response {
        let nonce = Base64URL.text((0..<16).map { _ in UInt8.random(in: .min ... .max) })
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
