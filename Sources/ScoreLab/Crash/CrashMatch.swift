// The balls of a rehearsal are written to the journal directly: what is rehearsed begins with their commit.

import MatchEngine
import MatchJournal
import Postgres
import ScoreTypes

/// A T20 whose next ball is bowled on request.
struct CrashMatch: Sendable {
    static let match = MatchID(unchecked: "rehearsal")

    let journal: Journal
    private(set) var balls = 0
    private(set) var revision: Int64 = 0

    /// Enters the match, which is live from now on.
    mutating func begin() async throws {
        revision = try await journal.open(
            Self.match,
            feed: FeedID(unchecked: "rehearsal"),
            epoch: MatchWriter.randomEpoch()
        ).revision.number
        let teams = [
            TeamInfo(id: "MI", name: "Mumbai Indians", abbreviation: "MI"),
            TeamInfo(id: "CSK", name: "Chennai Super Kings", abbreviation: "CSK"),
        ]
        _ = try await append([
            .info(MatchInfo(format: .t20, competition: "Rehearsal", ballLimit: 120, teams: teams)),
            .innings(InningsInfo(ordinal: 1, batting: .first)), .status(StatusReport(status: .live)),
        ])
    }

    /// Bowls a ball for a run; its revision.
    mutating func ball() async throws -> Int64 {
        let number = balls
        balls += 1
        return try await append([
            .inserted(
                Delivery(
                    key: DeliveryKey("ball-\(number)"),
                    order: OrderKey(Int64(number) * 100),
                    innings: 1,
                    over: number / 6,
                    striker: Player(id: "S", name: "Striker"),
                    nonStriker: Player(id: "N", name: "Partner"),
                    bowler: Player(id: "B\(number / 6 % 2)", name: "Bowler"),
                    runs: DeliveryRuns(bat: 1)
                )
            )
        ])
    }

    private mutating func append(_ changes: [Change]) async throws -> Int64 {
        let head = try await journal.append(
            JournalAppend(
                match: Self.match,
                expected: revision,
                changes: changes,
                seenAt: ServiceClock().wall,
                cause: .reply,
                facts: MatchFacts(phase: .live, startsAt: nil, summary: Array("{}".utf8))
            ),
            fence: nil
        )
        revision = head.revision.number
        return revision
    }
}
