// The parameters of the list of matches: an unreadable one is refused by name, and a shown abbreviation selects a team.

import MatchEngine
import MatchSamples
import ScoreTypes
import Testing

@testable import MatchJournal
@testable import ScoreServer

@Suite struct MatchListTests {
    @Test(arguments: ["hello", "2026-13-45", "2026-02-30", "2026-2-3", "20260203", "2026-03-01T00:00Z", "+026-03-01"])
    func aTextThatIsNoDayIsRefusedByName(day: String) async throws {
        try await withServer { server in
            server.publish(try Samples.view(7))
            let answer = try await server.publicClient.get("/v1/matches?date=\(day)")
            #expect(answer.status == 400 && answer.problem == "invalid-request")
            #expect(answer.json["errors"]?.list.first?["pointer"]?.string == "date")
        }
    }

    @Test func aDayListsTheMatchesThatStartOnIt() async throws {
        try await withServer { server in
            server.publish(try Samples.view(7))
            func ids(_ query: String) async throws -> [String?] {
                let answer = try await server.publicClient.get("/v1/matches?\(query)")
                #expect(answer.status == 200)
                return answer.json["items"]?.list.map { $0["id"]?.string } ?? []
            }
            #expect(try await ids("date=2026-03-01") == ["ipl-final"])
            #expect(try await ids("date=2026-03-02") == [])
            #expect(try await ids("date=2028-02-29") == [], "a leap day is a day")
            #expect(try await ids("tournament=IPL") == ["ipl-final"])
            #expect(try await ids("tournament=Ashes") == [])
        }
    }

    @Test func aPlusInAQueryIsASpace() {
        let query = QueryFields("tournament=Indian+Premier%20League&team=a%2Bb")
        #expect(query["tournament"] == "Indian Premier League" && query["team"] == "a+b")
    }

    @Test func theShownAbbreviationSelectsATeam() async throws {
        // The feed gives no abbreviation: the list shows the one that is derived from the name.
        let info = MatchInfo(
            format: .odi,
            teams: [TeamInfo(id: "73114", name: "Australia"), TeamInfo(id: "73115", name: "England")],
            startsAt: 1_772_366_400
        )
        let view = try Samples.view(7, info: info)
        try await withServer { server in
            server.publish(view)
            for team in ["AUS", "73114", "ENG"] {
                let list = try await server.publicClient.get("/v1/matches?team=\(team)")
                #expect(list.json["items"]?.list.count == 1, "\(team)")
            }
            #expect(try await server.publicClient.get("/v1/matches?team=IND").json["items"]?.list.isEmpty == true)
        }
    }
}
