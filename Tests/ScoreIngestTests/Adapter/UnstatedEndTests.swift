// A match that ends without a stated result waits for it: an announced result cannot be withdrawn.

import MatchEngine
import MatchSamples
import ScoreTypes
import TestSupport
import Testing

@testable import CurlTransfer
@testable import MatchJournal
@testable import Providers
@testable import ScoreIngest
@testable import ScoreLab

@Suite struct UnstatedEndTests {
    /// A T20 with one ball of Reds and two of Blues, far from any end; `fields` begin with no comma.
    private static func sportmonks(_ fields: String, type: String = "T20") throws -> MatchSnapshot {
        let balls = [
            SportmonksSample.ball(1), SportmonksSample.ball(2, scoreboard: "S2"),
            SportmonksSample.ball(3, label: 0.2, scoreboard: "S2"),
        ]
        let body = SportmonksSample.fixture(type: type, status: "Finished", balls: balls, more: "," + fields)
        return try SportmonksSample.snapshot(body)
    }

    private static let open = #""winner_team_id":null,"draw_noresult":null"#

    @Test(
        "Sportmonks reports the end before it states the winner",
        arguments: [
            (#","note":"""#, MatchStatus.resultPending, ProviderResult?.none),
            (#","note":null"#, .resultPending, nil),
            (#","note":"No result""#, .noResult, ProviderResult(kind: .noResult)),
            (#","note":"Match abandoned due to rain""#, .noResult, ProviderResult(kind: .noResult)),
            (#","note":"Match drawn""#, .drawn, ProviderResult(kind: .draw)),
            (#","note":"Blues won by 6 wickets""#, .result, ProviderResult(kind: .wickets(6), winner: .second)),
        ]
    )
    func sportmonks(note: String, status: MatchStatus, result: ProviderResult?) throws {
        for type in ["T20", "Test/5day"] {
            let snapshot = try Self.sportmonks(Self.open + note, type: type)
            #expect(snapshot.status.status == status)
            #expect(snapshot.result == result)
        }
    }

    @Test("an end without a stated result is not announced, and its result is announced once")
    func noResultIsInvented() throws {
        let clock = ManualClock()
        var rehearsal = MatchRehearsal(match: Scorebook.match, provider: .sportmonks, clock: clock.clock())
        let body = SportmonksSample.fixture(balls: [SportmonksSample.ball(1)])
        _ = rehearsal.accept(try SportmonksSample.snapshot(body))
        let untold = try Self.sportmonks(Self.open)
        for _ in 0..<20 {
            _ = rehearsal.accept(untold)
            clock.advance(by: .seconds(5))
            rehearsal.tick()
        }
        #expect(!rehearsal.alerts.contains { $0.kind == .result || $0.innings == 2 })
        #expect(rehearsal.match.result == nil && rehearsal.match.phase != .over)
        _ = rehearsal.accept(try Self.sportmonks(#""winner_team_id":2,"note":"Blues won by 6 wickets (DLS method)""#))
        #expect(rehearsal.alerts.count { $0.kind == .result } == 1)
        #expect(rehearsal.match.phase == .over)
    }

    @Test(
        "EntitySport's sentence of rain is no win",
        arguments: [
            (#","status_note":"Abandoned due to rain""#, MatchStatus.noResult),
            (#","status_note":"","result":"Match called off""#, .noResult), (#","status_note":"""#, .resultPending),
            (#","status_note":"Hosts won by 3 runs""#, .resultPending),
            (#","status_note":"Blues won by 3 runs""#, .result), (#","status_note":"","winning_team_id":2"#, .result),
        ]
    )
    func entitySport(more: String, status: MatchStatus) throws {
        let snapshot = try EntitySportSample.snapshot(status: 2, state: 0, more: more)
        #expect(snapshot.status.status == status)
        #expect((snapshot.result == nil) == (status == .resultPending))
    }

    @Test("Roanuz reports the end before it has a result")
    func roanuz() throws {
        let ball = RoanuzSample.plain(0, 1)
        #expect(try RoanuzSample.snapshot([ball], status: "result").status.status == .resultPending)
        let play = #","result":{"winner":"a","result_type":"win","msg":"Reds won by 3 runs","pom":[]}"#
        #expect(try RoanuzSample.snapshot([ball], status: "result", play: play).status.status == .result)
    }

    @Test("an outcome of an unknown kind")
    func cricsheet() throws {
        let innings = [
            CricsheetSample.innings(overs: [[CricsheetSample.ball(4)]]),
            CricsheetSample.innings("Blues", overs: [[CricsheetSample.ball(1)]]),
        ]
        func status(_ outcome: String) throws -> MatchStatus {
            let body = CricsheetSample.document(info: #","outcome":{"result":"\#(outcome)"}"#, innings: innings)
            return try CricsheetAdapter().snapshot(body).status.status
        }
        #expect(try status("bowled over") == .resultPending)
        #expect(try status("no result") == .noResult)
    }
}
