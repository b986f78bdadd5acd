// The pages of sweeps, nodes, switches and settings: their contents, their acts, and hostile texts.

import MatchSamples
import ScoreTypes
import Testing

@testable import FollowService
@testable import Postgres
@testable import ScoreServer

@Suite struct ConsoleOperationsTests {
    private static let hostile = "<img src=x onerror=alert(1)>\"'`{{x}}&"

    private static func stubs() -> TestDependencies {
        var stubs = TestDependencies()
        let now = Instant(milliseconds: 1_800_000_000_000)
        let runs = [
            SweepRun(slot: hostile, at: now, caller: "timer:\(hostile)", summary: nil, error: hostile),
            SweepRun(
                slot: "b",
                at: now,
                caller: "timer:n1",
                summary: Array(#"{"scanned":7,"changed":7,"tookMs":12,"more":true}"#.utf8),
                error: nil
            ),
        ]
        stubs.sweeps.states = SweepKind.allCases.map { kind in
            SweepStatus(kind: kind, runs: runs, lastSuccess: now, holder: nil, interval: .seconds(60))
        }
        stubs.nodes.list = [
            Samples.node("one"), Samples.node("two", drain: DrainOrder(at: now, spread: .seconds(30))),
        ]
        stubs.facts = NodeFacts(
            id: NodeID(unchecked: "one"),
            settings: EffectiveSetting.all(environment: ["FEED_ID": hostile], file: ["FEED_KEY": "a-secret"])
        )
        return stubs
    }

    @Test func eachPageShowsItsFactsAndActs() async throws {
        try await withServer(Self.stubs()) { server in
            let viewer = try await server.token(.viewer)
            func page(_ path: String, _ texts: [String]) async throws {
                let page = try await server.internalClient.get(path, viewer)
                #expect(page.status == 200, "\(path): \(page.text)")
                for text in texts { #expect(page.text.contains(text), "\(path) lacks \(text)") }
                #expect(!page.text.contains("<img src=x") && !page.text.contains("a-secret"), "\(path)")
            }
            try await page(
                "/admin/sweeps",
                [
                    "failures in a row: 1", "7 changed", "12 ms", "data-act=\"/admin/api/v1/sweeps/retention/run\"",
                    "&lt;img src=x",
                ]
            )
            try await page(
                "/admin/nodes",
                [
                    "this node", "data-act=\"/admin/api/v1/nodes/one/drain\"",
                    "data-act=\"/admin/api/v1/nodes/two/undrain\"", "1,024",
                ]
            )
            try await page(
                "/admin/flags",
                [
                    "push-to-start", "data-method=\"PUT\"", "&quot;ttlSeconds&quot;:3600", "on",
                    "name=\"value\" min=\"0\"", "name=\"value\" maxlength=\"200\"",
                    "data-title=\"minimum-build: set\"",
                ]
            )
            try await page("/admin/configuration", ["FEED_ID", "&lt;img src=x", "environment", "set ("])
        }
    }

    @Test func theAuditLogSaysWhatWasADryRun() async throws {
        try await withServer(Self.stubs()) { server in
            let admin = try await server.token(.admin)
            let body = #"{"value":false,"reason":"an incident"}"#
            for query in ["?dryRun=true", ""] {
                let path = "/admin/api/v1/flags/streams" + query
                #expect(try await server.internalClient.send("PUT", path, admin, json: body).status == 200)
            }
            let page = try await server.internalClient.get("/admin/audit", admin).text
            #expect(page.ranges(of: "<span class=\"pill \">dry run</span>").count == 1, "\(page)")
            #expect(page.ranges(of: "<span class=\"pill good\">done</span>").count == 1)
        }
    }

    @Test func aChangedSwitchCanBeSetBack() async throws {
        try await withServer(Self.stubs()) { server in
            let admin = try await server.token(.admin)
            let body = #"{"value":false,"reason":"\u003cimg src=x\u003e","ttlSeconds":3600}"#
            let done = try await server.internalClient.send("PUT", "/admin/api/v1/flags/streams", admin, json: body)
            #expect(done.status == 200, "\(done.text)")
            let page = try await server.internalClient.get("/admin/flags", admin)
            #expect(page.text.contains("Set back") && page.text.contains("token:admin"))
            #expect(page.text.contains("changed: 1") && !page.text.contains("<img src=x"))
        }
    }
}
