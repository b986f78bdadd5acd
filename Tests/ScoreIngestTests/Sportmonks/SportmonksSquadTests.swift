// The squads of the season name the players days before the line-up; nothing else waits for them.

import MatchEngine
import ScoreTypes
import Synchronization
import TestSupport
import Testing

@testable import CurlTransfer
@testable import MatchJournal
@testable import Providers
@testable import ScoreIngest

private typealias Sample = SportmonksSample

@Suite struct SportmonksSquadTests {
    private static let season = #","season_id":1715"#
    private static let reds = Sample.squad(1, [(11, "Ann One"), (13, "Cat Three")])
    private static let blues = Sample.squad(2, [(21, "Xan Ex"), (22, "Zoe Wy")])
    private let adapter = SportmonksAdapter()

    private static func fixture(
        _ lineup: [String] = [],
        status: String = "NS",
        more: String = season
    ) -> [UInt8] {
        Sample.fixture(status: status, runs: "", lineup: lineup, more: more)
    }

    private func parts(_ replies: [ReplyPart: [UInt8]]) -> [String] {
        let session = ProviderSession(token: Secret("t"))
        let requests = adapter.matchRequests(
            ProviderMatchID(unchecked: "7"),
            session,
            replies: ProviderReplies(replies)
        )
        #expect(requests.map(\.isOptional) == requests.map { $0.part != .match })
        #expect(requests.allSatisfy { $0.target.contains("api_token=t") })
        return requests.map { $0.part == .match ? "match" : $0.path }
    }

    @Test func squadsAreRequestedOnceUntilTheLineUpIsKnown() {
        #expect(parts([:]) == ["match"])
        let ahead = Self.fixture()
        #expect(parts([.match: ahead]) == ["match", "/teams/1/squad/1715", "/teams/2/squad/1715"])
        #expect(parts([.match: ahead, "squad.1.1715": Self.reds]) == ["match", "/teams/2/squad/1715"])
        #expect(parts([.match: ahead, "squad.1.1715": Self.reds, "squad.2.1715": Self.blues]) == ["match"])
        #expect(parts([.match: Self.fixture([Sample.lineup[0]])]) == ["match", "/teams/2/squad/1715"])
        #expect(parts([.match: Self.fixture(Sample.lineup)]) == ["match"])
        #expect(parts([.match: Self.fixture(status: "Finished")]) == ["match"])
        #expect(parts([.match: Self.fixture(more: "")]) == ["match"], "no season, no squad")
    }

    @Test func aWrongSquadIsRequestedAgainAndAnEmptyOneIsNot() {
        let requested = ["match", "/teams/1/squad/1715"]
        for other in [Self.blues, Array("<html>".utf8), Array(#"{"data":[]}"#.utf8)] {
            #expect(parts([.match: Self.fixture(), "squad.1.1715": other, "squad.2.1715": Self.blues]) == requested)
        }
        #expect(parts([.match: Self.fixture(), "squad.1.1715": [], "squad.2.1715": Self.blues]) == ["match"])
    }

    @Test func theSquadIsUsedUntilTheLineUpIsKnown() throws {
        func names(_ lineup: [String], _ squads: [ReplyPart: [UInt8]]) throws -> [[String]] {
            let replies = squads.merging([.match: Self.fixture(lineup)]) { one, _ in one }
            return try adapter.snapshot(ProviderReplies(replies), ProviderSession()).info.teams
                .map { $0.players.map(\.name) }
        }
        let squads: [ReplyPart: [UInt8]] = ["squad.1.1715": Self.reds, "squad.2.1715": Self.blues]
        #expect(try names([], [:]) == [[], []])
        #expect(try names([], squads) == [["Ann One", "Cat Three"], ["Xan Ex", "Zoe Wy"]])
        #expect(try names([Sample.lineup[2]], squads) == [["Ann One", "Cat Three"], ["Xan Ex"]])
        #expect(try names([], ["squad.1.1715": Array("<html>".utf8)]) == [[], []])
    }

    @Test func aSquadNamesPlayersOutsideTheLineUp() throws {
        let ball = Sample.ball(1, more: "").replacing("\"bowler_id\":21", with: "\"bowler_id\":22")
        let match = Sample.fixture(balls: [ball], lineup: [], more: Self.season)
        let bowler = { (squads: [ReplyPart: [UInt8]]) throws -> String? in
            let replies = ProviderReplies(squads.merging([.match: match]) { one, _ in one })
            return try adapter.snapshot(replies, ProviderSession()).deliveries.first?.bowler.name
        }
        #expect(try bowler([:]) == "Player 22")
        #expect(try bowler(["squad.2.1715": Self.blues]) == "Zoe Wy")
    }

    /// A plan without squads must not cost the match.
    @Test(.timeLimit(.minutes(1)), arguments: [403, 404, 503])
    func aRefusedSquadDelaysNothing(status: Int) async throws {
        let match = Self.fixture(status: "1st Innings")
        let list = Array(#"{"data":[]}"#.utf8)
        let live = String(decoding: match, as: UTF8.self).replacing(#"{"data":{"id":7"#, with: #"{"data":[{"id":7"#)
        let lists = Array((live.dropLast() + "]}").utf8)
        let requested = Mutex(0)
        let server = try ScriptedServer { request, write in
            switch request.path {
            case let path where path.hasPrefix("/teams/"):
                requested.withLock { $0 += 1 }
                return write(ScriptedServer.reply(status: status))
            case let path where path.hasPrefix("/fixtures/7"): return write(ScriptedServer.reply(body: match))
            case let path where path.hasPrefix("/livescores"): return write(ScriptedServer.reply(body: lists))
            default: return write(ScriptedServer.reply(body: list))
            }
        }
        let sink = RecordingSink()
        try await SportmonksFeed.run(server, sink) { _ in
            #expect(await sink.next() == .accepted(balls: 0))
            for _ in 0..<3 { _ = await sink.next() }
        }
        let count = requested.withLock { $0 }
        // A refused squad is requested once, a failed one with the next poll again.
        #expect(status == 503 ? count > 2 : count == 2, "\(count)")
    }
}
