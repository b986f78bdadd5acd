// Routes of a phone: registration, profile, tokens, erasure.

import FollowService
import HTTPTypes
import Hummingbird
import MatchEngine
import Metrics
import ScoreTypes

/// `/v1/devices…`.
struct DeviceRoutes: Sendable {
    let dependencies: PublicDependencies
    let authenticator: DeviceAuthenticator
    let limiter: RateLimiter
    let idempotency: IdempotencyCache
    let clock: ServiceClock

    /// Adds the routes.
    func add(to router: PublicRouter) {
        router.add(.post, "/v1/devices", .anybody, .registerAttempt) { try await register($0) }
        router.add(.get, "/v1/devices/me", .device, .read) { try await profile($0) }
        router.add(.patch, "/v1/devices/me", .device, .write) { try await patch($0) }
        router.add(.delete, "/v1/devices/me", .device, .write) { try await erase($0) }
        router.add(.put, "/v1/devices/me/push-tokens/{kind}", .device, .tokens) { try await store($0) }
        router.add(.delete, "/v1/devices/me/push-tokens/{kind}", .device, .tokens, query: ["clientSeq"]) {
            try await remove($0)
        }
    }

    private func register(_ call: Call) async throws -> Response {
        let key = try IdempotencyCache.key(call.request.headers[.idempotencyKey])
        let bytes = try await call.bodyBytes(max: ServerLimits.bodyBytes)
        var generator = SystemRandomNumberGenerator()
        let id = DeviceID(using: &generator)
        let credential = BearerCredential(new: .device, id: id.description)
        let device = try NewDevice(
            reading: Call.parse(bytes),
            device: id,
            credentialHash: credential.digest.bytes
        )
        try dependencies.served.check(device.environment, bundleID: device.bundleID)
        let (answer, isReplay) = try await idempotency.once("POST /v1/devices \(key)", body: bytes) {
            try await create(device, credential, for: call)
        }
        var headers: HTTPFields = [:]
        if isReplay { headers[.idempotencyReplayed] = "true" }
        let dimensions = [("result", isReplay ? "replayed" : "created")]
        Counter(label: "score_device_registrations_total", dimensions: dimensions).increment()
        return Answer.json(answer, status: .created, headers: headers)
    }

    /// Creates a device; only a created one counts in the quotas of registrations.
    private func create(
        _ device: NewDevice,
        _ credential: BearerCredential,
        for call: Call
    ) async throws -> [UInt8] {
        let (created, party) = (clock.wall, call.address.party)
        call.context.quota.set(try limiter.use(.register, by: party))
        do {
            try limiter.use(.registerAll, by: .node)
            do {
                _ = try await dependencies.devices.register(device)
            } catch {
                limiter.giveBack(.registerAll, by: .node)
                throw error
            }
        } catch {
            limiter.giveBack(.register, by: party)
            throw error
        }
        return JSONWriter.document { json in
            json.field("deviceId", device.device.description)
            json.field("credential", credential.text)
            json.field("trust", "none")
            json.field("createdAt", created.rfc3339)
        }
    }

    private func profile(_ call: Call) async throws -> Response {
        guard let device = try await dependencies.devices.find(call.owner()) else {
            throw ServiceProblem(.invalidCredential)
        }
        return try await answer(device)
    }

    private func patch(_ call: Call) async throws -> Response {
        let patch = try DevicePatch(reading: await call.json(max: ServerLimits.bodyBytes))
        let condition = call.request.headers[.ifMatch]
        let outcome = try await dependencies.devices.patch(call.owner()) { device in
            Self.allows(condition, device.tag) ? patch.choosingVersion(for: device) : nil
        }
        switch outcome {
        case .changed(let device): return try await answer(device)
        case .declined(let device):
            throw ServiceProblem(.preconditionFailed, extras: ["currentEtag": .text(device.tag)])
        case .outdated(let device): throw ServiceProblem.stale(device.profileSequence)
        case .unknownDevice: throw ServiceProblem(.invalidCredential)
        }
    }

    /// Whether If-Match permits a change of a resource with this tag (RFC 9110, 13.1.1); a weak tag never matches.
    private static func allows(_ header: String?, _ tag: String) -> Bool {
        guard let header else { return true }
        let tags = header.split(separator: ",").map { $0.filter { $0 != " " && $0 != "\t" } }
        return tags.contains(tag) || tags.contains("*")
    }

    private func answer(_ device: DeviceRecord) async throws -> Response {
        let followCount = try await dependencies.follows.list(device.device).count
        return Answer.json(device.bytes(followCount: followCount), headers: [.eTag: device.tag])
    }

    private func erase(_ call: Call) async throws -> Response {
        let device = try call.owner()
        if let activities = try await dependencies.devices.erase(device) {
            await dependencies.endActivities(activities)
        }
        authenticator.forget(device)
        dependencies.hub.revoke(device)
        return Answer.empty()
    }

    private func store(_ call: Call) async throws -> Response {
        let json = try await call.json(max: ServerLimits.bodyBytes)
        let (registration, bundleID) = try DeviceTokenRegistration.reading(
            json,
            device: call.owner(),
            kind: kind(of: call),
            attributesType: dependencies.attributesType
        )
        try dependencies.served.check(registration.environment, bundleID: bundleID)
        let (generation, isNew) = try await set(registration)
        let bytes = JSONWriter.document { json in
            json.field("fingerprint", ifPresent: registration.token?.fingerprint?.text)
            json.field("state", "active")
            json.field("generation", generation)
        }
        return Answer.json(bytes, status: isNew ? .created : .ok)
    }

    private func remove(_ call: Call) async throws -> Response {
        let kind = try kind(of: call)
        let sequence = try call.clientSequence()
        let device = try call.owner()
        guard let environment = try await dependencies.devices.find(device)?.environment else {
            throw ServiceProblem(.invalidCredential)
        }
        let removal = DeviceTokenRegistration(
            device: device,
            kind: kind,
            token: nil,
            environment: environment,
            variant: ActivityVariant(attributesType: dependencies.attributesType, version: .standard),
            clientSequence: sequence
        )
        _ = try await set(removal)
        return Answer.empty()
    }

    private func set(_ registration: DeviceTokenRegistration) async throws -> (generation: Int32, isNew: Bool) {
        switch try await dependencies.devices.setToken(registration) {
        case .stored(let generation):
            if generation > 1, registration.token != nil {
                let kind = [("kind", registration.kind.rawValue)]
                Counter(label: "score_token_rotations_total", dimensions: kind).increment()
            }
            return (generation, generation == 1)
        case .unchanged(let generation): return (generation, false)
        case .outdated(_, let newest): throw ServiceProblem.stale(newest)
        case .unknownDevice: throw ServiceProblem(.invalidCredential)
        }
    }

    private func kind(of call: Call) throws(ServiceProblem) -> DeviceTokenKind {
        guard let kind = DeviceTokenKind(rawValue: call.word("kind")) else { throw ServiceProblem(.notFound) }
        return kind
    }
}

extension Call {
    /// `clientSequence` in the query of a DELETE, which has no body.
    func clientSequence() throws(ServiceProblem) -> Int64 {
        guard let sequence = try query.integer("clientSeq", ServerLimits.clientSequences) else {
            throw .invalid("clientSeq", "expected the device's next sequence number")
        }
        return sequence
    }
}

extension ServiceProblem {
    /// A request that was overtaken by a newer one of the same device, or whose number another change has.
    static func stale(_ newest: Int64, current: JSONValue? = nil) -> ServiceProblem {
        ServiceProblem(.staleClientSequence, extras: ["clientSeq": .integer(newest), "current": current])
    }
}
