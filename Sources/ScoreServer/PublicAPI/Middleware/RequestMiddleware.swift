// Every request of both listeners passes here: request id, header limits, translation of errors, metrics.

import HTTPTypes
import Hummingbird
import Logging
import ScoreTypes

/// The outermost middleware.
struct RequestMiddleware: RouterMiddleware {
    /// Query parameters that would put a secret into a URL, and so into logs.
    static let secretParameters: Set<String> = ["token", "access_token", "credential", "authorization", "secret"]

    private static let noSniffing = HTTPField(name: .contentTypeOptions, value: "nosniff")

    /// Takes a request to an unknown path from a quota, or throws `quota-exceeded`.
    typealias UnknownPath = @Sendable (Request, ServiceContext) throws -> Void

    /// The quotas that an answer reports when its request took from none.
    typealias QuotaLeft = @Sendable (Request, ServiceContext) -> QuotaUse

    let routes: RouteTable
    let clock: ServiceClock
    private let unknownPath: UnknownPath?
    private let quotaLeft: QuotaLeft?
    let metrics: RequestMetrics

    /// `listener` is `public` or `internal`, for metrics.
    init(
        listener: String,
        routes: RouteTable,
        unknownPath: UnknownPath?,
        quotaLeft: QuotaLeft?,
        clock: ServiceClock
    ) {
        (self.routes, self.unknownPath, self.quotaLeft, self.clock) = (routes, unknownPath, quotaLeft, clock)
        metrics = RequestMetrics(listener: listener)
    }

    func handle(
        _ request: Request,
        context: ServiceContext,
        next: (Request, ServiceContext) async throws -> Response
    ) async throws -> Response {
        let started = clock.monotonic
        var context = context
        context.requestID = Self.identifier(request.headers)
        var response: Response
        do {
            try check(request)
            response = try await next(request, context)
        } catch {
            response = answer(to: error, request, context)
        }
        let isRefused = response.status == .tooManyRequests && response.headers.contains(.remainingQuota)
        let quota = isRefused ? nil : context.quota.use ?? quotaLeft?(request, context)
        complete(&response.headers, id: context.requestID, quota: quota)
        metrics.count(request.method, context.endpointPath, response.status, took: clock.monotonic - started)
        return response
    }

    /// Adds the headers that each answer has; no quotas to the refusal of a use, which reports its own.
    func complete(_ headers: inout HTTPFields, id: String, quota: QuotaUse?) {
        headers.append(HTTPField(name: .requestID, value: id))
        headers.append(Self.noSniffing)
        quota?.append(to: &headers)
    }

    /// The client's id when it is 8 to 64 of `A-Z a-z 0-9 -`, else that of its trace, else a random one.
    static func identifier(_ headers: HTTPFields) -> String {
        if let header = headers[.requestID], (8...64).contains(header.utf8.count) {
            // 0xdf turns small letters into capitals.
            let isPlain = header.utf8.allSatisfy { byte in
                byte == 0x2d || (0x30...0x39).contains(byte) || (0x41...0x5a).contains(byte & 0xdf)
            }
            if isPlain { return header }
        }
        if let trace = headers[.traceParent].flatMap(TraceParent.init) { return trace.requestID }
        return randomIdentifier()
    }

    /// A random id of a request.
    static func randomIdentifier() -> String { identifiers.next() }

    private static let identifiers = RandomIdentifiers()

    /// Whether the target and the headers of a request are within the limits.
    static func isWithinLimits(_ target: String, _ headers: HTTPFields) -> Bool {
        let bytes = headers.reduce(target.utf8.count) { sum, field in
            sum + field.name.rawName.utf8.count + field.value.utf8.count
        }
        return bytes <= ServerLimits.headerBytes && headers.count <= ServerLimits.headerFields
    }

    private func check(_ request: Request) throws(ServiceProblem) {
        guard Self.isWithinLimits(request.uri.string, request.headers) else { throw ServiceProblem(.headersTooLarge) }
        // PostgreSQL stores no U+0000.
        if request.uri.string.utf8.contains(UInt8(ascii: "%")), request.uri.string.contains("%00") {
            throw .invalid("", "expected no %00 in the target")
        }
        guard let query = request.uri.query else { return }
        for name in QueryFields(query).names where Self.secretParameters.contains(name.lowercased()) {
            throw ServiceProblem(
                .unknownParameter,
                "Send credentials in the Authorization header.",
                extras: ["parameter": .text(name)]
            )
        }
    }

    private func answer(to error: any Error, _ request: Request, _ context: ServiceContext) -> Response {
        var problem = ServiceProblem.translating(error)
        if problem.kind == .notFound, context.endpointPath == "NotFound" {
            let methods = routes.methods(at: request.uri.path)
            let allowed = methods.isEmpty ? nil : (methods + ["OPTIONS"]).joined(separator: ", ")
            if let allowed, request.method == .options {
                return Response(status: .noContent, headers: [.allow: allowed])
            }
            problem = unknown(request, context, allowed: allowed)
        }
        if problem.kind == .internalError {
            let trace = request.headers[.traceParent].flatMap(TraceParent.init)
            context.logger.error(
                "http.request.failed",
                metadata: [
                    "error": "\(error)", "request.id": "\(context.requestID)",
                    "trace.id": trace.map { "\($0.trace)" },
                ].compactMapValues { $0 }
            )
        }
        return problem.response(instance: context.requestID)
    }

    /// The answer to a path or method that no route has; it ends the connection.
    private func unknown(_ request: Request, _ context: ServiceContext, allowed: String?) -> ServiceProblem {
        var problem = ServiceProblem(allowed == nil ? .notFound : .methodNotAllowed)
        if let allowed { problem.headers[.allow] = allowed }
        do { try unknownPath?(request, context) } catch { problem = .translating(error) }
        problem.headers[.connection] = "close"
        return problem
    }
}

extension HTTPField.Name {
    /// The id of a request.
    static let requestID = named("X-Request-Id")
    /// The trace of a request, and the client's span in it.
    static let traceParent = named("traceparent")
    /// Forbids guessing media types.
    static let contentTypeOptions = named("X-Content-Type-Options")
    /// The client's key for one request and its retries.
    static let idempotencyKey = named("Idempotency-Key")
    /// Marks a repeated answer.
    static let idempotencyReplayed = named("Idempotency-Replayed")
    /// The configured limits of a request.
    static let rateLimitPolicy = named("RateLimit-Policy")
    /// The remaining quota of these limits, and the time until it is renewed.
    static let remainingQuota = named("RateLimit")
    /// The client addresses that proxies name.
    static let forwardedFor = named("X-Forwarded-For")
    /// Turns off buffering of a stream in a reverse proxy.
    static let accelBuffering = named("X-Accel-Buffering")
    /// How a stream resumes.
    static let streamResume = named("Stream-Resume")
    /// The position that a client of a stream had.
    static let lastEventID = named("Last-Event-ID")
    /// The key by which a CDN purges a match.
    static let surrogateKey = named("Surrogate-Key")

    /// The names above are all well formed, so the fallback is never taken.
    private static func named(_ text: String) -> HTTPField.Name { HTTPField.Name(text) ?? .date }
}
