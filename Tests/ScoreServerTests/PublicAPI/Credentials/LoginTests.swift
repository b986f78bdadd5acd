// Wrong credentials are refused and limited, and never lock out a right one behind the same address.

import FollowService
import MatchSamples
import Postgres
import ScoreTypes
import Synchronization
import TestSupport
import Testing

@testable import ScoreServer

@Suite struct LoginTests {
    private static let path = "/v1/devices/me"

    private static func guess(_ id: String) -> [String: String] {
        ["Authorization": "Bearer \(BearerCredential(new: .device, id: id).text)"]
    }

    private static func id(_ phone: [String: String]) throws -> String {
        try #require(BearerCredential.reading(phone["Authorization"])).id
    }

    @Test("C16, S17: wrong credentials for many devices lock out no right one behind the same address")
    func wrongCredentialsRefuseNoRightOne() async throws {
        let database = try await ScratchDatabase.make()
        try await withStore(on: database) { first in
            let phones = try await [first.register(), first.register(key: "another-phone-0001")]
            // A new process has nothing in memory.
            try await withStore(on: database) { second in
                func status(_ headers: [String: String]) async throws -> Int {
                    try await second.client.get(Self.path, headers).status
                }
                for number in 0..<150 {
                    let id = DeviceID(high: 9, low: UInt64(number)).description
                    #expect(try await status(Self.guess(id)) == 401, "\(number)")
                }
                var refused: [Int] = []
                for _ in 0..<35 { refused.append(try await status(Self.guess(try Self.id(phones[0])))) }
                for _ in 0..<35 { refused.append(try await status(["Authorization": "Bearer nonsense"])) }
                #expect(Set(refused) == [401, 429])
                for phone in phones { #expect(try await status(phone) == 200) }
                try await withThrowingTaskGroup(of: Int.self) { group in
                    var statuses: [Int: Int] = [:]
                    for number in 0..<100 {
                        let id = DeviceID(high: 8, low: UInt64(number)).description
                        let headers = number.isMultiple(of: 2) ? phones[number / 2 % 2] : Self.guess(id)
                        // More at once may wait for a database connection until they are refused.
                        if number >= 10, let status = try await group.next() { statuses[status, default: 0] += 1 }
                        group.addTask { try await second.client.get(Self.path, headers).status }
                    }
                    for try await status in group { statuses[status, default: 0] += 1 }
                    #expect(statuses == [200: 50, 401: 50])
                }
            }
        }
    }

    /// Counts the lookups of one stored credential, which a test replaces.
    private final class Lookups: Sendable {
        let stored: Mutex<BearerCredential?>
        let count = Mutex(0)

        init(_ credential: BearerCredential?) { stored = Mutex(credential) }

        func authenticator(_ clock: ServiceClock) -> DeviceAuthenticator {
            var devices = StubDevices()
            devices.onHash = { id in
                self.count.withLock { $0 += 1 }
                return self.stored.withLock { $0?.id == id.description ? $0?.digest.bytes : nil }
            }
            return DeviceAuthenticator(devices: devices, limits: RateLimits(), clock: clock)
        }
    }

    private static func status(_ node: DeviceAuthenticator, _ credential: BearerCredential) async -> Int {
        do {
            let address = ClientAddress(IPAddress("192.0.2.1"))
            _ = try await node.device(authorization: "Bearer \(credential.text)", from: address)
            return 200
        } catch {
            return (error as? ServiceProblem)?.status ?? 0
        }
    }

    @Test("S16: a credential that another node has made is accepted within a second of guesses for its device")
    func aNewCredentialIsAcceptedDuringGuesses() async throws {
        let (time, id) = (ManualClock(), DeviceID(high: 1, low: 2).description)
        let (old, new) = (BearerCredential(new: .device, id: id), BearerCredential(new: .device, id: id))
        let lookups = Lookups(old)
        let node = lookups.authenticator(time.clock())
        #expect(await Self.status(node, old) == 200)
        for number in 0..<200 {
            let guess = BearerCredential(new: .device, id: id)
            #expect(await Self.status(node, guess) == (number < 30 ? 401 : 429))
        }
        #expect(lookups.count.withLock { $0 } == 31, "a spent quota causes no query")
        #expect(await Self.status(node, old) == 200)
        lookups.stored.withLock { $0 = new }
        time.advance(by: ServerLimits.credentialRecheck)
        #expect(await Self.status(node, BearerCredential(new: .device, id: id)) == 429)
        #expect(await Self.status(node, new) == 200)
        #expect(lookups.count.withLock { $0 } == 32)
    }

    @Test("C16: an unknown device is looked up once a minute") func anUnknownDeviceIsLookedUpOnce()
        async throws
    {
        let (time, lookups) = (ManualClock(), Lookups(nil))
        let node = lookups.authenticator(time.clock())
        for _ in 0..<50 {
            for number in 0..<5 {
                let id = DeviceID(high: 9, low: UInt64(number)).description
                _ = await Self.status(node, BearerCredential(new: .device, id: id))
            }
        }
        #expect(lookups.count.withLock { $0 } == 5)
        time.advance(by: ServerLimits.credentialAge)
        _ = await Self.status(node, BearerCredential(new: .device, id: DeviceID(high: 9, low: 0).description))
        #expect(lookups.count.withLock { $0 } == 6)
    }
}
