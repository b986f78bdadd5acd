// Each public route needs an identity rule, a rate limit and a deadline; this is the only way to add one.

import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import ScoreTypes

/// Adds routes to the public listener.
struct PublicRouter {
    /// The clients that may use a route.
    enum Identity: Sendable { case anybody, device }

    let routes: Router<ServiceContext>
    let admission: PublicAdmission

    /// Adds a route.
    ///
    /// With `anybody` a credential is optional; when present, the limits count for its device. One use takes from the
    /// policy's quota of the device, or of the address for an unknown client and where the policy goes by addresses.
    /// `query` has the names of the query's parameters; nil ignores unknown ones, so that a CDN may add its own.
    func add(
        _ method: HTTPRequest.Method,
        _ path: RouterPath,
        _ identity: Identity,
        _ policy: RatePolicy,
        query: [String]? = [],
        _ handler: @escaping @Sendable (Call) async throws -> Response
    ) {
        let admission = admission
        // The handler of a request with a body also waits for that body.
        let limit = admission.deadlines.handler + (method == .get ? .zero : admission.deadlines.body)
        routes.on(path, method: method) { request, context in
            try await Deadline.run(limit, .unavailable("deadline")) {
                let call = try await admission.admit(request, context, identity, policy)
                if let query { try call.query.allow(query) }
                do {
                    return try await handler(call)
                } catch let problem as ServiceProblem where problem.kind == .invalidCredential {
                    guard let device = call.device else { throw problem }
                    throw try await admission.authenticator.lateRefusal(of: device)
                }
            }
        }
    }
}

extension PublicRouter {
    /// Adds a route for anybody that answers from memory.
    ///
    /// It has no deadline, whose timer would cost more than the answer: what it has to load first has one of its own.
    func read(
        _ path: RouterPath,
        _ policy: RatePolicy = .read,
        query: [String]? = nil,
        _ handler: @escaping @Sendable (Call) async throws -> Response
    ) {
        let admission = admission
        routes.on(path, method: .get) { request, context in
            let call =
                if request.headers.contains(.authorization) {
                    try await Deadline.run(admission.deadlines.handler, .unavailable("deadline")) {
                        try await admission.admit(request, context, .anybody, policy)
                    }
                } else {
                    try admission.admitUnknown(request, context, policy)
                }
            if let query { try call.query.allow(query) }
            return try await handler(call)
        }
    }
}

/// Checks the credential and the rate limits of a public request.
struct PublicAdmission: Sendable {
    let limiter: RateLimiter
    let authenticator: DeviceAuthenticator
    /// Addresses of our own proxies.
    let trustedProxies: [AddressBlock]
    let deadlines: RequestDeadlines
    private let proxyAdvice = ProxyAdvice()

    init(
        limiter: RateLimiter,
        authenticator: DeviceAuthenticator,
        trustedProxies: [AddressBlock],
        deadlines: RequestDeadlines
    ) {
        (self.limiter, self.authenticator) = (limiter, authenticator)
        (self.trustedProxies, self.deadlines) = (trustedProxies, deadlines)
    }

    /// The admitted request; throws `unauthenticated`, `invalid-credential` or `quota-exceeded`.
    func admit(
        _ request: Request,
        _ context: ServiceContext,
        _ identity: PublicRouter.Identity,
        _ policy: RatePolicy
    ) async throws -> Call {
        let authorization = request.headers[.authorization]
        if identity == .anybody && authorization == nil { return try admitUnknown(request, context, policy) }
        let address = address(of: request, context)
        let device = try await authenticator.device(authorization: authorization, from: address)
        context.quota.set(try limiter.use(policy, by: policy.goesByAddress ? address.party : .device(device)))
        return Call(request: request, context: context, address: address, device: device, deadlines: deadlines)
    }

    /// The admitted request of a client without a credential; throws `quota-exceeded`.
    func admitUnknown(
        _ request: Request,
        _ context: ServiceContext,
        _ policy: RatePolicy
    ) throws(ServiceProblem) -> Call {
        let address = address(of: request, context)
        context.quota.set(try limiter.use(policy.ofAddress, by: address.party))
        return Call(request: request, context: context, address: address, device: nil, deadlines: deadlines)
    }

    /// Takes one read from the quota of a client's address, and returns what is left; nil when nothing was.
    func useRead(_ headers: HTTPFields, from peer: SocketAddress?, _ logger: Logger) -> QuotaUse? {
        let address = address(of: headers, from: peer, logger)
        return try? limiter.use(.readAddress, by: address.party)
    }

    /// The rest of the quota of reads at the client's address, for an answer to a request that was not admitted.
    func quotaLeft(_ request: Request, _ context: ServiceContext) -> QuotaUse {
        limiter.look(.readAddress, by: address(of: request, context).party)
    }

    private func address(of request: Request, _ context: ServiceContext) -> ClientAddress {
        address(of: request.headers, from: context.channel.remoteAddress, context.logger)
    }

    private func address(of headers: HTTPFields, from peer: SocketAddress?, _ logger: Logger) -> ClientAddress {
        proxyAdvice.consider(headers, from: peer, trusted: trustedProxies, logger)
        return ClientAddress(peer: peer, forwarded: headers[.forwardedFor], trusted: trustedProxies)
    }
}
