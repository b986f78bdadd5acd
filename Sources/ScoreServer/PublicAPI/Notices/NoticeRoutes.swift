// Providers post their updates here, so that a match is polled at once.

import HTTPTypes
import Hummingbird
import Metrics
import ScoreTypes

/// `POST /v1/feeds/{feed}/notices`.
struct NoticeRoutes: Sendable {
    /// Accepted media types: JSON, and the types under which gzip is sent.
    static let types: Set<String> = [
        "application/json", "application/gzip", "application/x-gzip", "application/octet-stream",
    ]

    let inbox: any NoticeReceiver
    let limiter: RateLimiter

    /// Adds the route.
    func add(to router: PublicRouter) {
        router.add(.post, "/v1/feeds/{feed}/notices", .anybody, .notice) { try await take($0) }
    }

    private func take(_ call: Call) async throws -> Response {
        let feed = try call.parameter("feed", as: FeedID.self)
        guard let secret = inbox.secret(of: feed) else { throw ServiceProblem(.notFound) }
        let shown = call.request.headers[.feedSecret] ?? ""
        guard SecretDigest(of: Array(shown.utf8)).matches(secret) else {
            // Only wrong secrets have this quota, so that they never refuse the provider's own calls.
            try limiter.use(.noticeLogin, by: call.address.party)
            throw ServiceProblem(shown.isEmpty ? .unauthenticated : .invalidCredential)
        }
        let body = try await call.bodyBytes(max: ServerLimits.noticeBodyBytes, types: Self.types)
        let outcome = try await inbox.take(body, feed: feed)
        let dimensions = [("feed", feed.text), ("outcome", outcome.rawValue)]
        Counter(label: "score_feed_notices_total", dimensions: dimensions).increment()
        // Accepted for every outcome, since a provider repeats a refused call.
        return Answer.json(JSONWriter.document { $0.field("outcome", outcome.rawValue) }, status: .accepted)
    }
}

extension HTTPField.Name {
    /// The header with a webhook's secret, as Roanuz sends it.
    static let feedSecret = HTTPField.Name("rs-api-key") ?? .authorization
}
