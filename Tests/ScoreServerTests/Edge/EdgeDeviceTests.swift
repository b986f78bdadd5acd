// Phones that repeat, reorder, guess and flood their requests to a server.

import MatchSamples
import ScoreTypes
import TestSupport
import Testing

@testable import ScoreServer

extension EdgeTests {
    @Suite struct Devices {
        private let node: ServedNode
        private let client: WireClient
        private static let tokens = "/v1/devices/me/push-tokens/alert"

        init() throws {
            node = try ServedNode.current()
            client = node.client()
        }

        private func token(_ number: Int, _ sequence: Int) -> String {
            let digits = String(number, radix: 16)
            let text = String(repeating: "0", count: 64 - digits.utf8.count) + digits
            return #"{"token":"\#(text)","apnsEnvironment":"sandbox","clientSeq":\#(sequence)}"#
        }

        private func register(_ key: String, _ body: String = Samples.registration) async throws -> WireAnswer {
            try await client.send("POST", "/v1/devices", ["Idempotency-Key": key], json: body)
        }

        @Test("C13: a device registers a bounded number of tokens an hour")
        func tokenFlood() async throws {
            let phone = try await node.phone(client)
            let base = Int.random(in: 1...(1 << 60))
            var codes: [Int] = []
            for number in 1...31 {
                codes.append(
                    try await client.send("PUT", Self.tokens, phone, json: token(base + number, number)).status
                )
            }
            #expect(codes.first == 201 && codes.last == 429 && codes.dropFirst().dropLast().allSatisfy { $0 == 200 })
        }

        @Test("C13, S46: a token belongs to the device that registered it last, and the older one learns it")
        func tokenOfTwoDevices() async throws {
            let (old, new) = (try await node.phone(client), try await node.phone(client))
            let body = token(Int.random(in: 1...(1 << 60)), 1)
            for phone in [old, new] {
                #expect(try await client.send("PUT", Self.tokens, phone, json: body).status == 201)
            }
            let left = try await client.get("/v1/devices/me", old).json
            #expect(left["movedTokens"]?.list == [.text("alert")] && left["pushTokens"]?["alert"] == nil)
            #expect(try await client.get("/v1/devices/me", new).json["pushTokens"]?["alert"] != nil)
        }

        @Test("C14: fifty concurrent requests with one Idempotency-Key make one device")
        func concurrentRegistrations() async throws {
            let key = "key-of-fifty-\(UInt32.random(in: 0...UInt32.max))"
            let answers = try await withThrowingTaskGroup(of: WireAnswer.self) { group in
                for _ in 0..<50 { group.addTask { try await register(key) } }
                return try await group.reduce(into: [WireAnswer]()) { $0.append($1) }
            }
            #expect(answers.allSatisfy { [201, 409].contains($0.status) })
            let made = answers.filter { $0.status == 201 }
            #expect(Set(made.compactMap { $0.json["deviceId"]?.string }).count == 1)
            #expect(made.count { $0["Idempotency-Replayed"] == nil } == 1)
            let other = Samples.registration.replacing("\"42\"", with: "\"43\"")
            #expect(try await register(key, other).problem == "idempotency-mismatch")
        }

        @Test("C15: a delayed unfollow does not undo a newer follow")
        func delayedUnfollow() async throws {
            let phone = try await node.phone(client)
            let path = "/v1/devices/me/follows/\(node.match)"
            #expect(try await client.send("PUT", path, phone, json: #"{"clientSeq":5}"#).status == 201)
            let late = try await client.send("DELETE", "\(path)?clientSeq=4", phone)
            #expect(late.status == 409 && late.problem == "stale-client-sequence")
            let list = try await client.get("/v1/devices/me/follows", phone)
            #expect(list.json["items"]?.list.count == 1)
        }

        @Test("C16: guesses are refused with 429 in the end, and the right credential never is")
        func guesses() async throws {
            let phone = try await node.phone(client)
            let right = try #require(phone["Authorization"])
            let wrong =
                right.split(separator: ".").dropLast().joined(separator: ".") + "." + String(repeating: "A", count: 43)
            var codes: [Int] = []
            // The quota is refilled with time, so that single guesses on a slow machine may stay below it.
            while !codes.contains(429), codes.count < 400 {
                codes += try await withThrowingTaskGroup(of: Int.self) { group in
                    for _ in 0..<40 {
                        group.addTask { try await client.get("/v1/devices/me", ["Authorization": wrong]).status }
                    }
                    return try await group.reduce(into: [Int]()) { $0.append($1) }
                }
            }
            #expect(codes.count { $0 == 401 } >= 30 && Set(codes) == [401, 429])
            #expect(try await client.get("/v1/devices/me", phone).status == 200)
            #expect(try await node.client().get("/v1/devices/me", ["Authorization": wrong]).status == 401)
        }

        @Test("C17, S27: a body of another type or form is refused")
        func bodies() async throws {
            let phone = try await node.phone(client)
            let deep = String(repeating: "[", count: 17) + String(repeating: "]", count: 17)
            let bodies: [(String, String, Set<Int>)] = [
                ("text/plain", #"{"clientSeq":1}"#, [415]), ("application/x-www-form-urlencoded", "clientSeq=1", [415]),
                ("application/json", #"{"clientSeq":1}x"#, [400]), ("application/json", "", [400]),
                ("application/json", #"{"clientSeq":1,"clientSeq":2}"#, [400]), ("application/json", deep, [400, 422]),
                ("application/json", #"{"clientSeq":1e400}"#, [400, 422]),
                ("application/json", "\u{feff}{}", [400, 422]),
                ("application/json", #"{"timeZone":"\ud800","clientSeq":1}"#, [400, 422]),
                ("application/json", String(repeating: " ", count: 70_000) + "{}", [413]),
            ]
            for (type, body, expected) in bodies {
                var headers = phone
                headers["Content-Type"] = type
                let answer = try await client.send("PATCH", "/v1/devices/me", headers, body: Array(body.utf8))
                #expect(expected.contains(answer.status), "\(type) \(body.prefix(40)): \(answer.status)")
            }
        }

        @Test("C22: an old token that arrives late does not replace the new one")
        func lateToken() async throws {
            let phone = try await node.phone(client)
            let base = Int.random(in: 1...(1 << 60))
            let new = try await client.send("PUT", Self.tokens, phone, json: token(base, 2))
            #expect(new.status == 201)
            let late = try await client.send("PUT", Self.tokens, phone, json: token(base + 1, 1))
            #expect(late.status == 409)
            let kept = try await client.get("/v1/devices/me", phone).json["pushTokens"]?["alert"]
            #expect(kept?["fingerprint"] == new.json["fingerprint"] && kept?["fingerprint"] != nil)
        }

        @Test("S12: no file of the server has a credential")
        func credentialsAtRest() async throws {
            let phone = try await node.phone(client)
            let secret = try #require(phone["Authorization"]?.split(separator: ".").last)
            let search = try ChildProcess("/usr/bin/grep", ["-rlaF", "-e", String(secret), "\(node.folder)/data"])
            try await search.ended()
            #expect(search.status == 1 && search.output.isEmpty, "\(search.output)")
            #expect(!node.server.output.contains(secret))
        }

        @Test("S15: one device neither reads nor changes another one")
        func otherDevices() async throws {
            let (own, foreign) = (try await node.phone(client), try await node.phone(client))
            let follow = "/v1/devices/me/follows/\(node.match)"
            #expect(try await client.send("PUT", follow, own, json: #"{"clientSeq":1}"#).status == 201)
            #expect(try await client.get("/v1/devices/me/follows", foreign).json["items"]?.list == [])
            _ = try await client.send("DELETE", "\(follow)?clientSeq=9", foreign)
            #expect(try await client.get("/v1/devices/me/follows", own).json["items"]?.list.count == 1)
            let id = try #require(try await client.get("/v1/devices/me", own).json["deviceId"]?.string)
            #expect(try await client.get("/v1/devices/\(id)", foreign).status == 404)
        }

        @Test("S16, S57: an erased device has no credential, no stream and no token from then on")
        func erasure() async throws {
            let phone = try await node.phone(client)
            let head = WireClient.head("GET", "/v1/matches/\(node.match)/stream", phone, bodyBytes: 0, close: false)
            let (client, node) = (client, node)
            try await client.withStream(Array(head.utf8)) { stream in
                #expect(try await stream.head().status == 200)
                _ = try await stream.event("hello")
                #expect(try await client.send("DELETE", "/v1/devices/me", phone).status == 204)
                let bye = try await stream.event("bye")
                #expect(bye.data["reason"]?.string == "revoked")
            }
            #expect(try await client.get("/v1/devices/me", phone).status == 401)
            #expect(try await node.client().get("/v1/devices/me/follows", phone).status == 401)
        }

        @Test("S50: an address that registers phone after phone is refused, and another one is not")
        func registrationFlood() async throws {
            var codes: [Int] = []
            for number in 0..<6 { codes.append(try await register("key-of-the-flood-\(number)-\(node.port)").status) }
            #expect(codes == [201, 201, 201, 201, 201, 429])
            _ = try await node.phone(node.client())
        }
    }
}
