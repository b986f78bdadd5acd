// A journal on a fresh database, with a node that is alive.

import MatchEngine
import MatchJournal
import Postgres
import ScoreIngest
import ScoreTypes
import TestSupport
import Testing

/// What the tests of the journal stand on.
struct JournalBench: Sendable {
    static let fence = Fence(node: NodeID(unchecked: "node-1"), term: Term(1))
    static let epoch = Epoch("abcdEFG1")

    let info: ConnectionInfo
    let pool: Pool
    let journal: Journal

    init() async throws { try await self.init(on: ScratchDatabase.make()) }

    init(on info: ConnectionInfo) async throws {
        self.info = info
        pool = Pool(info, size: 3, name: "journal-tests")
        journal = Journal(pool: pool)
        try await script("insert into node (node_id, term, expires_at) values ('node-1', 1, now() + interval '1 day')")
    }

    func script(_ sql: StaticString) async throws {
        try await pool.withConnection { connection in try connection.script(sql) }
    }

    /// The count of rows of a table.
    func count(_ table: String) async throws -> Int64 {
        let statement: Statement =
            switch table {
            case "journal": Statement("select count(*) from journal")
            case "publication": Statement("select count(*) from publication")
            default: Statement("select count(*) from alert_told")
            }
        return try #require(try await pool.query(statement) { try $0.int(0) }.first)
    }

    func open(_ match: MatchID = Scorebook.match) async throws -> JournalHead {
        try await journal.open(match, feed: Scorebook.feed, epoch: try #require(Self.epoch))
    }

    func publications(of match: MatchID = Scorebook.match) async throws -> [PublicationRow] {
        try await journal.publications(of: match, after: 0)
    }

    func changes(of match: MatchID = Scorebook.match) async throws -> [Change] {
        try await journal.entries(of: match, after: 0).map(\.change)
    }

    /// The feeds of a match behind one desk, each with a writer of its own.
    func desk(_ precedence: [FeedID: Int], clock: ServiceClock) -> SourceDesk {
        SourceDesk(precedence: precedence, clock: clock) { [journal] match, feed in
            MatchWriter(match: match, feed: feed, journal: journal, fence: { Self.fence }, clock: clock)
        }
    }

    /// A writer as a poller would hold it, also as one that took over after a crash.
    func writer(_ match: MatchID = Scorebook.match, clock: ManualClock = ManualClock(), journal: Journal? = nil)
        -> MatchWriter
    {
        MatchWriter(
            match: match,
            feed: Scorebook.feed,
            journal: journal ?? self.journal,
            fence: { Self.fence },
            clock: clock.clock()
        )
    }

    /// An append of changes that leads a match on from a revision.
    static func append(
        _ changes: [Change],
        after expected: Int64,
        to match: MatchID = Scorebook.match,
        phase: MatchPhase = .live,
        told: [ToldMoment] = []
    ) -> JournalAppend {
        JournalAppend(
            match: match,
            expected: expected,
            changes: changes,
            seenAt: Instant(milliseconds: 1_700_000_000_123),
            priority: told.isEmpty ? .five : .ten,
            alertKey: told.first?.key,
            cause: told.isEmpty ? .reply : .confirmation,
            told: told,
            facts: MatchFacts(
                phase: phase,
                startsAt: Instant(milliseconds: 1_700_000_000_000),
                summary: Array(#"{"line":"x"}"#.utf8)
            )
        )
    }
}
