// Rotation of credentials over the public API with the real store: lost answers, two nodes, the end of the old one.

import Postgres
import ScoreTypes
import TestSupport
import Testing

@testable import FollowService
@testable import ScoreServer

@Suite struct CredentialRotationTests {
    private static let path = "/v1/devices/me/credential/rotate"

    private static func rotate(
        _ stores: StoredDependencies,
        _ phone: [String: String],
        key: String = "rotation-key-0001"
    ) async throws -> WireAnswer {
        try await stores.client.send("POST", path, phone.merging(["Idempotency-Key": key]) { $1 })
    }

    private static func phone(_ answer: WireAnswer) throws -> [String: String] {
        ["Authorization": "Bearer \(try #require(answer.json["credential"]?.string))"]
    }

    @Test func aRepeatedRotationReturnsTheSameCredentialAtEveryNode() async throws {
        let database = try await ScratchDatabase.make()
        try await withStore(on: database) { first in
            let old = try await first.register()
            let rotated = try await Self.rotate(first, old)
            #expect(rotated.status == 200 && rotated["Idempotency-Replayed"] == nil)
            #expect(rotated["Cache-Control"] == "no-store")
            let new = try Self.phone(rotated)
            #expect(new != old)
            // A new process has nothing in memory, as after a restart.
            try await withStore(on: database) { second in
                for phone in [old, new] {
                    let again = try await Self.rotate(second, phone)
                    #expect(again.body == rotated.body && again["Idempotency-Replayed"] == "true")
                    #expect(try await second.client.get("/v1/devices/me", phone).status == 200)
                }
            }
            let stored = Statement("select credential_hash from device")
            let credential = BearerCredential.reading(new["Authorization"])
            #expect(try await first.pool.query(stored) { try $0.bytes(0) } == [credential?.digest.bytes])
        }
    }

    @Test func onlyTheNewestCredentialStartsARotation() async throws {
        try await withStore { stores in
            let old = try await stores.register()
            let middle = try Self.phone(try await Self.rotate(stores, old))
            let other = try await Self.rotate(stores, old, key: "rotation-key-0002")
            #expect(other.status == 409 && other.problem == "conflict")
            let newest = try Self.phone(try await Self.rotate(stores, middle, key: "rotation-key-0003"))
            #expect(try await stores.client.get("/v1/devices/me", newest).status == 200)
            #expect(try await stores.client.get("/v1/devices/me", middle).status == 200)
            #expect(try await Self.rotate(stores, old).status == 401, "it was replaced twice")
            #expect(try await stores.client.send("POST", Self.path, newest).problem == "missing-idempotency-key")
        }
    }

    @Test func anErasedDeviceHasNoCredential() async throws {
        try await withStore { stores in
            let old = try await stores.register()
            let new = try Self.phone(try await Self.rotate(stores, old))
            #expect(try await stores.client.send("DELETE", "/v1/devices/me", new).status == 204)
            for phone in [old, new] { #expect(try await Self.rotate(stores, phone).status == 401) }
        }
    }

    @Test func theReplacedCredentialIsValidForTenMinutesAtEveryNode() async throws {
        let pool = Pool(try await ScratchDatabase.make(), size: 2, name: "rotation")
        let time = ManualClock(wallAtZero: Instant(milliseconds: 1_790_000_000_000))
        let devices = Devices(pool: pool, clock: time.clock())
        let nodes = (0..<2).map { _ in
            DeviceAuthenticator(devices: devices, limits: RateLimits(), clock: time.clock())
        }
        let id = DeviceID(high: 1, low: 2)
        let old = BearerCredential(new: .device, id: id.description)
        let salt = [UInt8](repeating: 7, count: 32)
        let new = try old.successor(salt: salt, key: "key")
        _ = try await devices.register(
            NewDevice(
                device: id,
                environment: .sandbox,
                bundleID: "app",
                abilities: [],
                credentialHash: old.digest.bytes
            )
        )
        func accepted(_ credential: BearerCredential) async -> [Bool] {
            var accepted: [Bool] = []
            for node in nodes {
                let device = try? await node.device(
                    authorization: "Bearer \(credential.text)",
                    from: ClientAddress(nil)
                )
                accepted.append(device == id)
            }
            return accepted
        }
        #expect(await accepted(old) == [true, true], "both nodes remember the old credential")
        let rotation = CredentialRotation(
            device: id,
            presented: old.digest.bytes,
            key: [1],
            salt: salt,
            renewed: new.digest.bytes
        )
        #expect(try await devices.rotate(rotation) == .rotated)
        #expect(await accepted(new) == [true, true], "the memory of a node does not hide the new credential")
        time.advance(by: .seconds(599))
        #expect(await accepted(old) == [true, true])
        time.advance(by: .seconds(1))
        #expect(await accepted(old) == [false, false], "the memory of a node does not prolong it")
        #expect(await accepted(new) == [true, true])
        #expect(try await devices.rotate(rotation) == .invalid)
        await pool.close()
    }
}
