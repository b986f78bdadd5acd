// The list of results survives a restart.

import MatchEngine
import MatchSamples
import Postgres
import Providers
import ScoreTypes
import TestSupport
import Testing

@testable import MatchJournal
@testable import ScoreIngest
@testable import ScoreServer

@Suite(.timeLimit(.minutes(2))) struct RecentMatchesTests {
    /// Writes a match that ended so many days ago.
    static func end(_ match: String, days: Int64, on setup: NodeSetup) async throws {
        let clock = ServiceClock()
        let membership = Membership(
            info: setup.info,
            node: NodeID(unchecked: "before"),
            clock: clock,
            timeToLive: .seconds(60)
        )
        try await membership.join()
        let writer = MatchWriter(
            match: MatchID(unchecked: match),
            feed: FeedID(unchecked: "test"),
            journal: Journal(pool: setup.pool),
            fence: { membership.fence() },
            clock: clock,
            committed: { _ in }
        )
        var info = Samples.info()
        info.startsAt = clock.wall.seconds - days * 86_400
        let snapshot = MatchSnapshot(
            info: info,
            innings: [InningsInfo(ordinal: 1, batting: .first)],
            deliveries: Samples.deliveries(7),
            status: StatusReport(status: .result),
            result: Samples.won
        )
        _ = try await writer.accept(SeenReply(snapshot, seenAt: clock.wall, source: .server))
        let ago: [Bind] = [.text(match), .int(days)]
        for statement in [
            Statement("update match set over_at = over_at - $2::bigint * interval '1 day' where match_id = $1"),
            Statement("update publication set at = at - $2::bigint * interval '1 day' where match_id = $1"),
        ] {
            #expect(try await setup.pool.execute(statement, ago) > 0)
        }
        await membership.resign()
    }

    @Test func recentResultsAreListedAfterARestart() async throws {
        let setup = try await NodeSetup()
        try await Self.end("yesterday", days: 1, on: setup)
        try await Self.end("last-weekend", days: 5, on: setup)
        try await Self.end("last-month", days: 30, on: setup)
        try await setup.withWholeNode { whole in
            func listed(_ query: String) async throws -> [String?] {
                let list = try await whole.publicClient.get("/v1/matches?status=finished\(query)")
                #expect(list.status == 200)
                return list.json["items"]?.list.map { $0["id"]?.string } ?? []
            }
            try await eventually("what ended within a week is listed, the latest first", within: .seconds(20)) {
                try await listed("") == ["yesterday", "last-weekend"]
            }
            #expect(try await listed("&limit=1") == ["yesterday"])
            let month = try await whole.publicClient.get("/v1/matches/last-month")
            #expect(month.status == 200, "a match that is not listed can still be read")
            #expect(try await listed("") == ["yesterday", "last-weekend"], "a read does not list a match")
        }
        await setup.stop()
    }
}
