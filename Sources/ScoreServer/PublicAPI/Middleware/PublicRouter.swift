// The only way to add a public route: no route is without a limit, a deadline and a word on who may use it.

import HTTPTypes
import Hummingbird
import ScoreTypes

/// Registers routes behind their rules.
struct PublicDoor: Sendable {
    /// Who may use a route.
    enum Identity: Sendable { case anybody, device }

    let limiter: RateLimiter
    let authenticator: DeviceAuthenticator
    let trustedProxies: [String]
    var deadlines = DoorDeadlines()

    /// Adds a route.
    ///
    /// With `anybody` a credential may still come along, which then counts for its limits. One use takes from the
    /// policy's quota of the device, or of the address of an unknown client or where the policy goes by addresses.
    func add(
        _ method: HTTPRequest.Method,
        _ path: RouterPath,
        _ identity: Identity,
        _ policy: RatePolicy,
        to router: Router<ServiceContext>,
        _ handler: @escaping @Sendable (Call) async throws -> Response
    ) {
        // A handler waits for its body inside.
        let limit = method == .get ? deadlines.handler : deadlines.handler + deadlines.body
        router.on(path, method: method) { request, context in
            try await Deadline.run(limit, .unavailable("deadline")) {
                try await handler(try await admit(request, context, identity, policy))
            }
        }
    }

    private func admit(
        _ request: Request,
        _ context: ServiceContext,
        _ identity: Identity,
        _ policy: RatePolicy
    ) async throws -> Call {
        let address = ClientAddress(
            peer: context.channel.remoteAddress,
            forwarded: request.headers[.forwardedFor],
            trusted: trustedProxies
        )
        let authorization = request.headers[.authorization]
        if identity == .anybody && authorization == nil {
            try limiter.use(policy, by: address.prefix)
            return Call(request: request, context: context, address: address, device: nil, deadlines: deadlines)
        }
        let device: DeviceID
        do {
            device = try await authenticator.device(authorization: authorization) {
                try limiter.check(.deviceLogin, by: address.prefix)
            }
        } catch let refusal as ServiceProblem where refusal.status == 401 {
            // Whoever guesses pays, and can then ask the database no more.
            try limiter.use(.deviceLogin, by: address.prefix)
            throw refusal
        }
        try limiter.use(policy, by: policy.goesByAddress ? address.prefix : device.description)
        return Call(request: request, context: context, address: address, device: device, deadlines: deadlines)
    }
}
