// The routes about pushes: environments and their switches, probes, what waits, single pushes, dead letters.

import ScoreTypes
import Synchronization
import TestSupport
import Testing

@testable import PushDispatcher
@testable import ScoreServer

@Suite struct PushRoutesTests {
    private static let api = "/admin/api/v1"

    private static func post(_ path: String, _ body: String = "", to server: TestServer) async throws -> WireAnswer {
        let headers = try await server.token(.operator)
        let json = #"{"reason":"an incident""# + body + "}"
        return try await server.internalClient.send("POST", api + path, headers, json: json)
    }

    private static func get(_ path: String, from server: TestServer) async throws -> JSONValue {
        try await server.internalClient.get(api + path, try await server.token(.viewer)).json
    }

    @Test func anEnvironmentIsPausedByItsSwitchAndShowsWhoDidIt() async throws {
        try await withServer { server in
            let before = try await Self.get("/apns", from: server)["items"]?.asElements?.first
            #expect(before?["on"] == .bool(true) && before?["breaker"]?.string == "closed")
            #expect(before?["keyIdSuffix"]?.string == "GHIJ" && before?["providerTokenAgeSeconds"]?.int == 600)
            #expect(before?["roundTripMs"]?["p50"] == .number(50) && before?["roundTripMs"]?["p99"] == .number(99))
            #expect(
                before?["streams"]?["inUse"]?.int == 7 && before?["topic"]?.string?.hasSuffix("liveactivity") == true
            )
            let dry = try await Self.post("/apns/production/pause?dryRun=true", to: server)
            #expect(dry.json["result"]?["wouldAffect"]?.int == 1)
            let paused = try await Self.post("/apns/production/pause", #","ttlSeconds":600"#, to: server)
            #expect(
                paused.status == 200 && paused.json["result"]?["name"]?.string == "apns.production",
                "\(paused.text)"
            )
            let after = try await Self.get("/apns", from: server)["items"]?.asElements?.first
            #expect(after?["on"] == .bool(false) && after?["switch"]?["changedBy"]?.string == "token:operator")
            #expect(after?["switch"]?["reason"]?.string == "an incident" && after?["switch"]?["expiresAt"] != nil)
            let again = try await Self.post("/apns/production/pause?dryRun=true", to: server)
            #expect(again.json["result"]?["wouldAffect"]?.int == 0)
            #expect(try await Self.post("/apns/production/resume", to: server).status == 200)
            #expect(try await Self.get("/apns", from: server)["items"]?.asElements?.first?["on"] == .bool(true))
            #expect(try await Self.post("/apns/mars/pause", to: server).status == 404)
            #expect(try await Self.post("/apns/production/resume", #","ttlSeconds":600"#, to: server).status == 422)
            #expect(try await Self.post("/apns/sandbox/probe", to: server).status == 404, "not served")
            #expect(try await Self.post("/apns/production/reset-breaker", to: server).status == 200)
            #expect(server.stubs.push.resetCount == 1)
        }
    }

    @Test func aProbeNamesTheTrapAndTheRemedy() async throws {
        try await withServer { server in
            let good = try await Self.post("/apns/production/probe", to: server).json["result"]
            #expect(good?["good"] == .bool(true) && good?["reason"]?.string == "BadDeviceToken")
            server.stubs.push.finding.withLock {
                $0 = .refused(status: 403, .invalidProviderToken, duration: .milliseconds(70))
            }
            let bad = try await Self.post("/apns/production/probe", to: server).json["result"]
            #expect(bad?["good"] == .bool(false) && bad?["trap"]?.string == "MS030" && bad?["status"]?.int == 403)
            #expect(bad?["text"]?.string?.contains("APNS_KEY_ID") == true)
            let last = try await Self.get("/apns", from: server)["items"]?.asElements?.first?["lastProbe"]
            #expect(last?["reason"]?.string == "InvalidProviderToken")
        }
    }

    /// Each answer that a probe may get has a remedy of its own where an operator can do something.
    @Test func eachOperatorsErrorHasARemedy() {
        let other = KeyProbe.Finding.refused(status: 500, .internalServerError, duration: .zero).sentence
        for reason in APNsReason.allCases {
            let isFault = PushOutcome(status: 403, reason: reason) == .rejected(.stopEnvironment)
            let text = KeyProbe.Finding.refused(status: 403, reason, duration: .zero).sentence
            if isFault { #expect(text != other, "\(reason)") }
        }
    }

    @Test func theQueuesAreListedWithTheirClasses() async throws {
        try await withServer { server in
            let items = try await Self.get("/queues", from: server)["items"]?.asElements ?? []
            let lifecycle = items.first { $0["queue"]?.string == "lifecycle" }
            #expect(lifecycle?["waiting"]?.int == 5 && lifecycle?["byClass"]?["start"]?.int == 3)
            #expect(lifecycle?["byClass"]?["end"]?.int == 2 && lifecycle?["retrying"]?.int == 1)
            #expect(lifecycle?["oldestMs"]?.int == 120 && lifecycle?["limit"]?.int == 50_000)
            #expect(items.first { $0["queue"]?.string == "plannedStarts" }?["waiting"]?.int == 12)
            #expect(items.first { $0["queue"]?.string == "repeatedEnds" }?["waiting"]?.int == 4)
        }
        var stubs = TestDependencies()
        stubs.push = StubPush(isServing: false)
        try await withServer(stubs) { server in
            let queues = try await Self.get("/queues", from: server)
            let environments = try await Self.get("/apns", from: server)
            #expect(queues["items"]?.asElements?.isEmpty == true && environments["items"]?.asElements?.isEmpty == true)
            let reset = try await Self.post("/apns/production/reset-breaker?dryRun=true", to: server)
            #expect(reset.status == 404)
        }
    }

    @Test func aPushIsFollowedThroughItsTriesWithoutItsToken() async throws {
        let clock = ManualClock()
        var stubs = TestDependencies()
        stubs.clock = clock.clock()
        stubs.limits = RateLimits([.adminLogin: Quota(count: 1000, per: .seconds(1))])
        stubs.push = StubPush(clock: stubs.clock)
        let history = stubs.push.history
        let body = #"{"aps":{"event":"start","input-push-channel":"c2VjcmV0","attributes":{"channelId":"c2VjcmV0"}}}"#
        history.attempted(try .sample(.failed(.server), .serviceUnavailable, status: 503))
        clock.advance(by: .seconds(2))
        history.attempted(try .sample(.accepted, .none, status: 200, number: 2, body: body))
        history.attempted(try .sample(.rejected(.evict), .unregistered, status: 410, device: DeviceID(high: 3, low: 4)))
        let id = try PushAttempt.sample(.accepted, .none, status: 200).requestID
        try await withServer(stubs) { server in
            let push = try await Self.get("/pushes/\(id)", from: server)
            let steps = push["timeline"]?.asElements ?? []
            #expect(steps.map { $0["event"]?.string } == ["sent", "answered", "sent", "answered"])
            #expect(steps.compactMap { $0["status"]?.int } == [503, 200] && steps.last?["try"]?.int == 2)
            #expect(push["outcome"]?.string == "accepted" && push["match"]?.string == "ipl-final")
            let text = String(decoding: push.bytes, as: UTF8.self)
            #expect(!text.contains("abab") && !text.contains("c2VjcmV0") && text.contains("input-push-channel"))
            #expect(
                push["token"]?.string
                    == Fingerprint(of: try #require(PushToken(bytes: Array(repeating: 0xab, count: 32))))?.text
            )
            #expect(try await server.internalClient.get(Self.api + "/pushes/none", server.token(.viewer)).status == 404)
            for (query, count) in [
                ("", 3), ("?outcome=rejected", 1), ("?reason=ServiceUnavailable", 1), ("?match=other", 0),
                ("?id=\(id)", 2),
                ("?device=00000000-0000-0003-0000-000000000004", 1), ("?class=start", 0),
                ("?environment=production", 3),
                ("?fingerprint=\(push["token"]?.string ?? "")", 3), ("?limit=2", 2),
            ] {
                let items = try await Self.get("/pushes" + query, from: server)["items"]?.asElements
                #expect(items?.count == count, "\(query)")
            }
            let first = try await Self.get("/pushes?limit=2", from: server)
            let next = try #require(first["nextBefore"]?.int)
            let rest = try await Self.get("/pushes?limit=2&before=\(next)", from: server)
            #expect(rest["items"]?.asElements?.count == 1 && rest["nextBefore"] == nil)
            let wrong = try await server.internalClient.get(Self.api + "/pushes?match=%20", server.token(.viewer))
            #expect(wrong.status == 400 || wrong.status == 422, "\(wrong.text)")
        }
    }

    @Test func deadLettersAreGroupedAndDiscardedByTheirAnswer() async throws {
        try await withServer { server in
            let history = server.stubs.push.history
            for low in UInt64(1)...3 {
                let device = DeviceID(high: 0, low: low)
                history.attempted(try .sample(.rejected(.evict), .unregistered, status: 410, device: device))
            }
            history.attempted(try .sample(.failed(.server), .serviceUnavailable, status: 503))
            history.attempted(try .sample(.failed(.server), .serviceUnavailable, status: 503, isFinal: true))
            let items = try await Self.get("/dead-letters", from: server)["items"]?.asElements ?? []
            #expect(items.map { $0["reason"]?.string } == ["ServiceUnavailable", "Unregistered"])
            #expect(items.map { $0["count"]?.int } == [1, 3] && items.last?["trap"]?.string == "MS020")
            #expect(items.last?["sample"]?["match"]?.string == "ipl-final" && items.last?["firstAt"] != nil)
            #expect(try await Self.post("/dead-letters/discard", to: server).status == 422, "an empty order")
            let order = #","apnsReason":"Unregistered""#
            let dry = try await Self.post("/dead-letters/discard?dryRun=true", order, to: server)
            #expect(dry.json["result"]?["wouldAffect"]?.int == 3)
            let other = try await Self.post("/dead-letters/discard", order + #","environment":"sandbox""#, to: server)
            #expect(other.json["result"]?["discarded"]?.int == 0)
            let done = try await Self.post("/dead-letters/discard", order + #","class":"update""#, to: server)
            #expect(done.json["result"]?["discarded"]?.int == 3)
            let left = try await Self.get("/dead-letters", from: server)["items"]?.asElements ?? []
            #expect(left.map { $0["reason"]?.string } == ["ServiceUnavailable"])
            let errors = try await Self.get("/apns", from: server)["items"]?.asElements?.first?["errors"]?.asElements
            #expect(errors?.map { $0["count"]?.int } == [2, 3], "the answers of APNs stay")
        }
    }

    @Test func aFloodOfOneAnswerLeavesTheExamplesOfOthers() throws {
        var samples = PushSamples()
        let now = Instant(milliseconds: 1)
        _ = samples.add(try .sample(.rejected(.dropRequest), .payloadTooLarge, status: 413), at: now)
        for low in 0..<UInt64(10 * ServerLimits.refusedPushesKept) {
            let device = DeviceID(high: 0, low: low)
            _ = samples.add(try .sample(.rejected(.evict), .unregistered, status: 410, device: device), at: now)
        }
        let records = samples.records { _ in true }
        #expect(records.count == ServerLimits.refusedPushesKept + 1)
        #expect(records.contains { $0.attempt.reason == .payloadTooLarge })
        #expect(
            records.first?.attempt.device.low == UInt64(10 * ServerLimits.refusedPushesKept - 1),
            "the newest first"
        )
        #expect(samples.deadLetters.map(\.group.givenUp.count).sorted() == [1, 10 * ServerLimits.refusedPushesKept])
    }
}
