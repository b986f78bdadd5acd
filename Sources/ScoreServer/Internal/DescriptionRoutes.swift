// The internal listener shows the API to people.

import HTTPTypes
import Hummingbird

/// `GET /docs`.
struct DescriptionRoutes: Sendable {
    /// Adds the route; a browser on the same machine needs no token, since the page has no data.
    func add(to router: InternalRouter) {
        router.read("/docs", .loopback(else: .read)) { _ in
            let page = try DescriptionPage(APIDescription.embedded.get())
            let nonce = Answer.nonce()
            return Answer.page(page.html(nonce: nonce), policy: DescriptionPage.policy(nonce: nonce))
        }
    }
}
