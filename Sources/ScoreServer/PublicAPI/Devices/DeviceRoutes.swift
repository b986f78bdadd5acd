// Phones register themselves, describe themselves, hand over tokens and may be forgotten.

import HTTPTypes
import Hummingbird
import Metrics
import ScoreTypes

/// `/v1/devices…`.
struct DeviceRoutes: Sendable {
    let devices: any DeviceDirectory
    let authenticator: DeviceAuthenticator
    let limiter: RateLimiter
    let ledger: IdempotencyLedger
    let clock: ServiceClock

    /// Adds the routes.
    func add(to router: Router<ServiceContext>, behind door: PublicDoor) {
        door.add(.post, "/v1/devices", .anybody, .register, to: router) { try await register($0) }
        door.add(.get, "/v1/devices/me", .device, .read, to: router) { try await profile($0) }
        door.add(.patch, "/v1/devices/me", .device, .write, to: router) { try await patch($0) }
        door.add(.delete, "/v1/devices/me", .device, .write, to: router) { try await erase($0) }
        door.add(.put, "/v1/devices/me/push-tokens/{kind}", .device, .tokens, to: router) { try await store($0) }
        door.add(.delete, "/v1/devices/me/push-tokens/{kind}", .device, .tokens, to: router) { try await remove($0) }
    }

    private func register(_ call: Call) async throws -> Response {
        try call.query.allow()
        let key = try IdempotencyLedger.key(call.request.headers[.idempotencyKey])
        let bytes = try await call.bodyBytes(max: BodyLimit.single)
        let profile = try DeviceProfile(reading: Call.parse(bytes))
        try limiter.use(.registerAll, by: "node")
        let (answer, isReplay) = try await ledger.once("POST /v1/devices \(key)", body: bytes) {
            try await create(profile)
        }
        var headers: HTTPFields = [:]
        if isReplay { headers[.idempotencyReplayed] = "true" }
        let dimensions = [("result", isReplay ? "replayed" : "created")]
        Counter(label: "score_device_registrations_total", dimensions: dimensions).increment()
        return Answer.json(answer, status: .created, headers: headers)
    }

    private func create(_ profile: DeviceProfile) async throws -> [UInt8] {
        var generator = SystemRandomNumberGenerator()
        let id = DeviceID(using: &generator)
        let credential = BearerCredential(new: .device, id: id.description)
        let created = clock.wall
        let device = NewDevice(
            id: id,
            credentialHash: credential.digest.bytes,
            profile: profile,
            createdAt: created
        )
        try await devices.register(device)
        return JSONWriter.document { json in
            json.field("deviceId", id.description)
            json.field("credential", credential.text)
            json.field("trust", "none")
            json.field("createdAt", created.rfc3339)
        }
    }

    private func profile(_ call: Call) async throws -> Response {
        try call.query.allow()
        guard let view = try await devices.find(call.owner()) else { throw ServiceProblem(.invalidCredential) }
        return Answer.json(view.bytes, headers: [.eTag: view.profile.tag])
    }

    private func patch(_ call: Call) async throws -> Response {
        try call.query.allow()
        let patch = try DevicePatch(reading: await call.json(max: BodyLimit.single))
        let condition = IfMatch(call.request.headers[.ifMatch])
        guard let view = try await devices.patch(call.owner(), patch, if: condition) else {
            throw ServiceProblem(.invalidCredential)
        }
        return Answer.json(view.bytes, headers: [.eTag: view.profile.tag])
    }

    private func erase(_ call: Call) async throws -> Response {
        try call.query.allow()
        let device = try call.owner()
        try await devices.erase(device)
        authenticator.forget(device)
        return Answer.empty()
    }

    private func store(_ call: Call) async throws -> Response {
        try call.query.allow()
        let body = try await call.json(max: BodyLimit.single)
        let wish = try DeviceTokenWish(reading: body, kind: kind(of: call))
        let outcome = try await devices.setToken(wish, of: call.owner())
        switch outcome {
        case .stale(let newest): throw ServiceProblem.stale(newest)
        case .stored(let generation, let isNew):
            let fingerprint = wish.token.flatMap { Fingerprint(sha256: SecretDigest(of: $0.bytes).bytes) }
            let bytes = JSONWriter.document { json in
                json.field("fingerprint", ifPresent: fingerprint?.text)
                json.field("state", "active")
                json.field("generation", generation)
            }
            return Answer.json(bytes, status: isNew ? .created : .ok)
        }
    }

    private func remove(_ call: Call) async throws -> Response {
        try call.query.allow("clientSeq")
        let wish = DeviceTokenWish(
            kind: try kind(of: call),
            token: nil,
            environment: nil,
            attributesType: nil,
            clientSequence: try call.clientSequence()
        )
        let outcome = try await devices.setToken(wish, of: call.owner())
        if case .stale(let newest) = outcome { throw ServiceProblem.stale(newest) }
        return Answer.empty()
    }

    private func kind(of call: Call) throws(ServiceProblem) -> DeviceTokenKind {
        guard let kind = DeviceTokenKind(rawValue: call.word("kind")) else { throw ServiceProblem(.notFound) }
        return kind
    }
}

extension Call {
    /// `clientSequence` in the query of a DELETE, which has no body.
    func clientSequence() throws(ServiceProblem) -> Int64 {
        guard let sequence = try query.integer("clientSeq", 0...Int64.max) else {
            throw .invalid("clientSeq", "expected the device's next sequence number")
        }
        return sequence
    }
}

extension ServiceProblem {
    /// A request that was overtaken by a newer one of the same device.
    static func stale(_ newest: Int64, current: JSONValue? = nil) -> ServiceProblem {
        var problem = ServiceProblem(.staleClientSequence, extras: ["clientSeq": .integer(newest)])
        if let current { problem.extras.append(.init(name: "current", value: current)) }
        return problem
    }
}
