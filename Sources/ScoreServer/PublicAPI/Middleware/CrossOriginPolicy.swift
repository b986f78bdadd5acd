// A browser gives an answer to a page of another origin only with the headers that this policy adds.

import HTTPTypes
import Hummingbird

/// The origins whose pages may read the public API (Fetch standard, section 3.3).
///
/// No answer allows credentials of the browser: the API has no cookies, and a page sends `Authorization` itself.
struct CrossOriginPolicy: Sendable, Equatable {
    /// Request headers that a page may send.
    static let requestHeaders =
        "Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, Last-Event-ID, traceparent"
    /// Response headers that a page may read.
    static let exposedHeaders = "ETag, RateLimit, RateLimit-Policy, Retry-After, Stream-Resume, X-Request-Id"

    /// The origins, as a browser sends them.
    let origins: Set<String>

    /// Whether a text is an origin: scheme, host and port without a path.
    static func isOrigin(_ text: String) -> Bool {
        text.wholeMatch(of: #/https?://(\[[0-9a-f:]+\]|[a-z0-9.\-]+)(:[0-9]{1,5})?/#) != nil
    }

    /// The headers of an answer to a request; a cache keeps the answers to different origins apart.
    func headers(for origin: String?) -> HTTPFields {
        guard !origins.isEmpty else { return [:] }
        guard let origin, origins.contains(origin) else { return [.vary: "Origin"] }
        return [.vary: "Origin", .accessControlAllowOrigin: origin, .accessControlExposeHeaders: Self.exposedHeaders]
    }

    /// The answer to a preflight request; nil when the request is none or its origin is not listed.
    func preflight(_ request: Request, methods: @autoclosure () -> [String]) -> Response? {
        guard request.method == .options, let origin = request.headers[.origin], origins.contains(origin),
            request.headers[.accessControlRequestMethod] != nil
        else { return nil }
        let methods = methods()
        guard !methods.isEmpty else { return nil }
        return Response(
            status: .noContent,
            headers: [
                .accessControlAllowMethods: methods.joined(separator: ", "),
                .accessControlAllowHeaders: Self.requestHeaders,
                .accessControlMaxAge: String(ServerLimits.preflightAge.components.seconds),
            ]
        )
    }
}

/// Adds the headers of the policy to each answer, errors included.
struct CrossOriginMiddleware: RouterMiddleware {
    let policy: CrossOriginPolicy

    func handle(
        _ request: Request,
        context: ServiceContext,
        next: (Request, ServiceContext) async throws -> Response
    ) async throws -> Response {
        var response = try await next(request, context)
        let headers = policy.headers(for: request.headers[.origin])
        for field in headers { response.headers.append(field) }
        return response
    }
}

/// Answers preflight requests, which have no route, behind ``RequestMiddleware``: they have the headers of each answer.
struct PreflightMiddleware: RouterMiddleware {
    let policy: CrossOriginPolicy
    let routes: RouteTable

    func handle(
        _ request: Request,
        context: ServiceContext,
        next: (Request, ServiceContext) async throws -> Response
    ) async throws -> Response {
        if let answer = policy.preflight(request, methods: routes.methods(at: request.uri.path)) { return answer }
        return try await next(request, context)
    }
}
