// Roles of the admin API, and the audit entries of its writes.

import LiveActivities
import MatchJournal
import MatchSamples
import Providers
import ScoreTypes
import Synchronization
import Testing

@testable import ScoreServer

@Suite struct AdminTests {
    private static func stubs() throws -> TestDependencies {
        var stubs = TestDependencies()
        stubs.limits = RateLimits([.adminLogin: Quota(count: 1000, per: .seconds(1))])
        stubs.matches.put(try Samples.view(7, first: "<img src=x onerror=alert(1)>"))
        stubs.feeds.list = [StubFeeds.main()]
        stubs.feeds.onPause = { _, _ in true }
        stubs.feeds.onResume = { _ in true }
        stubs.feeds.onPoll = { _ in true }
        stubs.feeds.onReset = { _ in true }
        stubs.control.onHold = { _, _ in true }
        stubs.control.onRelease = { _ in true }
        stubs.control.onEnd = { _, _ in true }
        stubs.sweeps.onSweep = { SweepSummary(kind: $0.kind, slot: $0.slot) }
        return stubs
    }

    @Test("S24: every write and every refusal records audit entries")
    func everyWriteRecordsAuditEntries() async throws {
        let reasons = Mutex<[String]>([])
        var stubs = try Self.stubs()
        stubs.control.onHold = { _, reason in
            reasons.withLock { $0.append(reason) }
            return true
        }
        stubs.control.onRelease = { _ in throw ServiceProblem.unavailable("db") }
        try await withServer(stubs) { server in
            let store = server.stubs.store
            let path = "/admin/api/v1/matches/ipl-final"
            let headers = try await server.token(.operator)
            let held = try await server.internalClient.send(
                "POST",
                path + "/hold",
                headers,
                json: #"{"reason":"wrong batter"}"#
            )
            #expect(held.status == 200 && held.json["auditId"]?.int == 2)
            #expect(store.lines.map(\.outcome) == [.intended, .done])
            #expect(store.lines.last?.reason == "wrong batter" && store.lines.last?.target == "ipl-final")
            #expect(reasons.withLock { $0 } == ["wrong batter"])

            let failed = try await server.internalClient.send(
                "POST",
                path + "/release",
                headers,
                json: #"{"reason":"fine now"}"#
            )
            #expect(failed.status == 503)
            #expect(store.lines.last?.outcome == .failed)

            let viewer = try await server.token(.viewer)
            let denied = try await server.internalClient.send(
                "POST",
                path + "/hold",
                viewer,
                json: #"{"reason":"let me"}"#
            )
            #expect(denied.status == 403 && denied.json["requiredRole"]?.string == "operator")
            #expect(store.lines.last?.outcome == .denied && store.lines.last?.actor == "token:viewer")

            let nobody = try await server.internalClient.send("POST", path + "/hold", json: #"{"reason":"let me"}"#)
            #expect(nobody.status == 401)
            #expect(store.lines.last?.outcome == .denied && store.lines.last?.actor == "anonymous")

            let count = store.lines.count
            let silent = try await server.internalClient.send("POST", path + "/hold", headers, json: "{}")
            #expect(silent.status == 422 && store.lines.count == count)
            #expect(reasons.withLock { $0.count } == 1)
            let record = try await server.internalClient.get("/admin/api/v1/audit?limit=2", viewer)
            #expect(record.json["items"]?.list.map { $0["outcome"]?.string } == ["denied", "denied"])
        }
    }

    /// A paused feed is not polled, so the command is refused.
    @Test(arguments: ["", "?dryRun=true"]) func aPausedFeedIsNotPolledNow(query: String) async throws {
        var stubs = try Self.stubs()
        stubs.feeds.list = [StubFeeds.main(pausedReason: "rain of errors")]
        stubs.feeds.onPoll = { _ in throw ServiceProblem.unavailable("it was polled") }
        try await withServer(stubs) { server in
            let headers = try await server.token(.operator)
            let body = #"{"reason":"look again"}"#
            let path = "/admin/api/v1/feeds/main/"
            let polled = try await server.internalClient.send("POST", path + "poll-now" + query, headers, json: body)
            #expect(polled.status == 409 && polled.problem == "feed-paused", "\(polled.text)")
            #expect(polled.json["pausedReason"]?.string == "rain of errors")
            let reset = try await server.internalClient.send("POST", path + "reset-breaker", headers, json: body)
            #expect(reset.status == 200, "an open breaker closes too")
        }
    }

    @Test("O2, S23: the end of all activities needs the id of the match twice")
    func endingActivitiesRequiresTheMatchIdTwice() async throws {
        try await withServer(try Self.stubs()) { server in
            let headers = try await server.token(.admin)
            let path = "/admin/api/v1/matches/ipl-final/end-activities"
            for json in [#"{"reason":"test over"}"#, #"{"reason":"test over","confirm":"other"}"#] {
                #expect(try await server.internalClient.send("POST", path, headers, json: json).status == 422)
            }
            let json = #"{"reason":"test over","confirm":"ipl-final"}"#
            #expect(try await server.internalClient.send("POST", path, headers, json: json).status == 200)
        }
    }

    @Test("S17: only wrong tokens are rate limited") func onlyWrongTokensAreRateLimited() async throws {
        var stubs = try Self.stubs()
        stubs.limits = RateLimits([.adminLogin: Quota(count: 2, per: .seconds(3600))])
        try await withServer(stubs) { server in
            let headers = try await server.token(.viewer)
            let wrong = ["Authorization": "Bearer \(BearerCredential(new: .admin, id: "x").text)"]
            var codes: [Int] = []
            for _ in 0..<4 { codes.append(try await server.internalClient.get("/admin/api/v1/feeds", wrong).status) }
            #expect(codes == [401, 401, 429, 429])
            #expect(try await server.internalClient.get("/admin/api/v1/feeds", headers).status == 200)
        }
    }
}
