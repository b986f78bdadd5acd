// Registration of a phone, its credential, and its push tokens.

import FollowService
import MatchJournal
import MatchSamples
import Providers
import ScoreTypes
import Synchronization
import Testing

@testable import ScoreServer

@Suite struct DeviceRoutesTests {
    static let key = ["Idempotency-Key": "0123456789abcdef"]

    @Test("C14, S12: a registration stores only the hash and can be repeated")
    func registrationStoresOnlyTheHashAndCanBeRepeated() async throws {
        let stored = Mutex<[NewDevice]>([])
        var stubs = TestDependencies()
        stubs.devices.onRegister = { device in
            stored.withLock { $0.append(device) }
            return true
        }
        try await withServer(stubs) { server in
            let client = server.publicClient
            let first = try await client.send("POST", "/v1/devices", Self.key, json: Samples.registration)
            #expect(first.status == 201)
            let text = try #require(first.json["credential"]?.string)
            let credential = try #require(BearerCredential(text))
            let devices = stored.withLock { $0 }
            #expect(devices.count == 1)
            #expect(devices.first?.credentialHash == credential.digest.bytes)
            #expect(devices.first?.abilities == [.activities, .frequentPushes, .alerts, .channels])
            #expect("\(credential)".contains("‹secret›"))

            let again = try await client.send("POST", "/v1/devices", Self.key, json: Samples.registration)
            #expect(again.body == first.body)
            #expect(again["Idempotency-Replayed"] == "true")
            #expect(stored.withLock { $0.count } == 1)

            let other = Samples.registration.replacing("\"42\"", with: "\"43\"")
            let mismatch = try await client.send("POST", "/v1/devices", Self.key, json: other)
            #expect(mismatch.status == 422 && mismatch.problem == "idempotency-mismatch")
            let without = try await client.send("POST", "/v1/devices", json: Samples.registration)
            #expect(without.status == 400 && without.problem == "missing-idempotency-key")
        }
    }

    @Test func knownDevicesAreLimitedByDeviceAndRegistrationsByAddress() async throws {
        let device = Samples.device()
        var stubs = TestDependencies()
        stubs.limits = RateLimits([
            .register: Quota(count: 1, per: .seconds(3600)), .readAddress: Quota(count: 1, per: .seconds(3600)),
        ])
        stubs.devices.onHash = device.hash
        stubs.devices.onRegister = { _ in true }
        try await withServer(stubs) { server in
            let client = server.publicClient
            func register(_ headers: [String: String]) async throws -> WireAnswer {
                let headers = headers.merging(["Idempotency-Key": "key-of-phone-\(headers.count)-and-more"]) { $1 }
                return try await client.send("POST", "/v1/devices", headers, json: Samples.registration)
            }
            #expect(try await client.get("/v1/client-config").status == 200)
            #expect(try await client.get("/v1/client-config").status == 429, "unknown clients share one quota")
            #expect(try await client.get("/v1/client-config", device.headers).status == 200, "a phone has its own")
            #expect(try await register([:]).status == 201)
            // Otherwise each phone could register five more, and each of those five.
            let spent = try await register(device.headers)
            #expect(spent.status == 429 && spent.json["violatedPolicies"]?.list == [.text("register")])
        }
    }

    @Test func theSpacingOfReceiptsFollowsTheirQuota() async throws {
        var stubs = TestDependencies()
        stubs.limits = RateLimits([.telemetry: Quota(count: 7, per: .seconds(60))])
        try await withServer(stubs) { server in
            let settings = try await server.publicClient.get("/v1/client-config")
            #expect(settings.json["telemetrySpacingSeconds"]?.int == 9)
        }
    }

    @Test func aFailedRegistrationCanBeRetriedWithItsKey() async throws {
        let attempts = Mutex(0)
        var stubs = TestDependencies()
        // A failed registration has created no device and does not count.
        stubs.limits = RateLimits([.register: Quota(count: 1, per: .seconds(3600))])
        stubs.devices.onRegister = { _ in
            if attempts.withLock({ count in
                count += 1
                return count
            }) == 1 {
                throw ServiceProblem.unavailable("db")
            }
            return true
        }
        try await withServer(stubs) { server in
            let client = server.publicClient
            let first = try await client.send("POST", "/v1/devices", Self.key, json: Samples.registration)
            #expect(first.status == 503)
            #expect(first["Retry-After"] != nil)
            #expect(first.json["cause"]?.string == "db")
            let second = try await client.send("POST", "/v1/devices", Self.key, json: Samples.registration)
            #expect(second.status == 201)
        }
    }

    @Test func everyMistakeInABodyIsReported() async throws {
        let json = #"{"platform":7,"bundleId":"","appBuild":"1","apnsEnvironment":"mars","surprise":1}"#
        try await withServer { server in
            let answer = try await server.publicClient.send("POST", "/v1/devices", Self.key, json: json)
            #expect(answer.status == 422)
            #expect(answer["Content-Type"] == "application/problem+json")
            let pointers = Set(answer.json["errors"]?.list.compactMap { $0["pointer"]?.string } ?? [])
            #expect(pointers == ["/platform", "/bundleId", "/osVersion", "/apnsEnvironment", "/surprise"])
        }
    }

    @Test(arguments: [
        (#"{"platform":"ios","platform":"ios"}"#, "duplicateName"), ("{\"a\":", "malformed"),
        (String(repeating: "[", count: 40) + String(repeating: "]", count: 40), "tooDeep"),
    ])
    func unreadableBodiesAreRefused(json: String, code: String) async throws {
        try await withServer { server in
            let answer = try await server.publicClient.send("POST", "/v1/devices", Self.key, json: json)
            #expect(answer.status == 400)
            #expect(answer.json["errors"]?.list.first?["code"]?.string == code)
        }
    }

    @Test func bodiesRequireATypeAndALimitedSize() async throws {
        try await withServer { server in
            let plain = Self.key.merging(["Content-Type": "text/plain"]) { $1 }
            let type = try await server.publicClient.send("POST", "/v1/devices", plain, json: "{}")
            #expect(type.status == 415 && type.problem == "unsupported-media-type")
            let large = "{\"platform\":\"" + String(repeating: "x", count: 17_000) + "\"}"
            let size = try await server.publicClient.send("POST", "/v1/devices", Self.key, json: large)
            #expect(size.status == 413 && size.problem == "payload-too-large")
            #expect(size.json["limitBytes"]?.int == 16_384)
        }
    }

    @Test func onlyTheRightCredentialIsAccepted() async throws {
        let device = Samples.device()
        var stubs = TestDependencies()
        stubs.devices.onHash = device.hash
        stubs.follows.onList = { _ in [] }
        try await withServer(stubs) { server in
            let path = "/v1/devices/me/follows"
            #expect(try await server.publicClient.get(path, device.headers).status == 200)
            let none = try await server.publicClient.get(path)
            #expect(none.status == 401 && none.problem == "unauthenticated")
            #expect(none["WWW-Authenticate"] == "Bearer")
            let wrong = BearerCredential(new: .device, id: device.id.description).text
            let stranger = BearerCredential(new: .device, id: DeviceID(high: 1, low: 2).description).text
            let admin = BearerCredential(new: .admin, id: device.id.description).text
            for text in [wrong, stranger, admin, "nonsense", ""] {
                let answer = try await server.publicClient.get(path, ["Authorization": "Bearer \(text)"])
                #expect(answer.status == 401 && answer.problem == "invalid-credential", "\(text.prefix(8))")
            }
        }
    }

    @Test func erasedDeviceIsRefusedAtOnce() async throws {
        let device = Samples.device()
        let isThere = Mutex(true)
        var stubs = TestDependencies()
        stubs.devices.onHash = { id in isThere.withLock { $0 } ? try await device.hash(id) : nil }
        stubs.devices.onErase = { _ in
            isThere.withLock { $0 = false }
            return []
        }
        stubs.follows.onList = { _ in [] }
        try await withServer(stubs) { server in
            let path = "/v1/devices/me/follows"
            let before = try await server.publicClient.get(path, device.headers)
            let erased = try await server.publicClient.send("DELETE", "/v1/devices/me", device.headers)
            let after = try await server.publicClient.get(path, device.headers)
            #expect([before.status, erased.status, after.status] == [200, 204, 401])
        }
    }

    @Test("C22: tokens are returned as fingerprints, and stale ones are refused")
    func tokensAreReturnedAsFingerprintsAndStaleOnesRefused() async throws {
        let device = Samples.device()
        var stubs = TestDependencies()
        stubs.devices.onHash = device.hash
        stubs.devices.onFind = { id in DeviceRecord(of: id) }
        stubs.devices.onToken = { registration in
            #expect(registration.kind == .pushToStart && registration.environment == .sandbox)
            if registration.clientSequence < 5 { return .outdated(generation: 1, clientSequence: 5) }
            return .stored(generation: registration.token == nil ? 2 : 1)
        }
        let hex = String(repeating: "ab", count: 40)
        try await withServer(stubs) { server in
            let path = "/v1/devices/me/push-tokens/pushToStart"
            let body = #"{"token":"\#(hex)","apnsEnvironment":"sandbox","clientSeq":5}"#
            let stored = try await server.publicClient.send("PUT", path, device.headers, json: body)
            #expect(stored.status == 201)
            #expect(stored.json["fingerprint"]?.string?.count == 12)
            #expect(!stored.text.contains(hex))
            let stale = try await server.publicClient.send(
                "PUT",
                path,
                device.headers,
                json: body.replacing(":5}", with: ":4}")
            )
            #expect(stale.status == 409 && stale.problem == "stale-client-sequence")
            #expect(stale.json["clientSeq"]?.int == 5)
            #expect(try await server.publicClient.send("DELETE", path + "?clientSeq=9", device.headers).status == 204)
            #expect(try await server.publicClient.send("DELETE", path, device.headers).status == 400)
            let short = try await server.publicClient.send(
                "PUT",
                path,
                device.headers,
                json: #"{"token":"abcd","apnsEnvironment":"sandbox","clientSeq":5}"#
            )
            #expect(short.status == 422 && !short.text.contains("abcd"))
            let kind = "/v1/devices/me/push-tokens/other"
            #expect(try await server.publicClient.send("PUT", kind, device.headers, json: body).status == 404)
        }
    }
}
