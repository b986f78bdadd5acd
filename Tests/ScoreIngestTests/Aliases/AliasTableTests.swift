// The alias table has a limit; a table above it is refused and not truncated.

import JournalSamples
import Postgres
import ScoreTypes
import Testing

@testable import CurlTransfer
@testable import MatchJournal
@testable import Providers
@testable import ScoreIngest

@Suite struct AliasTableTests {
    private static func aliases(_ ids: Range<Int>, meaning ours: String = "p") -> [Alias] {
        ids.map { Alias(.player, .roanuz, "\($0)", means: "\(ours)\($0)") }
    }

    private static func refusal(_ body: () async throws(AliasError) -> Void) async -> Int? {
        do throws(AliasError) { try await body() } catch {
            if case .full(let max) = error { return max }
        }
        return nil
    }

    @Test func aTableAboveItsLimitIsRefusedAsAWhole() async throws {
        let bench = try await JournalBench()
        let records = AliasRecords(pool: bench.pool, max: 10)
        try await records.put(Self.aliases(0..<8))
        #expect(await Self.refusal { () async throws(AliasError) in try await records.put(Self.aliases(7..<11)) } == 10)
        #expect(try await records.table() == AliasTable(Self.aliases(0..<8)))
        // A stored alias needs no new row.
        try await records.put(Self.aliases(0..<10, meaning: "q"))
        #expect(try await records.table() == AliasTable(Self.aliases(0..<10, meaning: "q")))
        #expect(await Self.refusal { () async throws(AliasError) in try await records.put(Self.aliases(0..<11)) } == 10)
    }

    @Test func aTableLargerThanOneStatementIsStored() async throws {
        let bench = try await JournalBench()
        let records = AliasRecords(pool: bench.pool)
        let aliases = Self.aliases(0..<IngestLimits.aliasBatchMax * 2 + 3)
        try await records.put(aliases)
        #expect(try await records.table() == AliasTable(aliases))
    }

    @Test func aPageContinuesAlsoBehindAnAliasThatIsRemoved() async throws {
        let bench = try await JournalBench()
        let records = AliasRecords(pool: bench.pool)
        try await records.put(Self.aliases(10..<20))
        var (read, totals): ([String], [Int64]) = ([], [])
        var cursor: AliasCursor?
        repeat {
            let page = try await records.page(after: cursor, limit: 3)
            #expect(page.aliases.count <= 3)
            read += page.aliases.map(\.providerID)
            totals.append(page.total)
            if let last = page.aliases.last { _ = try await records.remove(.player, .roanuz, last.providerID) }
            cursor = page.next
        } while cursor != nil && totals.count < 10
        #expect(read == (10..<20).map { "\($0)" } && totals == [10, 9, 8, 7])
    }

    @Test func aPlaceIsReadFromItsText() {
        for text in ["player.roanuz.c.1", "match.cricsheet."] { #expect(AliasCursor(text)?.text == text) }
        for text in ["", "7", "player.roanuz", "player..a", "pitch.roanuz.a"] { #expect(AliasCursor(text) == nil) }
    }
}
