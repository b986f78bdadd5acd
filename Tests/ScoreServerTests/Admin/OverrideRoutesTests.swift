// Overrides are validated, audited, and refused without the role.

import MatchEngine
import MatchJournal
import Providers
import ScoreIngest
import ScoreTypes
import Synchronization
import Testing

@testable import ScoreServer

@Suite struct OverrideRoutesTests {
    private static let path = "/admin/api/v1/matches/ipl-final/overrides"

    private static func stubs(
        _ taken: @escaping @Sendable (MatchOverride) -> Void = { _ in }
    ) -> TestDependencies {
        var stubs = TestDependencies()
        stubs.limits = RateLimits([.adminLogin: Quota(count: 1000, per: .seconds(1))])
        stubs.control.onOverride = { _, override in
            taken(override)
            return true
        }
        stubs.control.onLift = { _, field in field == "status" }
        return stubs
    }

    @Test func everyFieldCanBeOverridden() async throws {
        let taken = Mutex<[MatchOverride]>([])
        let bodies = [
            #"{"reason":"covers on","ttlSeconds":600,"field":"status","status":"rain","note":"Rain"}"#,
            #"{"reason":"umpires","ttlSeconds":600,"field":"target","innings":2,"runs":99,"balls":60,"method":"DLS"}"#,
            #"{"reason":"umpires","ttlSeconds":600,"field":"result","result":"runs","margin":7,"winner":"second"}"#,
            #"{"reason":"umpires","ttlSeconds":600,"field":"result","result":"open"}"#,
            #"{"reason":"floodlights","ttlSeconds":600,"field":"startsAt","startsAt":1800000000}"#,
        ]
        try await withServer(Self.stubs { override in taken.withLock { $0.append(override) } }) { server in
            let headers = try await server.token(.admin)
            for body in bodies {
                let answer = try await server.internalClient.send("POST", Self.path, headers, json: body)
                #expect(answer.status == 200, "\(body): \(answer.text)")
            }
            #expect(
                taken.withLock { $0.map(\.value) } == [
                    .status(.rain, note: "Rain"), .target(innings: 2, Target(runs: 99, balls: 60, method: "DLS")),
                    .result(ProviderResult(kind: .runs(7), winner: .second)), .result(nil), .startsAt(1_800_000_000),
                ]
            )
            #expect(taken.withLock { $0.allSatisfy { $0.actor == "token:admin" } })
            let line = try #require(server.stubs.store.lines.first)
            #expect(line.action == "match.override" && line.outcome == .intended && line.target == "ipl-final")
            #expect(String(decoding: line.detail.bytes, as: UTF8.self).contains("\"status\":\"rain\""))
            let lift = #"{"reason":"sun is out","field":"status"}"#
            let lifted = try await server.internalClient.send("POST", Self.path + "/lift", headers, json: lift)
            #expect(lifted.status == 200)
        }
    }

    @Test(arguments: [
        #"{"reason":"x y z","ttlSeconds":600,"field":"status"}"#,
        #"{"reason":"x y z","ttlSeconds":5,"field":"status","status":"rain"}"#,
        #"{"reason":"x y z","ttlSeconds":90000,"field":"status","status":"rain"}"#,
        #"{"reason":"x y z","ttlSeconds":600,"field":"status","status":"sunny"}"#,
        #"{"reason":"x y z","ttlSeconds":600,"field":"result","result":"runs","margin":7}"#,
        #"{"reason":"x y z","ttlSeconds":600,"field":"result","result":"wickets","margin":11,"winner":"first"}"#,
        #"{"reason":"x y z","ttlSeconds":600,"field":"result","result":"tie","margin":3}"#,
        #"{"reason":"x y z","ttlSeconds":600,"field":"target","innings":0,"runs":99}"#,
        #"{"reason":"x y z","ttlSeconds":600,"field":"weather"}"#,
        #"{"reason":"x y z","ttlSeconds":600,"field":"startsAt","startsAt":1800000000,"more":1}"#,
        #"{"ttlSeconds":600,"field":"startsAt","startsAt":1800000000}"#,
    ]) func anInvalidOverrideIsRefused(body: String) async throws {
        try await withServer(Self.stubs()) { server in
            let headers = try await server.token(.admin)
            let answer = try await server.internalClient.send("POST", Self.path, headers, json: body)
            #expect(answer.status == 422, "\(answer.text)")
        }
    }

    @Test(arguments: ["runs", "wickets", "innings"]) func aWinRequiresItsMargin(word: String) async throws {
        let body = #"{"reason":"x y z","ttlSeconds":600,"field":"result","result":"\#(word)","winner":"first"}"#
        try await withServer(Self.stubs()) { server in
            let headers = try await server.token(.admin)
            let answer = try await server.internalClient.send("POST", Self.path, headers, json: body)
            #expect(answer.status == 422 && answer.text.contains("/margin"), "\(answer.text)")
        }
    }

    @Test func anUnknownMatchIsNotFound() async throws {
        var stubs = Self.stubs()
        stubs.control.known = { $0.text != "nobody" }
        stubs.control.onOverride = { match, _ in match.text != "nobody" }
        let body = #"{"reason":"covers on","ttlSeconds":600,"field":"status","status":"rain"}"#
        try await withServer(stubs) { server in
            let headers = try await server.token(.admin)
            let match = "/admin/api/v1/matches/nobody"
            for path in [match + "/overrides", match + "/log"] {
                #expect(try await server.internalClient.get(path, headers).status == 404, "\(path)")
            }
            for path in [match + "/overrides", match + "/overrides?dryRun=true"] {
                let answer = try await server.internalClient.send("POST", path, headers, json: body)
                #expect(answer.status == 404, "\(answer.text)")
            }
        }
    }

    @Test func overridesRequireTheAdminRole() async throws {
        let body = #"{"reason":"covers on","ttlSeconds":600,"field":"status","status":"rain"}"#
        let alias = #"{"reason":"new season","aliases":[]}"#
        try await withServer(Self.stubs()) { server in
            for role in AdminRole.allCases where role != .admin {
                let headers = try await server.token(role)
                for (path, json) in [(Self.path, body), (Self.path + "/lift", body), ("/admin/api/v1/aliases", alias)] {
                    #expect(try await server.internalClient.send("POST", path, headers, json: json).status == 403)
                }
            }
        }
    }

    @Test func aliasesAreValidatedAndStored() async throws {
        let put = Mutex<[Alias]>([])
        var stubs = Self.stubs()
        stubs.aliases.onPut = { aliases in put.withLock { $0 += aliases } }
        stubs.aliases.onRemove = { kind, provider, id in kind == .team && provider == .roanuz && id == "mi" }
        stubs.aliases.list = [Alias(.team, .roanuz, "mi", means: "MI")]
        try await withServer(stubs) { server in
            let headers = try await server.token(.admin)
            let path = "/admin/api/v1/aliases"
            let season = { (alias: String) in #"{"reason":"new season","aliases":[\#(alias)]}"# }
            let good = season(#"{"kind":"match","provider":"roanuz","providerId":"a_1","ourId":"m1"}"#)
            #expect(try await server.internalClient.send("POST", path, headers, json: good).status == 200)
            #expect(put.withLock { $0 } == [Alias(.match, .roanuz, "a_1", means: "m1")])
            for bad in [
                season(#"{"kind":"match","provider":"roanuz","providerId":"a","ourId":"m 1"}"#),
                season(#"{"kind":"umpire","provider":"roanuz","providerId":"a","ourId":"m"}"#),
                season(#"{"kind":"team","provider":"espn","providerId":"a","ourId":"m"}"#),
                #"{"reason":"new season"}"#,
            ] {
                #expect(try await server.internalClient.send("POST", path, headers, json: bad).status == 422, "\(bad)")
            }
            let gone = #"{"reason":"old season","kind":"team","provider":"roanuz","providerId":"mi"}"#
            #expect(try await server.internalClient.send("POST", path + "/remove", headers, json: gone).status == 200)
            let other = #"{"reason":"old season","kind":"team","provider":"roanuz","providerId":"csk"}"#
            #expect(try await server.internalClient.send("POST", path + "/remove", headers, json: other).status == 404)
            let list = try await server.internalClient.send("GET", path, headers)
            #expect(list.text.contains("\"providerId\":\"mi\"") && list.text.contains("\"total\":1"))
        }
    }
}
