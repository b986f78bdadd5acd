// A journal on a fresh database, with a registered node.

public import MatchEngine
public import MatchJournal
public import MatchSamples
public import Postgres
public import ScoreTypes
public import TestSupport
import Testing

/// A journal, its database and its node.
public struct JournalBench: Sendable {
    /// The node's term.
    public static let fence = Fence(node: NodeID(unchecked: "node-1"), term: Term(1))
    /// The epoch of new matches.
    public static let epoch = Epoch("abcdEFG1")

    /// The database.
    public let info: ConnectionInfo
    /// The connections.
    public let pool: Pool
    /// The journal.
    public let journal: Journal

    /// Creates a journal on a fresh database.
    ///
    /// - Throws: The errors of `ScratchDatabase.make` and `script`.
    public init() async throws { try await self.init(on: ScratchDatabase.make()) }

    /// Creates a journal on a database with the schema.
    ///
    /// - Throws: `PostgresError`.
    public init(on info: ConnectionInfo) async throws {
        self.info = info
        pool = Pool(info, size: 3, name: "journal-tests")
        journal = Journal(pool: pool)
        try await script("insert into node (node_id, term, expires_at) values ('node-1', 1, now() + interval '1 day')")
    }

    /// Runs statements.
    ///
    /// - Throws: `PostgresError`.
    public func script(_ sql: StaticString) async throws {
        try await pool.withConnection { connection in try connection.script(sql) }
    }

    /// The count of rows of a table: `journal`, `publication` or `announced_moment`.
    ///
    /// - Throws: `PostgresError`.
    public func count(_ table: String) async throws -> Int64 {
        let statement: Statement =
            switch table {
            case "journal": Statement("select count(*) from journal")
            case "publication": Statement("select count(*) from publication")
            default: Statement("select count(*) from announced_moment")
            }
        return try #require(try await pool.query(statement) { try $0.int(0) }.first)
    }

    /// Opens a match.
    ///
    /// - Throws: `JournalError`.
    public func open(_ match: MatchID = Scorebook.match) async throws -> JournalHead {
        try await journal.open(match, feed: Scorebook.feed, epoch: try #require(Self.epoch))
    }

    /// The publications of a match.
    ///
    /// - Throws: `JournalError`.
    public func publications(of match: MatchID = Scorebook.match) async throws -> [PublicationRow] {
        try await journal.publications(of: match, after: 0)
    }

    /// The changes of a match, in order.
    ///
    /// - Throws: `JournalError`.
    public func changes(of match: MatchID = Scorebook.match) async throws -> [Change] {
        try await journal.entries(of: match, after: 0).map(\.change)
    }

    /// A writer of a poller, or one that took over after a crash.
    public func writer(
        _ match: MatchID = Scorebook.match,
        feed: FeedID = Scorebook.feed,
        clock: ManualClock = ManualClock(),
        journal: Journal? = nil,
        evidence: CorrectionEvidence = CorrectionEvidence()
    ) -> MatchWriter {
        MatchWriter(
            match: match,
            feed: feed,
            journal: journal ?? self.journal,
            fence: { Self.fence },
            clock: clock.clock(),
            evidence: evidence
        )
    }

    /// An append of changes that continues a match from a revision.
    public static func append(
        _ changes: [Change],
        after expected: Int64,
        to match: MatchID = Scorebook.match,
        phase: MatchPhase = .live,
        announced: [AnnouncedMoment] = []
    ) -> JournalAppend {
        JournalAppend(
            match: match,
            expected: expected,
            changes: changes,
            seenAt: Instant(milliseconds: 1_700_000_000_123),
            priority: announced.isEmpty ? .five : .ten,
            alertKey: announced.first?.key,
            cause: announced.isEmpty ? .reply : .confirmation,
            announced: announced,
            facts: MatchFacts(
                phase: phase,
                startsAt: Instant(milliseconds: 1_700_000_000_000),
                summary: Array(#"{"line":"x"}"#.utf8)
            )
        )
    }
}
