// The balls of a rehearsal are written to the journal directly: what is rehearsed begins with their commit.

import MatchEngine
import MatchJournal
import Postgres
import ScoreTypes

/// A match whose next ball is bowled on request.
///
/// A wicket is confirmed by the append that enters it, as one that the provider marks as final: a wait for evidence is
/// the writer's, which has no part in a crash test.
struct CrashMatch: Sendable {
    static let match = MatchID(unchecked: "rehearsal")

    let journal: Journal
    private(set) var revision: Int64 = 0
    private var play = CrashPlay()

    init(journal: Journal) { self.journal = journal }

    /// Enters the match, which is live from now on.
    mutating func begin() async throws {
        revision = try await journal.open(
            Self.match,
            feed: FeedID(unchecked: "rehearsal"),
            epoch: MatchWriter.randomEpoch()
        ).revision.number
        _ = try await append(play.begin())
    }

    /// Bowls a ball for a run; its revision.
    mutating func ball() async throws -> Int64 { try await append(play.ball()) }

    /// Bowls a ball that takes a wicket, with its alert; the revision of the alert.
    mutating func wicket() async throws -> Int64 {
        let (changes, moments) = play.wicket()
        // The confirmed moments are last, at the revision of the publication.
        return try await append(changes + [.confirmed(moments.map(\.key))], announcing: moments)
    }

    private mutating func append(_ changes: [Change], announcing moments: [Moment] = []) async throws -> Int64 {
        let head = try await journal.append(
            JournalAppend(
                match: Self.match,
                expected: revision,
                changes: changes,
                seenAt: ServiceClock().wall,
                priority: moments.map(\.priority).max() ?? .five,
                alertKey: Moment.mostImportant(of: moments)?.key,
                cause: moments.isEmpty ? .reply : .confirmation,
                announced: moments.map { AnnouncedMoment(key: $0.key, subject: $0.subject) },
                facts: MatchFacts(phase: .live, startsAt: nil, summary: Array("{}".utf8))
            ),
            fence: nil
        )
        revision = head.revision.number
        return revision
    }
}
