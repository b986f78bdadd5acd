// The lists of teams and tournaments over the wire.

import MatchEngine
import MatchSamples
import ScoreTypes
import Synchronization
import Testing

@testable import ScoreServer

@Suite struct DirectoryTests {
    private static func info(_ first: TeamInfo, _ second: TeamInfo, _ competition: String?) -> MatchInfo {
        MatchInfo(format: .odi, competition: competition, season: "2026/27", teams: [first, second])
    }

    private static let australia = TeamInfo(id: "73114", name: "Australia", color: "#ffcd00")

    @Test func teamsAreThoseOfTheMatchesWithTheShownAbbreviation() async throws {
        let ashes = Self.info(Self.australia, TeamInfo(id: "9", name: "England"), "Ashes")
        let unknown = Self.info(Self.australia, TeamInfo(id: "", name: ""), nil)
        try await withServer { server in
            server.publish(try Samples.view(7))
            server.publish(try Samples.view(7, match: MatchID(unchecked: "ashes"), info: ashes))
            server.publish(try Samples.view(7, match: MatchID(unchecked: "final"), info: unknown))
            let teams = try await server.publicClient.get("/v1/teams")
            #expect(teams.status == 200)
            #expect(teams["Cache-Control"] == "public, max-age=3600, stale-while-revalidate=86400")
            #expect(teams.json["items"]?.list.map { $0["id"]?.string } == ["73114", "9", "csk", "mi"])
            let first = try #require(teams.json["items"]?.list.first)
            #expect(first["abbr"]?.string == "AUS" && first["color"]?.string == "#ffcd00")
            #expect(first["name"]?.string == "Australia" && teams.json["nextCursor"] == nil)
            let tag = ["If-None-Match": try #require(teams["ETag"])]
            #expect(try await server.publicClient.get("/v1/teams", tag).status == 304)
            let one = try await server.publicClient.get("/v1/teams/73114")
            #expect(one.json == first)
            let none = try await server.publicClient.get("/v1/teams/none")
            #expect(none.status == 404 && none["Cache-Control"] == "no-store")
            let tournaments = try await server.publicClient.get("/v1/tournaments")
            #expect(tournaments.json["items"]?.list.map { $0["name"]?.string } == ["Ashes", "IPL"])
            #expect(tournaments.json["items"]?.list.first?["seasons"]?.list == [.text("2026/27")])
            #expect(tournaments.json["items"]?.list.first?["formats"]?.list == [.text("odi")])
        }
    }

    @Test func pagesCoverEveryTeamOnce() async throws {
        try await withServer { server in
            for number in 0..<5 {
                let info = Self.info(
                    TeamInfo(id: "A \(number)/ü", name: "A \(number)"),
                    TeamInfo(id: "B,\(number)", name: "B \(number)"),
                    "Cup \(number)"
                )
                server.publish(try Samples.view(7, match: MatchID(unchecked: "m\(number)"), info: info))
            }
            var (ids, cursor, pages) = ([String](), "", 0)
            repeat {
                let page = try await server.publicClient.get("/v1/teams?limit=3\(cursor)")
                #expect(page.status == 200)
                ids += page.json["items"]?.list.compactMap { $0["id"]?.string } ?? []
                cursor = page.json["nextCursor"]?.string.map { "&cursor=\($0)" } ?? ""
                pages += 1
            } while !cursor.isEmpty && pages < 10
            #expect(ids.count == 10 && Set(ids).count == 10 && pages == 4)
            let encoded = try await server.publicClient.get("/v1/teams/A%203%2F%C3%BC")
            #expect(encoded.status == 200 && encoded.json["name"]?.string == "A 3")
            for wrong in ["limit=0", "limit=101", "cursor=%21"] {
                let answer = try await server.publicClient.get("/v1/teams?\(wrong)")
                #expect(answer.status == 400 && answer.problem == "invalid-request", "\(wrong)")
            }
        }
    }

    @Test func aNewTeamAppearsWithinAMinute() async throws {
        let time = Mutex(Duration.zero)
        var stubs = TestDependencies()
        stubs.clock = ServiceClock(monotonic: { time.withLock { $0 } }) { Instant(milliseconds: 1_772_370_000_000) }
        try await withServer(stubs) { server in
            func count() async throws -> Int? {
                try await server.publicClient.get("/v1/teams").json["items"]?.list.count
            }
            #expect(try await count() == 0)
            server.publish(try Samples.view(7))
            #expect(try await count() == 0)
            time.withLock { $0 += .seconds(60) }
            #expect(try await count() == 2)
        }
    }
}
