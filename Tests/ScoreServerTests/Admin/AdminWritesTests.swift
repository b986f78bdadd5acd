// Malformed admin writes are refused, and dry runs change nothing.

import MatchJournal
import MatchSamples
import Providers
import ScoreTypes
import Synchronization
import Testing

@testable import ScoreServer

@Suite struct AdminWritesTests {
    private static let match = "/admin/api/v1/matches/ipl-final"
    private static let writes = [
        "/admin/api/v1/feeds/main/pause", "/admin/api/v1/feeds/main/resume", "/admin/api/v1/feeds/main/poll-now",
        "/admin/api/v1/feeds/main/reset-breaker", match + "/hold", match + "/release", match + "/end-activities",
    ]

    /// Stubs that count every write.
    private static func stubs(_ done: Counted) throws -> TestDependencies {
        var stubs = TestDependencies()
        stubs.matches.put(try Samples.view(7))
        stubs.feeds.list = [StubFeeds.main()]
        stubs.feeds.onPause = { _, _ in done.note() }
        stubs.feeds.onResume = { _ in done.note() }
        stubs.feeds.onPoll = { _ in done.note() }
        stubs.feeds.onReset = { _ in done.note() }
        stubs.control.onHold = { _, _ in done.note() }
        stubs.control.onRelease = { _ in done.note() }
        stubs.control.onEnd = { _, _ in done.note() }
        return stubs
    }

    /// PostgreSQL refuses the character, also inside the members that nothing reads.
    @Test func theCharacterZeroIsRefused() async throws {
        let done = Counted()
        try await withServer(try Self.stubs(done)) { server in
            let (client, headers) = (server.internalClient, try await server.token(.admin))
            let bodies = [
                #"{"reason":"because\u0000it must"}"#, #"{"reason":"because it must","confirm":"\u0000"}"#,
                #"{"reason":"because it must","field":"status","confirm":[{"\u0000":1}]}"#,
            ]
            for body in bodies {
                let answer = try await client.send("POST", Self.match + "/overrides", headers, json: body)
                #expect(answer.status == 422)
            }
            #expect(try await client.get(Self.match + "/log?item=%00", headers).status == 400)
            let order = #"{"reason":"because it must"}"#
            let path = "/admin/api/v1/matches/a%00b/hold"
            #expect(try await client.send("POST", path, headers, json: order).status == 400)
        }
        #expect(done.count == 0)
    }

    @Test("O2: a dry run returns the count without a change") func aDryRunReturnsTheCountWithoutAChange() async throws {
        let done = Counted()
        let body = #"{"reason":"because it must","confirm":"ipl-final"}"#
        try await withServer(try Self.stubs(done)) { server in
            let headers = try await server.token(.admin)
            for path in Self.writes {
                let answer = try await server.internalClient.send("POST", path + "?dryRun=true", headers, json: body)
                #expect(answer.status == 200, "\(path): \(answer.text)")
                let wanted: Int64 = path.contains("end-activities") ? 3 : 1
                #expect(answer.json["result"]?["wouldAffect"]?.int == wanted, "\(path): \(answer.text)")
                #expect(answer.json["auditId"]?.int != nil, "it is recorded")
            }
            #expect(done.count == 0)
            #expect(server.stubs.store.lines.allSatisfy { $0.detail["dryRun"] == .bool(true) })
            let unknown = ["/admin/api/v1/feeds/other/pause", "/admin/api/v1/matches/other/hold"]
            for path in unknown {
                let answer = try await server.internalClient.send("POST", path + "?dryRun=true", headers, json: body)
                #expect(answer.status == 404, "\(path): \(answer.text)")
            }
            for path in Self.writes {
                let answer = try await server.internalClient.send("POST", path + "?dryRun=false", headers, json: body)
                #expect(answer.status == 200, "\(path): \(answer.text)")
            }
            #expect(done.count == Self.writes.count)
        }
    }

    @Test func unknownParametersAreRefusedByName() async throws {
        let done = Counted()
        let body = #"{"reason":"because it must","confirm":"ipl-final"}"#
        let wrong = #"{"reason":"because it must","confirm":"ipl-final","dryrun":true}"#
        try await withServer(try Self.stubs(done)) { server in
            let headers = try await server.token(.admin)
            for path in Self.writes {
                let query = try await server.internalClient.send("POST", path + "?dryrun=true", headers, json: body)
                #expect(query.status == 400 && query.json["parameter"]?.string == "dryrun", "\(path): \(query.text)")
                let value = try await server.internalClient.send("POST", path + "?dryRun=yes", headers, json: body)
                #expect(value.status == 400 && value.text.contains("dryRun"), "\(path): \(value.text)")
                let member = try await server.internalClient.send("POST", path, headers, json: wrong)
                #expect(member.status == 422 && member.text.contains("/dryrun"), "\(path): \(member.text)")
            }
            for path in ["overview", "feeds", "matches", "matches/ipl-final", "pipeline", "audit"] {
                let answer = try await server.internalClient.get("/admin/api/v1/\(path)?before_=1", headers)
                #expect(answer.status == 400 && answer.json["parameter"]?.string == "before_", "\(path)")
            }
            #expect(done.count == 0 && server.stubs.store.lines.isEmpty)
        }
    }
}

/// Counts calls.
private final class Counted: Sendable {
    private let number = Mutex(0)

    var count: Int { number.withLock { $0 } }
    func note() -> Bool {
        number.withLock { $0 += 1 }
        return true
    }
}
