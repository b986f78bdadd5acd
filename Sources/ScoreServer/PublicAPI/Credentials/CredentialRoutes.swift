// The route by which a phone replaces its credential; a lost answer can be requested again at any node.

import FollowService
import HTTPTypes
import Hummingbird
import Metrics
import ScoreTypes

/// `/v1/devices/me/credential/rotate`.
struct CredentialRoutes: Sendable {
    /// Random bytes of a rotation, as many as a secret has.
    private static let saltByteCount = BearerCredential.secretByteCount

    let devices: any DeviceStore
    let authenticator: DeviceAuthenticator

    /// Adds the route.
    func add(to router: PublicRouter) {
        router.add(.post, "/v1/devices/me/credential/rotate", .device, .write) { try await rotate($0) }
    }

    private func rotate(_ call: Call) async throws -> Response {
        let key = try IdempotencyCache.key(call.request.headers[.idempotencyKey])
        let device = try call.owner()
        guard let presented = BearerCredential.reading(call.request.headers[.authorization]) else {
            throw ServiceProblem(.unauthenticated)
        }
        let salt = (0..<Self.saltByteCount).map { _ in UInt8.random(in: .min ... .max) }
        let renewed = try presented.successor(salt: salt, key: key)
        let rotation = CredentialRotation(
            device: device,
            presented: presented.digest.bytes,
            key: SecretDigest(of: Array(key.utf8)).bytes,
            salt: salt,
            renewed: renewed.digest.bytes
        )
        switch try await devices.rotate(rotation) {
        case .rotated:
            authenticator.forget(device)
            Counter(label: "score_token_rotations_total", dimensions: [("kind", "credential")]).increment()
            return answer(renewed, of: device, isReplay: false)
        case .repeated(let salt):
            return answer(try presented.successor(salt: salt, key: key), of: device, isReplay: true)
        case .adopted: return answer(presented, of: device, isReplay: true)
        case .replaced:
            throw ServiceProblem(.conflict, "A request with another Idempotency-Key has replaced this credential.")
        case .invalid: throw ServiceProblem(.invalidCredential)
        }
    }

    private func answer(_ credential: BearerCredential, of device: DeviceID, isReplay: Bool) -> Response {
        let bytes = JSONWriter.document { json in
            json.field("deviceId", device.description)
            json.field("credential", credential.text)
        }
        var headers: HTTPFields = [.cacheControl: "no-store"]
        if isReplay { headers[.idempotencyReplayed] = "true" }
        return Answer.json(bytes, headers: headers)
    }
}
