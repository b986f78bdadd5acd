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
            return Answer.page(html, policy: "default-src 'none'")
        }
    }

    private func shell() -> Response {
        let nonce = Answer.nonce()
        return Answer.page(page.shell(nonce: nonce), policy: ConsolePage.policy(nonce: nonce))
    }
}
