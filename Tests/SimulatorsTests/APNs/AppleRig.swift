// A simulated APNs with one key, a fixed clock, and valid requests that a test changes.

import HTTP2
import ScoreTypes
import Simulators
import Synchronization
import TestSupport
import Testing

/// The parts that every test of the simulator needs.
struct AppleRig {
    static let now: Int64 = 1_780_000_000
    static let bundle = "app.score"
    static let team = "TEAMTEAM01"
    static let keyID = "ABCDEFGHIJ"
    static let id = "11111111-2222-4333-8444-555555555555"

    let simulator: APNsSimulator
    let key: ProviderKey
    let loop: EventLoop
    let post: ApplePost
    let manage: ApplePost
    let time = ManualClock(wallAtZero: Instant(milliseconds: AppleRig.now * 1000))
    private let certificate: [UInt8]

    init(change: (inout APNsSimulatorConfiguration) -> Void = { _ in }) async throws {
        key = try #require(ProviderKey())
        let identity = try TLSIdentity.selfSigned(commonName: "apple", addresses: ["127.0.0.1"])
        var configuration = APNsSimulatorConfiguration(
            bundleID: Self.bundle,
            teamID: Self.team,
            keyID: Self.keyID,
            publicKeyPEM: key.publicPEM,
            identity: identity
        )
        change(&configuration)
        simulator = try await APNsSimulator.start(configuration, clock: time.clock())
        loop = EventLoop(name: "provider")
        certificate = identity.certificatePEM
        post = await ApplePost(port: simulator.pushPort, certificate: certificate, on: loop)
        manage = await ApplePost(port: simulator.managementPort, certificate: certificate, on: loop)
    }

    func anotherConnection() async -> ApplePost {
        await ApplePost(port: simulator.pushPort, certificate: certificate, on: loop)
    }

    func stop() async {
        await simulator.stop()
        loop.stop()
    }

    func jwt(issuedAt: Int64 = AppleRig.now) -> String {
        let claims = #"{"iss":"\#(Self.team)","iat":\#(issuedAt)}"#
        return "bearer " + key.sign(header: #"{"alg":"ES256","kid":"\#(Self.keyID)"}"#, claims: claims)
    }

    static func token(_ byte: UInt8) throws -> PushToken {
        try #require(PushToken(bytes: [UInt8](repeating: byte, count: 32)))
    }

    /// A token of a phone that records its pushes.
    func phone(_ byte: UInt8, _ kind: PhoneTokenKind = .activity) throws -> (token: PushToken, inbox: Inbox) {
        let inbox = Inbox()
        let token = try Self.token(byte)
        simulator.register(token: token, kind: kind) { push in inbox.take(push) }
        return (token, inbox)
    }

    func push(to token: PushToken, jwt: String, body: String = AppleRig.update(revision: 1)) -> AppleRequest {
        let headers = [
            ("authorization", jwt), ("apns-id", Self.id), ("apns-topic", Self.bundle + ".push-type.liveactivity"),
            ("apns-push-type", "liveactivity"), ("apns-priority", "5"), ("apns-expiration", "0"),
        ]
        return AppleRequest(path: "/3/device/" + token.hexForPath, headers: headers, body: Array(body.utf8))
    }

    func broadcast(on channel: String, jwt: String, body: String = AppleRig.update(revision: 1)) -> AppleRequest {
        let headers = [
            ("authorization", jwt), ("apns-request-id", Self.id), ("apns-channel-id", channel),
            ("apns-push-type", "liveactivity"), ("apns-priority", "5"), ("apns-expiration", "0"),
        ]
        return AppleRequest(path: "/4/broadcasts/apps/" + Self.bundle, headers: headers, body: Array(body.utf8))
    }

    func createChannel(policy: Int, jwt: String) async throws -> ChannelID {
        let body = #"{"message-storage-policy":\#(policy),"push-type":"LiveActivity"}"#
        let path = "/1/apps/\(Self.bundle)/channels"
        let answer = await manage.send(
            AppleRequest(path: path, headers: [("authorization", jwt)], body: Array(body.utf8))
        )
        #expect(answer.status == 201)
        #expect(answer.body.isEmpty)
        return try #require(answer.headers["apns-channel-id"].flatMap { ChannelID($0) })
    }

    static func update(revision: Int, timestamp: Int64 = now) -> String {
        #"{"aps":{"timestamp":\#(timestamp),"event":"update","content-state":{"v":1,"rev":\#(revision)}}}"#
    }
}

/// The pushes of one phone.
final class Inbox: Sendable {
    private let pushes = Mutex<[DeliveredPush]>([])
    var all: [DeliveredPush] { pushes.withLock { $0 } }
    func take(_ push: DeliveredPush) { pushes.withLock { $0.append(push) } }
}
