// The forms of the newest state: compact, full, and the scorecard.

import MatchEngine
import MatchSamples
import ScoreTypes
import Testing

@testable import ScoreServer

@Suite struct ScorecardTests {
    @Test func theScorecardHasTheTablesOfEachInnings() async throws {
        try await withServer { server in
            server.publish(try Samples.view(7))
            let answer = try await server.publicClient.get("/v1/matches/ipl-final/scorecard")
            #expect(answer.status == 200 && answer["ETag"] == "\"Abcd1234.7.scorecard\"")
            #expect(answer["Cache-Control"]?.contains("s-maxage=1") == true)
            #expect(answer["Surrogate-Key"] == "match/ipl-final")
            #expect(answer.json["rev"]?.int == 7 && answer.json["display"] == nil)
            let innings = try #require(answer.json["innings"]?.list.first)
            #expect(innings["batters"]?.list.first?["name"]?.string == "Rohit Sharma")
            #expect(innings["bowlers"]?.list.first?["overs"]?.string == "1.1")
            let stand = try #require(innings["partnerships"]?.list.first)
            #expect(stand["runs"]?.int == 7 && stand["balls"]?.int == 7 && stand["unbroken"] == .bool(true))
            #expect(stand["batters"]?.list.map { $0["name"]?.string } == ["Rohit Sharma", "Ishan Kishan"])
            let known = ["If-None-Match": try #require(answer["ETag"])]
            #expect(try await server.publicClient.get("/v1/matches/ipl-final/scorecard", known).status == 304)
            server.publish(try Samples.view(8, balls: 8))
            #expect(try await server.publicClient.get("/v1/matches/ipl-final/scorecard", known).status == 200)
            #expect(try await server.publicClient.get("/v1/matches/none/scorecard").status == 404)
        }
    }

    @Test func theCompactViewLeavesOutTheRows() async throws {
        try await withServer { server in
            server.publish(try Samples.view(7))
            let path = "/v1/matches/ipl-final"
            let full = try await server.publicClient.get("\(path)?view=full")
            #expect(full.body == (try await server.publicClient.get(path)).body)
            let compact = try await server.publicClient.get("\(path)?view=compact")
            #expect(compact.status == 200 && compact["ETag"] == "\"Abcd1234.7.compact\"")
            let innings = try #require(compact.json["innings"]?.list.first)
            #expect(innings["runs"]?.int == 7 && innings["batters"] == nil && innings["fallOfWickets"] == nil)
            #expect(compact.json["display"]?.bytes == full.json["display"]?.bytes)
            #expect(compact.json["batters"]?.list.count == 2, "those at the crease stay")
            let known = try await server.publicClient.get("\(path)?view=compact", ["If-None-Match": "\"Abcd1234.7\""])
            #expect(known.status == 200, "another form has another tag")
            let wrong = try await server.publicClient.get("\(path)?view=wide")
            #expect(wrong.status == 400 && wrong.json["errors"]?.list.first?["pointer"]?.string == "view")
            #expect(try await server.publicClient.get("\(path)?lang=hi&utm=x").body == full.body)
        }
    }

    @Test func aRemovedAndAnUnknownMatchAreAnsweredWithTheirTimes() async throws {
        try await withServer { server in
            server.publish(try Samples.view(7))
            server.stubs.matches.mark(Samples.match, removedAt: Instant(milliseconds: 1_772_380_000_000))
            for path in ["", "/scorecard", "/changes", "/revisions/7", "/innings/1/overs/0", "/surfaces/widget"] {
                let answer = try await server.publicClient.get("/v1/matches/ipl-final\(path)")
                #expect(answer.status == 410 && answer.problem == "match-removed", "\(path)")
                #expect(answer.json["removedAt"]?.string == "2026-03-01T15:46:40Z", "\(path)")
                #expect(answer["Cache-Control"] == "no-store")
            }
            let unknown = try await server.publicClient.get("/v1/matches/none")
            #expect(unknown.status == 404 && unknown["Cache-Control"] == "public, max-age=5")
            #expect(try await server.publicClient.get("/nothing")["Cache-Control"] == "no-store")
        }
    }
}
