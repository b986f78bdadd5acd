// Many phones share an address: registrations and reads behind it, with the real store.

import MatchEngine
import MatchSamples
import Postgres
import ScoreTypes
import TestSupport
import Testing

@testable import ScoreServer

@Suite(.timeLimit(.minutes(2))) struct SharedAddressTests {
    private static let devices = Statement("select count(*) from device")

    private static func register(
        _ stores: StoredDependencies,
        _ phone: String,
        from address: String
    ) async throws -> WireAnswer {
        let headers = ["Idempotency-Key": "key-of-the-phone-\(phone)", "X-Forwarded-For": address]
        return try await stores.client.send("POST", "/v1/devices", headers, json: Samples.registration)
    }

    @Test("C13, S50: only created devices count for the quota of registrations")
    func onlyCreatedDevicesCount() async throws {
        try await withStore { stores in
            let address = "198.51.100.7"
            #expect(try await Self.register(stores, "1", from: address).status == 201)
            for _ in 0..<8 {
                let replay = try await Self.register(stores, "1", from: address)
                #expect(replay.status == 201 && replay["Idempotency-Replayed"] == "true")
                let headers = ["X-Forwarded-For": address]
                let body = Samples.registration
                let without = try await stores.client.send("POST", "/v1/devices", headers, json: body)
                #expect(without.status == 400 && without.problem == "missing-idempotency-key")
                let keyed = headers.merging(["Idempotency-Key": "key-of-the-phone-2"]) { $1 }
                #expect(try await stores.client.send("POST", "/v1/devices", keyed, json: "{}").status == 422)
                #expect(try await stores.client.send("POST", "/v1/devices", keyed, json: "{").status == 400)
            }
            for phone in 2...5 { #expect(try await Self.register(stores, "\(phone)", from: address).status == 201) }
            let sixth = try await Self.register(stores, "6", from: address)
            #expect(sixth.status == 429 && sixth.json["violatedPolicies"]?.list == [.text("register")])
            #expect(try await stores.pool.query(Self.devices) { try $0.int(0) } == [5])
        }
    }

    @Test("C13: requests for a device are limited even when they create none") func attemptsAreLimited() async throws {
        let limits = RateLimits([.registerAttempt: Quota(count: 20, per: .seconds(3600))])
        try await withStore(limits: limits) { stores in
            var codes: [Int] = []
            for _ in 0..<21 {
                codes.append(try await stores.client.send("POST", "/v1/devices", json: "{}").status)
            }
            #expect(codes.dropLast().allSatisfy { $0 == 400 } && codes.last == 429)
        }
    }

    @Test("S51: two thousand phones register behind a carrier's address; another address keeps its quota")
    func phonesOfACarrierRegister() async throws {
        var limits = RateLimits()
        limits.sharedAddresses = [try #require(AddressBlock("203.0.113.0/24"))]
        limits.sharedFactor = 1000
        try await withStore(limits: limits) { [limits] stores in
            #expect(limits[.register] == Quota(count: 5, per: .seconds(3600)))
            let statuses = try await withThrowingTaskGroup(of: [Int].self) { group in
                for worker in 0..<16 {
                    group.addTask {
                        var statuses: [Int] = []
                        for phone in 0..<125 {
                            let name = "\(worker)-\(phone)"
                            statuses.append(try await Self.register(stores, name, from: "203.0.113.9").status)
                        }
                        return statuses
                    }
                }
                return try await group.reduce(into: [Int: Int]()) { counts, statuses in
                    for status in statuses { counts[status, default: 0] += 1 }
                }
            }
            #expect(statuses == [201: 2000])
            #expect(try await stores.pool.query(Self.devices) { try $0.int(0) } == [2000])
            var others: [Int] = []
            for phone in 0..<6 {
                others.append(try await Self.register(stores, "other-\(phone)", from: "198.51.100.7").status)
            }
            #expect(others == [201, 201, 201, 201, 201, 429])
        }
    }

    @Test("S50: a flood from many addresses meets the quota of the node") func theNodeHasAQuota() async throws {
        try await withStore(limits: RateLimits([.registerAll: Quota(count: 3, per: .seconds(3600))])) { stores in
            var codes: [Int] = []
            for number in 0..<4 {
                codes.append(try await Self.register(stores, "\(number)", from: "198.51.100.\(number)").status)
            }
            #expect(codes == [201, 201, 201, 429])
        }
    }

    @Test("S50: the quota of an IPv6 address is that of its first 64 bits") func prefixesShareAQuota() async throws {
        try await withStore { stores in
            var codes: [Int] = []
            for number in 1...6 {
                codes.append(try await Self.register(stores, "\(number)", from: "2001:db8:1:2:\(number)::1").status)
            }
            #expect(codes == [201, 201, 201, 201, 201, 429])
            #expect(try await Self.register(stores, "7", from: "2001:db8:1:3::1").status == 201)
        }
    }

    @Test func twoHundredPhonesBehindOneAddressPollAsTheyAreAdvised() throws {
        let time = ManualClock()
        let limiter = RateLimiter(limits: RateLimits(), clock: time.clock())
        let address = ClientParty.address(IPAddress("198.51.100.7"))
        var refused = 0
        for _ in 0..<600 {
            for _ in 0..<200 where !limiter.allows(.readAddress, by: address) { refused += 1 }
            time.advance(by: .milliseconds(MatchDocument.nextPoll(.live)))
        }
        #expect(refused == 0)
        for _ in 0..<7000 where !limiter.allows(.readAddress, by: address) { refused += 1 }
        #expect(refused == 1000)
    }

    @Test func fivePhonesReadBehindOneAddress() async throws {
        try await withStore { stores in
            let headers = ["X-Forwarded-For": "198.51.100.7"]
            var codes: Set<Int> = []
            for _ in 0..<200 {
                codes.insert(try await stores.client.get("/v1/matches/ipl-final", headers).status)
            }
            #expect(codes == [200])
        }
    }
}

extension RateLimiter {
    fileprivate func allows(_ policy: RatePolicy, by party: ClientParty) -> Bool {
        do throws(ServiceProblem) {
            try use(policy, by: party)
            return true
        } catch {
            return false
        }
    }
}
