// A list creates matches days ahead, and moves their start; it does not undo what play has changed.

import JournalSamples
import MatchEngine
import MatchSamples
import Postgres
import ScoreTypes
import TestSupport
import Testing

@testable import MatchJournal

@Suite struct AnnouncementTests {
    private static let source = JournalSource(.sportmonks, Scorebook.feed)

    private static func fixture(
        startsAt: Int64? = 4_000_000_000,
        status: MatchStatus? = .scheduled,
        teams: [TeamInfo] = Scorebook().info.teams,
        format: Format? = .t20
    ) -> Fixture {
        Fixture(
            id: ProviderMatchID(unchecked: "77"),
            match: Scorebook.match,
            startsAt: startsAt,
            status: status,
            teams: teams,
            competition: "Test League",
            format: format,
            venue: "Wankhede"
        )
    }

    @Test func aListEntryCreatesAMatch() async throws {
        let bench = try await JournalBench()
        let writer = bench.writer()
        try await writer.announce(Self.fixture(), source: Self.source)
        let row = try #require(try await bench.journal.matches(phases: [.scheduled]).first)
        #expect(row.startsAt == Instant(milliseconds: 4_000_000_000_000))
        #expect(String(decoding: row.summary, as: UTF8.self).contains("Mumbai Indians"))
        // The same entry again writes nothing; another start is published.
        try await writer.announce(Self.fixture(), source: Self.source)
        #expect(try await bench.count("publication") == 1)
        try await writer.announce(Self.fixture(startsAt: 4_000_003_600), source: Self.source)
        #expect(try await bench.count("publication") == 2)
        #expect(
            try await bench.journal.starting(within: .seconds(4_000_000_000)).map(\.startsAt) == [
                Instant(milliseconds: 4_000_003_600_000)
            ]
        )
        #expect(try await bench.journal.starting(within: .seconds(60)).isEmpty)
    }

    /// Rain moves a start to the next day at most; older matches that have not begun are not listed.
    @Test(arguments: [(hours: 30, count: 1), (hours: 40, count: 0)])
    func anOldUnstartedMatchIsNotListed(hours: Int, count: Int) async throws {
        let bench = try await JournalBench()
        let startsAt = ServiceClock().wall.seconds - Int64(hours) * 3_600
        try await bench.writer().announce(Self.fixture(startsAt: startsAt), source: Self.source)
        #expect(try await bench.journal.starting(within: .seconds(60)).count == count)
    }

    @Test("F16: a removed match returns when it is listed or answers again, though nothing has changed")
    func aRemovedMatchReturnsUnchanged() async throws {
        let bench = try await JournalBench()
        var writer = bench.writer()
        try await writer.announce(Self.fixture(), source: Self.source)
        func isListed() async throws -> Bool { try await bench.journal.matches(phases: [.scheduled]).count == 1 }
        let picture = Scorebook().snapshot
        _ = try await writer.accept(picture, seenAt: ManualClock.wallAtZero)
        for isNewWriter in [false, true] {
            try await writer.removed()
            #expect(try await !isListed())
            if isNewWriter { writer = bench.writer() }
            try await writer.announce(Self.fixture(startsAt: Scorebook().info.startsAt), source: Self.source)
            #expect(try await isListed())
            try await writer.removed()
            #expect(try await !isListed())
            if isNewWriter { writer = bench.writer() }
            _ = try await writer.accept(picture, seenAt: ManualClock.wallAtZero)
            #expect(try await isListed())
        }
    }

    /// A later reply must not look like a change of the match's length.
    @Test(arguments: Format.allCases) func anEntryHasTheLengthOfItsFormat(format: Format) throws {
        let frame = Announcement.frame(of: Self.fixture(format: format), over: MatchRecord(), feed: nil)
        let info = try #require(frame?.info)
        #expect(info.ballsPerOver == format.ballsPerOver && info.ballLimit == format.ballLimit)
    }

    @Test func anIncompleteEntryCreatesNoMatch() async throws {
        let bench = try await JournalBench()
        let writer = bench.writer()
        try await writer.announce(Self.fixture(teams: []), source: Self.source)
        try await writer.announce(Self.fixture(format: nil), source: Self.source)
        #expect(try await bench.count("journal") == 0)
    }

    @Test func aPostponementIsPublishedAndItsEndIsNot() async throws {
        let bench = try await JournalBench()
        let writer = bench.writer()
        try await writer.announce(Self.fixture(), source: Self.source)
        try await writer.announce(Self.fixture(status: .postponed), source: Self.source)
        #expect(try await writer.stored().record.status.status == .postponed)
        try await writer.announce(Self.fixture(startsAt: 4_000_090_000), source: Self.source)
        #expect(try await writer.stored().record.status.status == .scheduled)
        // The postponement is announced, its end is not.
        #expect(try await bench.publications().compactMap(\.alertKey) == ["res"])
    }

    @Test func teamsReplacePlaceholdersAndKeepTheirPlayers() throws {
        var record = MatchRecord()
        let undecided = Self.fixture(teams: [
            TeamInfo(id: "Q1", name: "Winner 1"), TeamInfo(id: "Q2", name: "Winner 2"),
        ])
        func take(_ fixture: Fixture) -> [Change] {
            let frame = Announcement.frame(of: fixture, over: record, feed: SnapshotFrame(record))
            let changes = frame?.changes(from: record) ?? []
            for change in changes { record.apply(change) }
            return changes
        }
        #expect(take(undecided).count == 1)
        #expect(take(Self.fixture()).count == 1)
        #expect(record.info?.teams.map(\.id) == ["MI", "CSK"])
        // The squads are known from the match's own page, not from the list.
        var full = try #require(record.info)
        full.teams[0] = TeamInfo(id: "MI", name: "Mumbai Indians", players: [Scorebook.player("Rohit Sharma")])
        record.apply(.info(full))
        #expect(take(Self.fixture()).isEmpty)
        #expect(record.info?.teams[0].players.count == 1)
    }

    @Test func aListDoesNotChangeAMatchInPlay() async throws {
        let bench = try await JournalBench()
        let writer = bench.writer()
        var book = Scorebook.begun
        book.ball(1)
        _ = try await writer.accept(book.snapshot, seenAt: Instant(milliseconds: 0))
        let before = try await bench.count("journal")
        try await writer.announce(Self.fixture(startsAt: 1_900_000_000, status: .cancelled), source: Self.source)
        #expect(try await bench.count("journal") == before)
    }

    @Test func aDroppedMatchIsRemovedUntilItReturns() async throws {
        let bench = try await JournalBench()
        let writer = bench.writer()
        try await writer.announce(Self.fixture(), source: Self.source)
        try await writer.removed()
        #expect(try await bench.journal.head(of: Scorebook.match)?.isRemoved == true)
        #expect(try await bench.journal.matches(phases: [.scheduled]).isEmpty)
        try await writer.announce(Self.fixture(startsAt: 4_000_009_000), source: Self.source)
        #expect(try await bench.journal.head(of: Scorebook.match)?.isRemoved == false)
    }
}
