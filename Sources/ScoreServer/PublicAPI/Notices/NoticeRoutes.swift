// The door for providers that tell of every ball themselves, so that nobody has to ask.

import HTTPTypes
import Hummingbird
import Metrics
import ScoreTypes

/// `POST /v1/feeds/{feed}/notices`.
struct NoticeRoutes: Sendable {
    /// Largest body as it is posted, in bytes: a Test match in gzip has 200 KB.
    static let bodyBytesMax = 1024 * 1024
    /// What a body may be: JSON, or JSON in gzip under any of its names.
    static let types: Set<String> = [
        "application/json", "application/gzip", "application/x-gzip", "application/octet-stream",
    ]

    let inbox: any NoticeInbox
    let limiter: RateLimiter

    /// Adds the route.
    func add(to router: Router<ServiceContext>, behind door: PublicDoor) {
        door.add(.post, "/v1/feeds/{feed}/notices", .anybody, .notice, to: router) { try await take($0) }
    }

    private func take(_ call: Call) async throws -> Response {
        try call.query.allow()
        let feed = try call.parameter("feed", as: FeedID.self)
        guard let secret = inbox.secret(of: feed) else { throw ServiceProblem(.notFound) }
        try limiter.check(.deviceLogin, by: call.address.prefix)
        let shown = call.request.headers[.feedSecret] ?? ""
        guard SecretDigest(of: Array(shown.utf8)).matches(secret) else {
            // Whoever guesses pays, as with any credential.
            try limiter.use(.deviceLogin, by: call.address.prefix)
            throw ServiceProblem(shown.isEmpty ? .unauthenticated : .invalidCredential)
        }
        let body = try await call.bodyBytes(max: Self.bodyBytesMax, types: Self.types)
        let outcome = try await inbox.take(body, feed: feed)
        let dimensions = [("feed", feed.text), ("outcome", outcome.rawValue)]
        Counter(label: "score_feed_notices_total", dimensions: dimensions).increment()
        // Accepted whatever became of it: a provider that is refused only sends it again.
        return Answer.json(JSONWriter.document { $0.field("outcome", outcome.rawValue) }, status: .accepted)
    }
}

extension HTTPField.Name {
    /// What a webhook carries: the header that Roanuz sends.
    static let feedSecret = HTTPField.Name("rs-api-key") ?? .authorization
}
