// The only way to add a public route: no route is without a limit, a deadline and a word on who may use it.

import HTTPTypes
import Hummingbird
import ScoreTypes

/// Registers routes behind their rules.
struct PublicDoor: Sendable {
    /// Who may use a route.
    enum Identity: Sendable { case anybody, device }

    /// How long a handler may work, but for streams, which work after their answer has begun.
    static let handlerDeadline: Duration = .seconds(5)

    let limiter: RateLimiter
    let authenticator: DeviceAuthenticator
    let trustedProxies: [String]

    /// Adds a route.
    ///
    /// - Parameters:
    ///   - identity: `anybody` may still bring a credential, which then counts for its limits.
    ///   - policy: The quota that one use takes from the device, or from the address of an unknown client.
    func add(
        _ method: HTTPRequest.Method,
        _ path: RouterPath,
        _ identity: Identity,
        _ policy: RatePolicy,
        to router: Router<ServiceContext>,
        _ handler: @escaping @Sendable (Call) async throws -> Response
    ) {
        router.on(path, method: method) { request, context in
            let call = try await admit(request, context, identity, policy)
            let late = ServiceProblem.unavailable("deadline")
            // The body has its own, longer deadline; a handler waits for it inside.
            return try await Deadline.run(Self.handlerDeadline + Call.bodyDeadline, late) { try await handler(call) }
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
            return Call(request: request, context: context, address: address, device: nil)
        }
        let device: DeviceID
        do {
            device = try await authenticator.device(authorization: authorization)
        } catch let refusal as ServiceProblem where refusal.status == 401 {
            // Whoever guesses pays from the quota of the address.
            try limiter.use(policy, by: address.prefix)
            throw refusal
        }
        try limiter.use(policy, by: device.description)
        return Call(request: request, context: context, address: address, device: device)
    }
}
