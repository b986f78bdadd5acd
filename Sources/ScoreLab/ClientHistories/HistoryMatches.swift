// The matches that the persons of the histories follow.

import MatchEngine
import MatchJournal
import ScoreTypes

/// Enters matches that stay live.
enum HistoryMatches {
    static let count = 6

    /// The id of a team, 0 or 1, of every match.
    static func team(_ number: Int) -> String { number == 0 ? "mi-\(number)" : "csk-\(number)" }

    /// Enters all matches.
    static func enter(in journal: Journal) async throws {
        let teams = [
            TeamInfo(id: team(0), name: "Mumbai Indians", abbreviation: "MI"),
            TeamInfo(id: team(1), name: "Chennai Super Kings", abbreviation: "CSK"),
        ]
        for number in 0..<count {
            let match = MatchID(unchecked: "m\(number)")
            let feed = FeedID(unchecked: "histories")
            let revision = try await journal.open(match, feed: feed, epoch: MatchWriter.randomEpoch()).revision.number
            _ = try await journal.append(
                JournalAppend(
                    match: match,
                    expected: revision,
                    changes: [
                        .info(MatchInfo(format: .t20, competition: "Histories", ballLimit: 120, teams: teams)),
                        .innings(InningsInfo(ordinal: 1, batting: .first)), .status(StatusReport(status: .live)),
                    ],
                    seenAt: ServiceClock().wall,
                    cause: .reply,
                    facts: MatchFacts(phase: .live, startsAt: nil, summary: Array("{}".utf8))
                ),
                fence: nil
            )
        }
    }
}
